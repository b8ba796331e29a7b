import { describe, expect, test } from "vitest";
import { readBundle } from "../../../../src/http/authoring/bundle/read-bundle.ts";
import { MAX_BUNDLE_BYTES, MAX_SKILL_FILE_BYTES, MAX_SKILL_FILES } from "../../../../src/limits.ts";
import { type Packed, zip } from "./zip_builder.ts";

async function read(type: string, body: string | Uint8Array<ArrayBuffer>) {
  const headers = { "Content-Type": type };
  const bundle = await readBundle(new Request("http://localhost/", { method: "PUT", headers, body }));
  if (!bundle.ok) return bundle.failure;
  const { document, files } = bundle.value;
  const decoder = new TextDecoder();
  return {
    document: decoder.decode(document),
    files:
      files === null
        ? null
        : Object.fromEntries([...files].map(([path, bytes]) => [path, decoder.decode(bytes)])),
  };
}

const SKILL: Packed = { name: "SKILL.md", text: "# Hello" };

describe("an uploaded document", () => {
  test.each([["text/markdown"], ["application/x-www-form-urlencoded"], [""], ["text/plain; charset=utf-8"]])(
    "of the type %j is alone, and the files stay as they are",
    async (type) => {
      expect(await read(type, "# Hello")).toEqual({ document: "# Hello", files: null });
    },
  );
});

describe("a JSON bundle", () => {
  test("has the document, and files as text or in base64", async () => {
    const files = { "references/a.md": "甲", "assets/b.bin": { base64: "AAEC" } };
    expect(
      await read("application/json; charset=utf-8", JSON.stringify({ skill: "# Hello", files })),
    ).toEqual({
      document: "# Hello",
      files: { "references/a.md": "甲", "assets/b.bin": "\u0000\u0001\u0002" },
    });
  });

  test("without files leaves them as they are, and with none takes them away", async () => {
    expect(await read("application/json", '{"skill":"x"}')).toEqual({ document: "x", files: null });
    expect(await read("application/json", '{"skill":"x","files":{}}')).toEqual({ document: "x", files: {} });
  });

  test.each<[string, unknown, string]>([
    ["no JSON", "{", "The body is not"],
    ["no document", {}, "/skill is to be"],
    ["a document that is no text", { skill: 7 }, "/skill is to be of type string"],
    ["a member that means nothing", { skill: "x", fils: {} }, "/fils is to be left out"],
    ["a file that is no text", { skill: "x", files: { "references/a.md": 7 } }, "a text, or"],
    ["base64 that is none", { skill: "x", files: { "references/a.md": { base64: "a*b=" } } }, "base64"],
    ["base64 that is cut off", { skill: "x", files: { "references/a.md": { base64: "AAE" } } }, "base64"],
    ["a path that leads out", { skill: "x", files: { "references/../a.md": "" } }, "dots alone"],
    ["the document as a file", { skill: "x", files: { "SKILL.md": "y" } }, "two of SKILL.md"],
    [
      "one path in two compositions",
      { skill: "x", files: { "references/é.md": "", [`references/é.md`.normalize("NFD")]: "" } },
      "two of references/é.md",
    ],
    [
      "too many files",
      {
        skill: "x",
        files: Object.fromEntries(
          Array.from({ length: MAX_SKILL_FILES + 1 }, (_, index) => [`assets/${index}`, ""]),
        ),
      },
      `more than the ${MAX_SKILL_FILES} files`,
    ],
  ])("is refused for %s", async (_what, body, said) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    expect(await read("application/json", text)).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(said),
    });
  });

  test("is refused for a file, and for files in all, that are too large", async () => {
    const file = "x".repeat(MAX_SKILL_FILE_BYTES);
    const one = JSON.stringify({ skill: "x", files: { "assets/a": `${file}x` } });
    expect(await read("application/json", one)).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      what: "The file assets/a",
    });
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`assets/${index}`, file]));
    expect(await read("application/json", JSON.stringify({ skill: "x", files }))).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      limitBytes: MAX_BUNDLE_BYTES,
    });
  });
});

