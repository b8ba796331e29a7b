import { compileSkill } from "../../../src/compile/index.ts";
import type { JsonObject } from "../../../src/json.ts";
import { documentName, skillDocuments } from "../documents.ts";
import type { Finding, Measurement } from "../report.ts";
import { byTurns, type Settings } from "../rounds.ts";
import { firstReply } from "../servers.ts";
import type { ValidationTask } from "../validation/task.ts";
import { startWorkerd } from "../workerd/process.ts";
import type { Workshop } from "../workshop.ts";

/** What is measured: the value, how many validators are made, and how often each checks the value. */
interface Work {
  name: string;
  value: JsonObject;
  /** Whether the value is right, which both validators have to say. */
  isRight: boolean;
  makes: number;
  checks: number;
}

const right = { symbol: "A0.US", fields: ["price", "bid"] };
const wrong = { symbol: "a0", fields: ["price", "open"], limit: 5 };

const works: readonly Work[] = [
  { name: "µs, right arguments", value: right, isRight: true, makes: 1, checks: 100_000 },
  { name: "µs, wrong arguments", value: wrong, isRight: false, makes: 1, checks: 50_000 },
  { name: "µs, a new validator's first", value: right, isRight: true, makes: 20_000, checks: 1 },
];

/** The gateway's validator against another one that runs on Workers too, both in workerd with the same schema. */
export async function benchValidation(workshop: Workshop, settings: Settings): Promise<Finding> {
  const { url, stop } = await startWorkerd(await workshop.validationConfig());
  const schema = typicalParameters();
  const measurements: Measurement[] = [];
  for (const work of works) measurements.push(await compare(url, schema, work, settings));
  stop();
  return {
    benchmark: "validation",
    subject: "checking arguments against a schema",
    baseline: "@cfworker/json-schema",
    measurements,
    figures: [],
    notes: ["In workerd. Both tell all faults. A validator's first check includes a copy of its schema."],
  };
}

function typicalParameters(): JsonObject {
  const [text = ""] = skillDocuments(1);
  const options = {
    file: "SKILL.md",
    folder: documentName(0),
    isUpload: false,
    mayNameBaseUrlVariable: () => true,
  };
  const [definition] = compileSkill(text, options).skill?.functions ?? [];
  if (definition === undefined) throw new Error("The generated document does not compile.");
  return definition.parameters;
}

async function compare(
  url: string,
  schema: JsonObject,
  work: Work,
  { rounds, progress }: Settings,
): Promise<Measurement> {
  const measure = {
    subject: () => microseconds(url, { validator: "own", schema, ...work }),
    baseline: () => microseconds(url, { validator: "cfworker", schema, ...work }),
  };
  await byTurns(1, measure, () => {});
  const { name } = work;
  const samples = await byTurns(rounds, measure, (round) => progress(`${name}: round ${round} of ${rounds}`));
  return { name, relation: "ratio", digits: 2, aim: null, rounds: samples };
}

/**
 * What one check takes, on average, as it is seen from outside: a worker's own clock stands still while it computes. The
 * request itself takes less than a hundredth of a microsecond for each of so many checks.
 */
async function microseconds(url: string, task: ValidationTask & Work): Promise<number> {
  const times = task.makes * task.checks;
  const body = JSON.stringify(task);
  const begin = performance.now();
  const answer = await firstReply({ url, method: "POST", headers: {}, body });
  const elapsed = performance.now() - begin;
  const expected = task.isRight ? times : 0;
  if (Number(answer) !== expected)
    throw new Error(`${task.validator} finds ${answer} of ${times} values right, not ${expected}.`);
  return (elapsed * 1_000) / times;
}
