import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findDocuments, listingOnce, readSkillFolder } from "../../../src/cli/skills/folder.ts";
import { readSkills } from "../../../src/cli/skills/read.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "skills-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text = "x"): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function link(path: string, target: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
}

function found(): { documents: string[]; said: string[] } {
  const { documents, diagnostics } = findDocuments(root, listingOnce());
  return {
    documents: documents.map((path) => relative(root, path)),
    said: diagnostics.map(({ code, file, message }) => `${code} ${relative(root, file)}: ${message}`),
  };
}

describe("the documents below a folder", () => {
  test("are found in any letter case, in the order of their paths, one within the other too", () => {
    for (const path of ["b/skill.md", "a/SKILL.md", "a/inner/Skill.MD", "a/README.md", "SKILL.md.bak"])
      write(path);
    expect(found()).toEqual({ documents: ["a/SKILL.md", "a/inner/Skill.MD", "b/skill.md"], said: [] });
  });

  test("are one a folder: a second one in another letter case is refused", () => {
    write("a/SKILL.md");
    write("a/skill.md");
    expect(found()).toEqual({
      documents: ["a/SKILL.md"],
      said: ["document-name-twice a/skill.md: the folder has SKILL.md already, and a skill is one document"],
    });
  });

  test("are not read through links, which is said", () => {
    write("shared.md");
    link("a/SKILL.md", "../shared.md");
    link("b", "a");
    expect(found()).toEqual({
      documents: [],
      said: [
        "document-is-a-link a/SKILL.md: the document is a symbolic link, which is not followed, so there is no skill here",
      ],
    });
  });

  test("have links beside them that are said with where they lead", () => {
    write("a/SKILL.md");
    write("a/references/b.md");
    link("a/references/within.md", "b.md");
    link("a/references/outside.md", "../../secret.md");
    link("a/scripts", "../elsewhere");
    link("a/self", "self");
    write("secret.md");
    expect(found().said).toEqual([
      "link-not-followed a/references/outside.md: this is a symbolic link, which leads out of the skill's folder and counts as absent",
      "link-not-followed a/references/within.md: this is a symbolic link, which counts as absent",
      "link-not-followed a/scripts: this is a symbolic link, which leads nowhere",
      "link-not-followed a/self: this is a symbolic link, which leads nowhere",
    ]);
  });
});

test("what stands beside a document is listed with its texts, links and tools' own folders left out", () => {
  write("a/SKILL.md");
  write("a/references/潮汐.md", "港口");
  write("a/assets/m.png", "\u0000");
  write("a/inner/SKILL.md");
  write("a/inner/x.md");
  write("a/node_modules/x/y.md");
  write("a/.git/config");
  link("a/references/b.md", "../../secret.md");
  const bytesOf = (text: string): Buffer => Buffer.from(text);
  expect(readSkillFolder(join(root, "a"), listingOnce())).toEqual([
    { path: "assets/m.png", bytes: null },
    { path: "inner/SKILL.md", bytes: bytesOf("x") },
    { path: "inner/x.md", bytes: bytesOf("x") },
    { path: "references/潮汐.md", bytes: bytesOf("港口") },
  ]);
});

test("a document is held against the files beside it", async () => {
  write(
    "tides/SKILL.md",
    "---\nname: tides\ndescription: Times and heights of the tides at a harbour.\n---\n[a](references/a.md) [b](references/b.md)\n",
  );
  write("tides/references/a.md");
  write("tides/references/c.md");
  link("tides/references/b.md", "a.md");
  const { compiled, diagnostics } = await readSkills(root);
  expect(compiled.map(({ skill }) => skill.references)).toEqual([["references/a.md"]]);
  expect(diagnostics.map(({ code, file }) => [code, relative(root, file)])).toEqual([
    ["file-unnamed", "tides/SKILL.md"],
    ["reference-missing", "tides/SKILL.md"],
    ["link-not-followed", "tides/references/b.md"],
  ]);
});
