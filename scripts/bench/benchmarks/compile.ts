import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parser as commonMarkParser } from "@lezer/markdown";
import { parseDocument } from "yaml";
import { readSkills } from "../../../src/cli/skills/read.ts";
import { compileSkill } from "../../../src/compile/index.ts";
import { documentName, skillDocuments, yamlBlocks } from "../documents.ts";
import { scaleFigures } from "../reading/scale.ts";
import type { Finding, Measurement } from "../report.ts";
import { byTurns, type Settings } from "../rounds.ts";

const DOCUMENTS = 1_000;

/** The bundled skills compile in milliseconds; so many times in a row make a time that can be measured. */
const REPETITIONS = 20;

const skills = join(import.meta.dirname, "../../../skills");

/** A document and the name of the folder that it stands in. */
interface Document {
  text: string;
  folder: string;
}

/** Compiling skill documents against the two parsers alone: `yaml` over the same blocks, CommonMark over the whole. */
export async function benchCompile(settings: Settings): Promise<Finding> {
  const generated = skillDocuments(DOCUMENTS).map((text, index) => ({ text, folder: documentName(index) }));
  const bundled = await bundledDocuments();
  const bytes = generated.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return {
    benchmark: "compile",
    subject: "compileSkill",
    baseline: "the yaml and CommonMark parsers alone",
    measurements: [
      await compare(`ms, ${DOCUMENTS} documents`, generated, 1, settings),
      await compare(`ms, bundled skills (${bundled.length})`, bundled, REPETITIONS, settings),
    ],
    figures: await scaleFigures(settings.progress),
    notes: [
      `Generated documents of ${Math.round(bytes / DOCUMENTS)} bytes on average; in Node, one process.`,
      "A folder is read, compiled and linked in a process of its own, which has to warm up.",
    ],
  };
}

async function bundledDocuments(): Promise<Document[]> {
  const { files } = await readSkills(skills);
  return Promise.all(
    files.map(async (path) => ({ text: await readFile(path, "utf8"), folder: basename(dirname(path)) })),
  );
}

async function compare(
  name: string,
  documents: readonly Document[],
  repetitions: number,
  { rounds, progress }: Settings,
): Promise<Measurement> {
  const alone = documents.map(({ text }) => ({ text, blocks: yamlBlocks(text) }));
  const measure = {
    subject: async () => timed(() => documents.forEach(compileWhole), repetitions),
    baseline: async () => timed(() => alone.forEach(parseAlone), repetitions),
  };
  progress(`${name}: warming up`);
  await byTurns(1, measure, () => {});
  const samples = await byTurns(rounds, measure, (round) => progress(`${name}: round ${round} of ${rounds}`));
  return { name, relation: "ratio", digits: 1, aim: null, rounds: samples };
}

/** Milliseconds that one run takes, on average. */
function timed(run: () => void, repetitions: number): number {
  const begin = performance.now();
  for (let repetition = 0; repetition < repetitions; repetition += 1) run();
  return (performance.now() - begin) / repetitions;
}

function compileWhole({ text, folder }: Document): void {
  const options = { file: "SKILL.md", folder, isUpload: false, mayNameBaseUrlVariable: () => true };
  const { skill, diagnostics } = compileSkill(text, options);
  if (skill === null) throw new Error(`${folder} does not compile: ${diagnostics[0]?.message}`);
}

/** YAML with the options that the compiler parses with; the CommonMark parser as it comes. */
function parseAlone({ text, blocks }: { text: string; blocks: readonly string[] }): void {
  commonMarkParser.parse(text);
  for (const block of blocks) {
    const { errors } = parseDocument(block, { version: "1.2", uniqueKeys: false, logLevel: "silent" });
    if (errors.length > 0) throw new Error(`A block does not parse: ${errors[0]?.message}`);
  }
}
