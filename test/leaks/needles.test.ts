import { describe, expect, test } from "vitest";
import { spellingsOf } from "../../scripts/sandbox/faults/spellings.ts";
import { DEFAULT_API_KEY } from "../../scripts/sandbox/server.ts";
import { type Leak, leaksIn } from "./find.ts";
import { plantedNeedles } from "./needles.ts";
import { planted } from "./planted.ts";

const values = Object.entries(planted);

function found(text: string): Leak[] {
  return leaksIn(text, plantedNeedles);
}

/** A text within others, so that no spelling of it stands alone. */
function within(text: string): string {
  return `{"data":{"said":"not ${text}, but"},"meta":{}}`;
}

describe("a planted secret is found", () => {
  test.each(values)("%s, in every spelling", (secret, value) => {
    for (const [spelling, text] of spellingsOf(value)) {
      const secrets = found(within(text)).map((leak) => leak.secret);
      expect([spelling, secrets]).toEqual([
        spelling,
        expect.arrayContaining([expect.stringContaining(secret)]),
      ]);
    }
  });

  test.each(values)("%s, as the password of a Basic credential, whatever the name", (secret, value) => {
    for (const name of ["", "a", "ab", "abc"]) {
      const header = `Basic ${Buffer.from(`${name}:${value}`).toString("base64")}`;
      expect(found(header).map((leak) => leak.secret)).toContain(secret);
    }
  });

  test.each(values)("%s, within a file that is said back in Base64", (secret, value) => {
    for (const before of ["", "\0", "\0\0"]) {
      const file = Buffer.from(`${before}${value}\0\0\0`).toString("base64");
      expect(found(JSON.stringify({ base64: file })).map((leak) => leak.secret)).toContain(secret);
    }
  });
});

test("what holds none is clean", () => {
  expect(found('{"data":"[redacted]","meta":{"skill":"sandbox"},"base64":"c2FuZA=="}')).toEqual([]);
});

test("what was found is told by its name, its spelling and its place, without its value", () => {
  const [leak] = found(`said ${planted.SKILLGATE_KEY}`);
  expect(leak).toEqual({ secret: "SKILLGATE_KEY", spelling: "raw", offset: 5 });
});

test("the key that the sandbox has by itself is one of them", () => {
  expect(planted.SANDBOX_KEY).toBe(DEFAULT_API_KEY);
});
