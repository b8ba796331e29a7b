import { describe, expect, test, vi } from "vitest";
import { folderWith, skillgate } from "./command.ts";
import { RIGHT } from "./documents.ts";

/** Each test starts a process, which takes long where much else runs. */
vi.setConfig({ testTimeout: 30_000 });

/** A function of which formats lose something: a name that is none to a provider, and a bound that another lacks. */
const LOSSY = `---
name: tides
description: Times and heights of the tides at a harbour.
---

\`\`\`yaml
functions:
  - name: tide_height
    description: The height of the tide at a harbour.
    parameters:
      type: object
      properties:
        港口: {type: string, description: The harbour}
        offset: {type: number, exclusiveMinimum: 0, description: Metres}
      required: [港口]
    compute: offset
\`\`\`
`;

describe("skillgate check --dialects", () => {
  test("warns of what formats cannot express, where it stands, and counts it", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": LOSSY });
    const { status, stdout, stderr } = await skillgate(folder, ["check", "--dialects"]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toMatch(
      /^skills\/tides\/SKILL\.md:13:9: warning\[anthropic\]: tide_height at \/properties\/港口: \S+ is renamed: ./m,
    );
    expect(stderr).toMatch(
      /^skills\/tides\/SKILL\.md:14:32: warning\[gemini\]: tide_height at \/properties\/offset: exclusiveMinimum is described: ./m,
    );
    expect(stderr).toMatch(/^ {5}1 {2}gemini +exclusiveMinimum +described$/m);
    expect(stderr).toMatch(/^\d+ losses in \d formats\.\n$/m);
  });

  test("says so where there is nothing to warn of, and nothing of it where it is not asked", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": RIGHT });
    const { stderr } = await skillgate(folder, ["check", "--dialects"]);
    expect(stderr).toBe(
      "1 of 1 document compiled: 0 errors, 0 warnings.\nEvery provider's format expresses all of it.\n",
    );
    const lossy = folderWith({ "skills/tides/SKILL.md": LOSSY });
    expect((await skillgate(lossy, ["check"])).stderr).not.toContain("gemini");
  });

  test("prints them for programs, and counts them as warnings where those count", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": LOSSY });
    const { status, stdout } = await skillgate(folder, ["check", "--dialects", "--json", "--strict"]);
    expect(status).toBe(1);
    const { losses, warnings } = JSON.parse(stdout);
    expect(warnings).toBe(0);
    expect(losses).toContainEqual({
      dialect: "gemini",
      file: "skills/tides/SKILL.md",
      line: 14,
      column: 32,
      function: "tide_height",
      path: "/properties/offset",
      keyword: "exclusiveMinimum",
      outcome: "described",
      note: expect.stringMatching(/\S/),
    });
    const plain = await skillgate(folder, ["check", "--json", "--strict"]);
    expect([plain.status, JSON.parse(plain.stdout).losses]).toEqual([0, []]);
  });
});
