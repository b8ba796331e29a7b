import { compileSkill } from "../../../src/compile/index.ts";
import { prepareArguments } from "../../../src/invoke/checks/arguments.ts";
import { type PreparedFunction, prepare } from "../../../src/invoke/prepared.ts";
import type { JsonObject } from "../../../src/json.ts";
import { documentName, skillDocuments } from "../documents.ts";
import type { Finding, Measurement } from "../report.ts";
import { byTurns, type Settings } from "../rounds.ts";

const REPETITIONS = 50_000;

/** Arguments as models send them: right, and with a fault in each. */
const cases: Record<string, JsonObject> = {
  "right arguments": { symbol: "A0.US", fields: ["price", "bid"] },
  "wrong arguments": { symbol: "a0", fields: ["price", "open"], limit: 5 },
};

/** Coercion, defaults and validation of typical arguments against parsing them from their text. */
export async function benchArguments(settings: Settings): Promise<Finding> {
  const prepared = preparedFunction();
  const measurements: Measurement[] = [];
  for (const [name, args] of Object.entries(cases))
    measurements.push(await compare(`µs, ${name}`, prepared, args, settings));
  return {
    benchmark: "arguments",
    subject: "checking arguments",
    baseline: "JSON.parse of the same",
    measurements,
    figures: [],
    notes: ["In Node, one process. A call as a whole takes hundreds of microseconds."],
  };
}

function preparedFunction(): PreparedFunction {
  const [text = ""] = skillDocuments(1);
  const options = {
    file: "SKILL.md",
    folder: documentName(0),
    isUpload: false,
    mayNameBaseUrlVariable: () => true,
  };
  const { skill } = compileSkill(text, options);
  const [definition] = skill?.functions ?? [];
  if (skill === null || definition === undefined) throw new Error("The generated document does not compile.");
  return prepare(skill, definition);
}

async function compare(
  name: string,
  prepared: PreparedFunction,
  args: JsonObject,
  { rounds, progress }: Settings,
): Promise<Measurement> {
  const text = JSON.stringify(args);
  const measure = {
    subject: async () => microseconds(() => prepareArguments(prepared, args)),
    baseline: async () => microseconds(() => JSON.parse(text)),
  };
  await byTurns(1, measure, () => {});
  const samples = await byTurns(rounds, measure, (round) => progress(`${name}: round ${round} of ${rounds}`));
  return { name, relation: "ratio", digits: 2, aim: null, rounds: samples };
}

/** What one run takes, on average. */
function microseconds(run: () => unknown): number {
  const begin = performance.now();
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) run();
  return ((performance.now() - begin) * 1_000) / REPETITIONS;
}
