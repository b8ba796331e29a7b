import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "src/dialect");

/** The packages whose types the rules of providers come from. */
const packages = ["openai", "@anthropic-ai/sdk", "@google/genai", "@modelcontextprotocol/core"];

/** The text of every file in which rules are stated. */
const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(join(folder, file), "utf8"));

/** The versions of a package that comments cite, such as `openai 6.49.0`. */
function cited(packageName: string): string[] {
  const citation = new RegExp(`(?<![\\w@/-])${packageName} (\\d+\\.\\d+\\.\\d+)`, "g");
  return texts.flatMap((text) => [...text.matchAll(citation)].map(([, version = ""]) => version));
}

describe.each(packages)("the rules that come from %s", (packageName) => {
  test("are cited from the version that is installed, which they are checked against", () => {
    const manifest = join(root, "node_modules", packageName, "package.json");
    const { version } = JSON.parse(readFileSync(manifest, "utf8"));
    expect(new Set(cited(packageName))).toEqual(new Set([version]));
  });
});
