import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { recordOf } from "../../scripts/catalog/record.ts";
import { writeBundle } from "../../scripts/catalog/write.ts";
import { quietWrangler, wranglerEntry } from "../../scripts/wrangler.ts";
import { readSkills } from "../../src/cli/skills/read.ts";
import { launchGateway, type StartedGateway } from "./started.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Starts the worker with other bundled skills than those of the build: only bundled skills have an operator's secrets.
 * @param evidence the folder of all that gateways under test say and keep
 * @param skills the folder of the skills
 * @param variables the operator's variables and secrets
 */
export async function startWithSkills(
  evidence: string,
  skills: string,
  variables: Readonly<Record<string, string>>,
): Promise<StartedGateway> {
  const { compiled, diagnostics } = await readSkills(skills);
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  const records = await Promise.all(compiled.map(recordOf));
  return launchGateway(evidence, async (port, folder) => {
    const catalog = join(folder, "catalog");
    await writeBundle(catalog, records);
    const config = join(folder, "wrangler.toml");
    await writeFile(config, await configWith(join(catalog, "bundle.js")));
    const wrangler = [wranglerEntry, ...wranglerWords(port, folder, config, variables)];
    return {
      command: process.execPath,
      words: [join(root, "scripts/start/leash.ts"), process.execPath, ...wrangler],
      variables: { ...quietWrangler, CI: "true", FORCE_COLOR: "0", NO_UPDATE_NOTIFIER: "1" },
      sign: "Ready on",
    };
  });
}

/** The project's configuration with another catalog, which takes the worker as the build left it. */
async function configWith(catalog: string): Promise<string> {
  const text = await readFile(join(root, "wrangler.toml"), "utf8");
  const elsewhere = text
    .replace(/^main = .*$/m, `main = ${JSON.stringify(join(root, "dist/worker/worker.js"))}`)
    .replace(/^\[build\]\n(?:.+\n)*/m, "");
  return `${elsewhere}\n[alias]\n"#catalog" = ${JSON.stringify(catalog)}\n`;
}

function wranglerWords(
  port: number,
  folder: string,
  config: string,
  variables: Readonly<Record<string, string>>,
): string[] {
  return [
    "dev",
    "--local",
    `--config=${config}`,
    "--ip=127.0.0.1",
    `--port=${port}`,
    "--inspector-port=0",
    "--show-interactive-dev-session=false",
    `--persist-to=${join(folder, "state")}`,
    ...Object.entries(variables).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
}
