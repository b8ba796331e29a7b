/** Builds the skills and runs the tests; arguments go to vitest (`npm test -- --project unit expression`). */
import { runAll } from "./commands.ts";

process.exitCode = await runAll([
  ["node", "scripts/build.ts", "--quiet"],
  ["vitest", "run", ...process.argv.slice(2)],
]);
