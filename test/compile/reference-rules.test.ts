import { describe, expect, test } from "vitest";
import { compiled } from "./compiled.ts";
import { referenceRefusal } from "./reference-rules.ts";

const NAME = "name: tides";
const FIELD = "description: The tides at a harbour, high and low.";

function document(...lines: string[]): string {
  return `---\n${lines.join("\n")}\n---\nBody.\n`;
}

/** Documents at the edges of the reference's rules, and what it says of each. */
const documents: [string, string, string | null][] = [
  ["the two fields", document(NAME, FIELD), null],
  [
    "all six fields",
    document(
      NAME,
      FIELD,
      "license: MIT",
      "allowed-tools: Read",
      "metadata:\n  a: 1.10",
      "compatibility: any",
    ),
    null,
  ],
  ["carriage returns", document(NAME, FIELD).replaceAll("\n", "\r\n"), null],
  ["a folded description", document(NAME, "description: >-\n  The tides\n  at a harbour."), null],
  ["a description of 1,024 characters", document(NAME, `description: ${"潮".repeat(1024)}`), null],
  [
    "a description of 1,025 characters",
    document(NAME, `description: ${"潮".repeat(1025)}`),
    "a description that is too long",
  ],
  ["a comment", document("# ours", NAME, FIELD), null],
  ["a byte order mark", `\uFEFF${document(NAME, FIELD)}`, "no front matter at the very beginning"],
  ["a blank line before", `\n${document(NAME, FIELD)}`, "no front matter at the very beginning"],
  ["no end", `---\n${NAME}\n${FIELD}\n`, "front matter without an end"],
  ["hyphens in a value", document("description: a---b: c", NAME), "no name"],
  ["a colon in a description", document(NAME, "description: Two: modes"), "no YAML"],
  ["a key twice", document(NAME, FIELD, NAME), "no YAML"],
  ["a list in brackets", document(NAME, FIELD, "metadata: {a: b}"), "YAML beyond the strict kind"],
  ["a field of ours", document(NAME, FIELD, "version: 1.0.0"), "a field of another name"],
  ["no description", document(NAME), "no description"],
  ["an empty description", document(NAME, 'description: " "'), "no description"],
  ["capitals", document("name: Tides", FIELD), "a name in capitals"],
  ["two hyphens", document("name: ti--des", FIELD), "a name with other signs"],
  ["another folder", document("name: boats", FIELD), "a name that is not the folder's"],
  [
    "a compatibility of 501 characters",
    document(NAME, FIELD, `compatibility: ${"a".repeat(501)}`),
    "a compatibility that is too long",
  ],
];

describe("the reference's rules", () => {
  test.each(documents)("%s", (_what, text, refusal) => {
    expect(referenceRefusal(text, "tides")).toBe(refusal);
  });

  test.each(documents.filter(([, , refusal]) => refusal === null))(
    "what they accept is accepted here: %s",
    (_what, text) => {
      expect(compiled(text, { folder: "tides" }).skill).not.toBeNull();
    },
  );
});
