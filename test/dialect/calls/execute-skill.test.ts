import { describe, expect, test } from "vitest";
import { callCodecs, type ModelCall } from "../../../src/dialect/calls/index.ts";
import type { JsonValue } from "../../../src/json.ts";

function read(text: string): ModelCall[] {
  const read = callCodecs.text.readCalls(text);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.calls;
}

function called(name: string, parameters: JsonValue = {}): ModelCall {
  return { id: null, name, arguments: { ok: true, value: parameters } };
}

const TIME =
  '{"action": "execute_skill", "skill_id": "get_current_time", "parameters": {"timezone": "Asia/Shanghai"}}';
const TIME_CALL = called("get_current_time", { timezone: "Asia/Shanghai" });

const understood: [what: string, text: string, calls: ModelCall[]][] = [
  ["alone", TIME, [TIME_CALL]],
  ["in prose", `用户问时间，我需要调用技能。${TIME} 请稍等。`, [TIME_CALL]],
  ["in a code fence", `Let me look.\n\`\`\`json\n${TIME}\n\`\`\`\nDone.`, [TIME_CALL]],
  ["in a fence without a language", `\`\`\`\n${TIME}\n\`\`\``, [TIME_CALL]],
  ["over several lines", JSON.stringify(JSON.parse(TIME), null, 2), [TIME_CALL]],
  ["without parameters", '{"action":"execute_skill","skill_id":"now"}', [called("now")]],
  ["with null parameters", '{"action":"execute_skill","skill_id":"now","parameters":null}', [called("now")]],
  [
    "with members in another order, and others besides",
    '{"skill_id":"now","thought":"…","parameters":{"a":1},"action":"execute_skill"}',
    [called("now", { a: 1 })],
  ],
  [
    "with braces nested and in texts",
    'So: {"action":"execute_skill","skill_id":"f","parameters":{"a":{"b":{"c":"} {"}},"d":"\\"}"}} ok',
    [called("f", { a: { b: { c: "} {" } }, d: '"}' })],
  ],
  ["twice", `${TIME}\nand then\n${TIME}`, [TIME_CALL, TIME_CALL]],
  ["in a list", `[${TIME}, {"action":"execute_skill","skill_id":"now"}]`, [TIME_CALL, called("now")]],
  ["inside another object", `{"plan": ["look"], "call": ${TIME}}`, [TIME_CALL]],
  ["after braces that are none", `{name} {} {{x}} ${TIME} {`, [TIME_CALL]],
  [
    "with a call in its parameters, which is a value there",
    `{"action":"execute_skill","skill_id":"store","parameters":{"value":${TIME}}}`,
    [called("store", { value: JSON.parse(TIME) })],
  ],
  [
    "with parameters as JSON text",
    '{"action":"execute_skill","skill_id":"f","parameters":"{\\"a\\":1}"}',
    [called("f", { a: 1 })],
  ],
  [
    "with a number that would be rounded",
    '{"action":"execute_skill","skill_id":"f","parameters":{"id":9007199254740993}}',
    [called("f", { id: "9007199254740993" })],
  ],
  ["of a name in Chinese", '{"action":"execute_skill","skill_id":"天气"}', [called("天气")]],
  ["of none", "There is nothing to call.", []],
  ["of none that only speaks of it", "I could use execute_skill here, with {braces}, but do not.", []],
  ["of none that only tells how one is written", 'You use "action": "execute_skill" for that.', []],
  ["of none that tells it after braces", 'In {name} or {}, use "action": "execute_skill" for that.', []],
  ["of none that tells it in JSON", '{"thought":"With action: execute_skill I could."}', []],
  ["of another action", '{"action":"none","skill_id":"execute_skill"}', []],
  ["that is empty", "", []],
];

