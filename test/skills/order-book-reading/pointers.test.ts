import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../../skills/order-book-reading");

function read(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

function headings(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
}

/** A heading's fragment as code hosts make it: lower case, no punctuation, hyphens for spaces. */
function fragment(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");
}

const main = read("SKILL.md");

describe("where the document points to", () => {
  const links = [...new Set([...main.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target))];

  test("it names its reference files, and it names more than one", () => {
    expect(new Set(links.map((link) => dirname(link)))).toEqual(new Set(["references"]));
    expect(links.length).toBeGreaterThan(3);
  });

  test.each(links)("%s exists", (link) => {
    const [path = "", anchor] = link.split("#");
    expect(existsSync(join(folder, path))).toBe(true);
    if (anchor !== undefined) expect(headings(read(path)).map(fragment)).toContain(anchor);
  });

  const table = /^\| question +\|.*?\n\n/ms.exec(main)?.[0] ?? "";
  const sections = table
    .split("\n")
    .slice(2)
    .flatMap((line) => line.split("|")[3]?.split(";") ?? [])
    .map((name) => name.trim());

  test.each(sections)('the section "%s" exists', (name) => {
    expect(headings(main).some((title) => title.startsWith(name))).toBe(true);
  });

  test.each([
    ...new Set(
      [...main.matchAll(/(?:see|under|and always|go to) "([A-Z][^"]+)"/g)].map(([, name = ""]) => name),
    ),
  ])('so does "%s", named in the text', (name) => {
    expect(headings(main).some((title) => title.startsWith(name))).toBe(true);
  });
});
