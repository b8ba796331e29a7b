/** The command line's entry: `skillgate COMMAND …`, started by scripts/skillgate.mjs. */
import { runProgram } from "./program.ts";
import { endWithReader } from "./terminal/pipe.ts";

const { stdout, stderr, env: environment } = process;
endWithReader(stdout);
endWithReader(stderr);
process.exitCode = await runProgram(process.argv.slice(2), { stdout, stderr, environment });