describe("a ZIP archive", () => {
  test.each<[string, Packed[]]>([
    ["in its root", [SKILL, { name: "references/a.md", text: "甲" }]],
    [
      "stored as they are",
      [
        { ...SKILL, stored: true },
        { name: "references/a.md", text: "甲", stored: true },
      ],
    ],
    [
      "in its only folder, with folders and what macOS leaves",
      [
        { name: "hello/", mode: 0o40755, stored: true },
        { ...SKILL, name: "hello/SKILL.md" },
        { name: "hello/references/a.md", text: "甲" },
        { name: "__MACOSX/hello/._SKILL.md", text: "?" },
        { name: "hello/.DS_Store", text: "?" },
      ],
    ],
  ])("has the document and the files %s", async (_what, entries) => {
    expect(await read("application/zip", zip(entries))).toEqual({
      document: "# Hello",
      files: { "references/a.md": "甲" },
    });
  });

  test.each<[string, Packed[], string]>([
    ["no document", [{ name: "references/a.md" }], "no SKILL.md"],
    ["a document two folders deep", [{ ...SKILL, name: "a/b/SKILL.md" }], "not below one of"],
    ["two documents", [SKILL, { ...SKILL }], "two of SKILL.md"],
    ["two files of one name", [SKILL, { name: "assets/a" }, { name: "assets/a" }], "two of assets/a"],
    ["a path that leads out", [SKILL, { name: "references/../../x" }], "dots alone"],
    ["a path from the root", [SKILL, { name: "/references/x" }], "empty segment"],
    ["a path with a drive", [SKILL, { name: "C:\\references\\x" }], "backslash"],
    ["a path that is encoded", [SKILL, { name: "references/%2e%2e/x" }], "percent sign"],
    ["a file outside the roots", [SKILL, { name: "README.md" }], "not below one of"],
    [
      "a symbolic link",
      [SKILL, { name: "references/a.md", text: "/etc/passwd", mode: 0o120777 }],
      "a link or a device",
    ],
    ["a device", [SKILL, { name: "references/a.md", mode: 0o20666 }], "a link or a device"],
    ["a folder that is a file", [SKILL, { name: "references/a.md", mode: 0o40755 }], "a link or a device"],
    ["an encrypted entry", [SKILL, { name: "references/a.md", flags: 1 }], "encrypted"],
    ["a strongly encrypted entry", [SKILL, { name: "references/a.md", flags: 0x41 }], "encrypted"],
    ["another method", [SKILL, { name: "references/a.md", method: 12 }], "another method"],
    [
      "an entry that becomes larger than it says",
      [SKILL, { name: "assets/a", text: "x".repeat(9_999), saidSize: 10 }],
      "larger than it says",
    ],
    [
      "an entry that becomes smaller than it says",
      [SKILL, { name: "assets/a", text: "x", saidSize: 10 }],
      "not what it says",
    ],
    [
      "an entry with a wrong checksum",
      [SKILL, { name: "assets/a", text: "x", saidCrc: 1 }],
      "not what it says",
    ],
    [
      "data that are not deflated",
      [SKILL, { name: "assets/a", text: "xyz", stored: true, method: 8 }],
      "broken",
    ],
    ["an entry with two names", [SKILL, { name: "assets/a", localName: "assets/b" }], "not where it says"],
    [
      "entries that lie over each other",
      [
        SKILL,
        { name: "assets/a", text: "x", localName: "assets/a" },
        { name: "assets/a", text: "x", sharesData: true },
      ],
      "lie over each other",
    ],
  ])("is refused for %s", async (_what, entries, said) => {
    expect(await read("application/zip", zip(entries))).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(said),
    });
  });
});

describe("a ZIP archive that is broken or too large", () => {
  const broken: [string, Uint8Array<ArrayBuffer>, string][] = [
    ["no archive", Uint8Array.from(new TextEncoder().encode("# Hello")), "no ZIP archive"],
    ["nothing at all", new Uint8Array(), "no ZIP archive"],
    ["cut off", zip([SKILL]).slice(0, -5), "no ZIP archive"],
    ["on several disks", zip([SKILL], { disks: 1 }), "several disks"],
    ["ZIP64", zip([SKILL], { saidCount: 0xffff }), "ZIP64"],
    ["said to have more entries than it has", zip([SKILL], { saidCount: 2 }), "broken directory"],
    [
      "said to have fewer entries than it has",
      zip([SKILL, { name: "assets/a" }], { saidCount: 1 }),
      "broken directory",
    ],
    ["followed by something else", zip([SKILL], { after: new Uint8Array(9) }), "no ZIP archive"],
  ];

  test.each(broken)("is refused where it is %s", async (_what, bytes, said) => {
    expect(await read("application/zip", bytes)).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(said),
    });
  });

  test("is refused before anything is unpacked that says to become too large", async () => {
    const zeros = new Uint8Array(MAX_SKILL_FILE_BYTES + 1);
    expect(await read("application/zip", zip([SKILL, { name: "assets/a", text: zeros }]))).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      what: "The file assets/a",
    });
    const files = Array.from({ length: 9 }, (_, index) => ({
      name: `assets/${index}`,
      text: new Uint8Array(MAX_SKILL_FILE_BYTES),
    }));
    expect(await read("application/zip", zip([SKILL, ...files]))).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      limitBytes: MAX_BUNDLE_BYTES,
    });
  });

  test("is refused where it has entries by the hundred", async () => {
    const folders = Array.from({ length: 300 }, (_, index) => ({
      name: `assets/${index}/`,
      mode: 0o40755,
      stored: true,
    }));
    expect(await read("application/zip", zip([SKILL, ...folders]))).toMatchObject({
      message: expect.stringContaining("more than 256 entries"),
    });
  });

  test("is never more than a failure, whatever bytes are broken in it", async () => {
    const whole = zip([SKILL, { name: "references/a.md", text: "甲乙丙丁".repeat(20) }]);
    for (let at = 0; at < whole.byteLength; at++) {
      const broken = Uint8Array.from(whole);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      const result = await read("application/zip", broken);
      if ("code" in result) expect(["INVALID_REQUEST", "PAYLOAD_TOO_LARGE"]).toContain(result.code);
      else expect(result.document).toBe("# Hello");
    }
  });
});
