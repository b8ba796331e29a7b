import { chmodSync, linkSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rewriteFile } from "../../src/cli/skills/rewrite.ts";
import { folderWith } from "./command.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("rewriting a file", () => {
  test("puts the new text in its place at once: a reader of the old one keeps it", async () => {
    const folder = folderWith({ "a.md": "old" });
    linkSync(join(folder, "a.md"), join(folder, "kept.md"));
    expect(await rewriteFile(join(folder, "a.md"), bytes("old"), "new 潮")).toBeNull();
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("new 潮");
    expect(readFileSync(join(folder, "kept.md"), "utf8")).toBe("old");
  });

  test("follows a link, which stays one", async () => {
    const folder = folderWith({ "a.md": "old" });
    symlinkSync("a.md", join(folder, "link.md"));
    expect(await rewriteFile(join(folder, "link.md"), bytes("old"), "new")).toBeNull();
    expect(lstatSync(join(folder, "link.md")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("new");
  });

  test.each([
    ["has changed since it was read", "newer", "the file has changed in the meantime"],
    ["has only grown", "old and more", "the file has changed in the meantime"],
  ])("leaves a file alone that %s, and no draft beside it", async (_case, contents, reason) => {
    const folder = folderWith({ "a.md": contents });
    expect(await rewriteFile(join(folder, "a.md"), bytes("old"), "new")).toBe(reason);
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe(contents);
    expect(readdirSync(folder)).toEqual(["a.md"]);
  });

  test("leaves a read-only file alone", async () => {
    const folder = folderWith({ "a.md": "old" });
    chmodSync(join(folder, "a.md"), 0o444);
    expect(await rewriteFile(join(folder, "a.md"), bytes("old"), "new")).toBe("the file is read-only");
  });

  test("says in the system's words what else is in the way", async () => {
    const folder = folderWith({});
    expect(await rewriteFile(join(folder, "gone.md"), bytes("old"), "new")).toMatch(/^ENOENT: /);
  });
});