/** With what is expected at the place of the fault, and what stands there. */
const broken: [what: string, text: string, expected: string, got: string][] = [
  [
    "a comment, as documents have them",
    '{"action":"execute_skill","skill_id":"t","parameters":{"zone":"UTC" // 可选\n}}',
    "one JSON object; at character 69 a comma or }",
    '"// 可选\\n}}" after ',
  ],
  [
    "single quotes",
    "Now {'action': 'execute_skill', 'skill_id': 't', 'parameters': {'a': 1}} please",
    'one JSON object; at character 6 a name in " or }',
    "\"'action': 'execute_skill'",
  ],
  [
    "curly quotes",
    "{“action”：“execute_skill”，“skill_id”：“t”}",
    'one JSON object; at character 2 a name in " or }',
    '"“action”',
  ],
  [
    "an object that is cut off",
    '{"action": "execute_skill", "skill_id": "t", "parameters": {"a": "lon',
    "one JSON object; at character 66 a value",
    '"\\"lon" after ',
  ],
  ["no object", 'action: execute_skill\nskill_id: "t"', "one JSON object", '"action: execute_skill"'],
  ["a comma too many", '{"action":"execute_skill","skill_id":"t",}', "at character 42", '"}" after '],
  [
    "an object around another",
    "{'parameters': {'a': 1}, 'action': 'execute_skill'}",
    'at character 2 a name in " or }',
    "\"'parameters'",
  ],
  [
    "a comma too many behind braces in a text",
    '{"note":"{a} { b","action":"execute_skill",}',
    'at character 44 a name in "',
    '"}" after ',
  ],
  ["no name", '{"action":"execute_skill","parameters":{}}', "the name of a function, as text", "nothing"],
  ["a name that is none", '{"action":"execute_skill","skill_id":7}', "the name of a function, as text", "7"],
];

describe("calls in a model's text", () => {
  test.each(understood)("are understood: %s", (_case, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  const AGAIN =
    'Write the whole call again as {"action":"execute_skill","skill_id":"NAME","parameters":{}}, without comments, with double quotes';

  test.each(broken)(
    "that cannot be read are answered by how to write them: %s",
    (_case, text, expected, got) => {
      const [call, ...others] = read(text);
      expect(others).toEqual([]);
      expect(call).toMatchObject({ id: null, name: "execute_skill", arguments: { ok: false } });
      const fault = call?.arguments.ok === false ? call.arguments.fault : null;
      expect(fault?.expected).toContain(expected);
      expect(fault?.expected).toContain(AGAIN);
      expect(fault?.got).toContain(got);
    },
  );

  test.each(["arguments", "args", "input"])(
    "are not made without the arguments that stand in %s",
    (member) => {
      const text = JSON.stringify({ action: "execute_skill", skill_id: "f", [member]: { n: 3 } });
      expect(read(text)).toMatchObject([
        {
          name: "f",
          arguments: {
            ok: false,
            fault: {
              path: `/${member}`,
              expected: `nothing: arguments stand in \`parameters\`. ${AGAIN}`,
              got: '{"n":3}',
            },
          },
        },
      ]);
    },
  );

  test("are read in their order, the broken one among the good ones", () => {
    const broken = '{"action": "execute_skill", "skill_id": broken}';
    const names = read(`${TIME} then ${broken} then ${TIME}`).map(({ name }) => name);
    expect(names).toEqual(["get_current_time", "execute_skill", "get_current_time"]);
  });

  test("are found in a large text with many braces without reading it again for each", () => {
    const text = `${'{"a":'.repeat(40_000)} ${TIME} ${"{".repeat(100_000)} ${'{"'.repeat(50_000)}`;
    expect(read(text)).toEqual([TIME_CALL]);
  });

  test("are as many as a large text holds, good and broken, and none is searched for another", () => {
    const good = '{"action":"execute_skill","skill_id":"f"}';
    const bad = '{"action":"execute_skill",}';
    const calls = read(`${good}${bad}`.repeat(10_000));
    expect(calls).toHaveLength(20_000);
    expect(calls.filter(({ name }) => name === "f")).toHaveLength(10_000);
  });

  test("are no JSON message", () => {
    expect(callCodecs.text.readCalls({ action: "execute_skill" })).toMatchObject({ ok: false });
  });
});

test("results of calls in text come in one message, by the names that were called", () => {
  const results = [
    { call: called("f"), content: { data: 1 }, isFailure: false },
    { call: called("g"), content: { error: "No." }, isFailure: true },
  ];
  expect(callCodecs.text.writeResults(results)).toEqual([
    { role: "user", content: '{"results":[{"skill_id":"f","data":1},{"skill_id":"g","error":"No."}]}' },
  ]);
  expect(callCodecs.text.writeResults([])).toEqual([]);
});
