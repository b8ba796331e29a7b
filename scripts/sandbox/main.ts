import { parseArgs } from "node:util";
import { describeFaults } from "./faults/orders.ts";
import { DEFAULT_API_KEY, type SandboxOptions, startSandbox } from "./server.ts";

const usage = `Usage: node scripts/sandbox/main.ts [options]

Plays the services that the bundled skills call, with made-up data.

  --port N                  port to listen on (default: any that is free)
  --host HOST               address to listen on (default: 127.0.0.1)
  --key KEY                 the API key that is accepted (default: ${DEFAULT_API_KEY})
  --requests-per-minute N   limit of each service (default: 0, none)
  --seed N                  another seed makes other data (default: 1)
  --help                    show this

Faults, in the header X-Sandbox-Fault or the query parameter sandbox_fault, divided by commas,
or for a path: PUT /__sandbox/faults {"path": "/v1/market/ticker", "fault": "status=503,times=2"}

${describeFaults()}
`;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (typeof options === "string") return fail(2, `${options}\n\n${usage}`);
  if (options === null) {
    process.stdout.write(usage);
    return;
  }
  try {
    const sandbox = await startSandbox(options);
    process.stdout.write(`The sandbox listens on ${sandbox.url}\n`);
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void sandbox.close());
  } catch (error) {
    fail(1, `The sandbox could not start: ${messageOf(error)}\n`);
  }
}

/** What the command line asks for: options, null for help, or a sentence on what is wrong. */
function readOptions(args: string[]): SandboxOptions | null | string {
  const texts = parseTexts(args);
  if (typeof texts === "string") return texts;
  if (texts.help === true) return null;
  const options: SandboxOptions = {};
  if (texts.host !== undefined) options.host = texts.host;
  if (texts.key !== undefined) options.apiKey = texts.key;
  for (const [name, option, maximum] of numbers) {
    const text = texts[name];
    if (text === undefined) continue;
    if (!/^\d{1,10}$/.test(text) || Number(text) > maximum)
      return `--${name} expects a whole number up to ${maximum}.`;
    options[option] = Number(text);
  }
  return options;
}

const numbers = [
  ["port", "port", 65_535],
  ["requests-per-minute", "requestsPerMinute", 1_000_000],
  ["seed", "seed", 2 ** 32 - 1],
] as const;

function parseTexts(args: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args,
      options: {
        port: text,
        host: text,
        key: text,
        "requests-per-minute": text,
        seed: text,
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function fail(exitCode: number, message: string): void {
  process.stderr.write(message);
  process.exitCode = exitCode;
}

await main();
