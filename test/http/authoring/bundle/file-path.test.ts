import { describe, expect, test } from "vitest";
import { filePath } from "../../../../src/http/authoring/bundle/file-path.ts";

describe("the path of a file beside a skill", () => {
  test.each([
    ["references/api.md"],
    ["scripts/run.py"],
    ["assets/图标/标志.png"],
    ["templates/a b/c.txt"],
    ["examples/.hidden"],
    ["references/a..b.md"],
    [`references/${"x".repeat(189)}`],
  ])("may be %s", (path) => {
    expect(filePath(path)).toEqual({ ok: true, value: path });
  });

  test("is composed, so that one file has one path", () => {
    expect(filePath("references/café.md".normalize("NFD"))).toEqual({
      ok: true,
      value: "references/café.md",
    });
  });

  test.each([
    ["outside every root", "SKILL.md", "is not below one of"],
    ["a root alone", "references", "is not below one of"],
    ["below no known root", "src/a.md", "is not below one of"],
    ["in another case", "References/a.md", "is not below one of"],
    ["that only begins like a root", "references-x/a.md", "is not below one of"],
    ["absolute", "/references/a.md", "empty segment"],
    ["empty", "", "empty segment"],
    ["with an empty segment", "references//a.md", "empty segment"],
    ["of a folder", "references/", "empty segment"],
    ["that leads up", "references/../SKILL.md", "dots alone"],
    ["that leads out", "references/../../other/SKILL.md", "dots alone"],
    ["that stays", "references/./a.md", "dots alone"],
    ["of more dots", "references/.../a.md", "dots alone"],
    ["with full-width dots as Windows would read them", "references/..\\a.md", "backslash"],
    ["encoded once more", "references/%2e%2e/a.md", "percent sign"],
    ["encoded twice", "references/%252e%252e%252fa.md", "percent sign"],
    ["with a zero byte", "references/a.md\0.png", "nobody sees"],
    ["with a line break", "references/a\nb.md", "nobody sees"],
    ["with a direction mark", "references/a\u202Egpj.md", "nobody sees"],
    ["with tag characters", "references/a\u{E0041}.md", "nobody sees"],
    ["with a joiner between dots", "references/.\u200D./a.md", "nobody sees"],
    ["with a blank at a segment's end", "references/.. /a.md", "blanks"],
    ["with half a character", "references/\ud800.md", "half a character"],
    ["with more than 200 bytes", `references/${"中".repeat(64)}`, "200 bytes"],
    ["of a prototype", "__proto__/a.md", "is not below one of"],
  ])("is refused where it is %s", (_what, path, said) => {
    expect(filePath(path)).toMatchObject({
      ok: false,
      failure: { code: "INVALID_REQUEST", message: expect.stringContaining(said) },
    });
  });
});
