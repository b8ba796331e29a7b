#!/usr/bin/env node
/** The command `skillgate`. It works in the folder where it was called, though npm starts its scripts in the package's. */
import { launch } from "./launch.mjs";

const { npm_lifecycle_event: script, INIT_CWD: caller } = process.env;
const folder = script === "skillgate" && caller !== undefined ? caller : process.cwd();
launch("src/cli/main.ts", process.argv.slice(2), folder);
