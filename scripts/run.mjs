/**
 * Runs a script of this project, whatever Node started it.
 *
 *   node scripts/run.mjs SCRIPT [ARGUMENTS…]      a TypeScript file below scripts/
 *   node scripts/run.mjs --bin NAME [ARGUMENTS…]  a package's command
 */
import { join } from "node:path";
import { launch, launchBin, root } from "./launch.mjs";

const [first = "", ...rest] = process.argv.slice(2);
if (first === "--bin") launchBin(rest[0] ?? "", rest.slice(1));
else launch(join("scripts", first), rest, root);
