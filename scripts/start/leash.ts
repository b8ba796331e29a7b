/**
 * Runs a command and ends it, with all that it started, as soon as the process that asked for it is gone, even
 * where that one was killed and could clean nothing up. To be started as the leader of a process group.
 *
 *   node leash.ts COMMAND [ARGUMENTS…]
 */
import { spawn } from "node:child_process";

const [command = "", ...words] = process.argv.slice(2);
const owner = process.ppid;
const child = spawn(command, words, { stdio: "inherit" });
child.once("exit", (code) => process.exit(code ?? 1));

setInterval(() => {
  if (process.ppid !== owner) process.kill(0, "SIGKILL");
}, 500);
