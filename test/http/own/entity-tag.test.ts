import { describe, expect, test } from "vitest";
import { checkConditions, conditionsOf, skillTag, tagOfDigest } from "../../../src/http/own/entity-tag.ts";

const TAG = '"0123456789abcdef0123456789abcdef"';

describe("conditions", () => {
  test.each<[string, Record<string, string>, string | null, boolean]>([
    ["none", {}, TAG, true],
    ["none, of nothing", {}, null, true],
    ["the tag that it has", { "If-Match": TAG }, TAG, true],
    ["one of several", { "If-Match": `"a", ${TAG} , "b"` }, TAG, true],
    ["any", { "If-Match": "*" }, TAG, true],
    ["another tag", { "If-Match": '"a"' }, TAG, false],
    ["a weak one", { "If-Match": `W/${TAG}` }, TAG, false],
    ["any, of nothing", { "If-Match": "*" }, null, false],
    ["a tag, of nothing", { "If-Match": TAG }, null, false],
    ["nothing that could be read", { "If-Match": "" }, TAG, false],
    ["that there is none", { "If-None-Match": "*" }, null, true],
    ["that there is none, of something", { "If-None-Match": "*" }, TAG, false],
    ["that it is another one", { "If-None-Match": '"a"' }, TAG, true],
    ["that it is not this one, weakly", { "If-None-Match": `W/${TAG}` }, TAG, false],
  ])("%s: %j on %j", (_what, headers, current, holds) => {
    const checked = checkConditions("tides", current, conditionsOf(new Headers(headers)));
    expect(checked.ok).toBe(holds);
    if (!checked.ok) expect(checked.failure).toEqual({ code: "VERSION_CONFLICT", skill: "tides", current });
  });
});

describe("the tag of a skill", () => {
  const [left, right] = [
    { path: "references/a.md", digest: "1" },
    { path: "references/b.md", digest: "2" },
  ];

  test("is that of its document where there are no files, and another one for each set of them", async () => {
    const digest = "f".repeat(64);
    expect(await skillTag({ digest, files: [] })).toBe(tagOfDigest(digest));
    const tags = await Promise.all(
      [[], [left], [right], [left, right], [{ ...left, digest: "3" }]].map((files) =>
        skillTag({ digest, files }),
      ),
    );
    expect(new Set(tags).size).toBe(5);
    expect(await skillTag({ digest, files: [right, left] })).toBe(
      await skillTag({ digest, files: [left, right] }),
    );
  });
});
