/** Everything that can be said about the code without running it: types, form and lint, who imports whom. */
import { runAll } from "./commands.ts";

process.exitCode = await runAll([
  ["node", "scripts/build.ts", "--quiet"],
  ["tsc", "-p", "."],
  ["biome", "check", "--error-on-warnings", "."],
  ["vitest", "run", "--project", "unit", "test/layering.test.ts"],
]);
