/**
 * Runs a script of this project, whatever Node started it: installs the packages where they are missing or older
 * than the lock file, then goes on under the project's own Node (the dev dependency `node`). Plain JavaScript
 * without packages, because in a fresh clone there is nothing else yet.
 *
 *   node scripts/run.mjs SCRIPT [ARGUMENTS…]      a TypeScript file below scripts/
 *   node scripts/run.mjs --bin NAME [ARGUMENTS…]  a package's command
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const bin = join(modules, ".bin");
const node = join(bin, process.platform === "win32" ? "node.cmd" : "node");
/** What npm leaves behind when it has installed everything. */
const installed = join(modules, ".package-lock.json");

ensureInstalled();
run(process.argv.slice(2));

function ensureInstalled() {
  const lock = join(root, "package-lock.json");
  if (existsSync(node) && existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs)
    return;
  const why = existsSync(modules)
    ? "The packages are older than the lock file"
    : "The packages are not installed yet";
  process.stderr.write(`${why}; installing them (npm ci) …\n`);
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, "inherit"],
    shell: process.platform === "win32",
  });
  if (npm.status !== 0) {
    process.stderr.write(
      "npm ci failed, so nothing was run. Its messages are above; most often it is the network.\n",
    );
    process.exit(npm.status ?? 1);
  }
  if (!existsSync(node)) {
    process.stderr.write(
      `npm ci did not bring the project's own Node (${node}). Its install script may have been skipped: npm install-scripts ls\n`,
    );
    process.exit(1);
  }
}

/** Runs to the end with the same standard streams; signals and the exit status are passed on. */
function run(words) {
  const [first = "", ...rest] = words;
  const command =
    first === "--bin"
      ? [join(bin, rest[0] ?? ""), ...rest.slice(1)]
      : [join(root, "scripts", first), ...rest];
  const child = spawn(node, command, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PATH: bin + delimiter + (process.env.PATH ?? "") },
  });
  // A Ctrl-C reaches the child by itself, which decides when all is ended; this process only waits.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  // npm ends only the shell between it and this process, so being left behind is a sign to stop as well.
  const owner = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== owner) child.kill("SIGTERM");
  }, 500);
  child.on("exit", (code, signal) => {
    clearInterval(watch);
    process.exitCode = signal === null ? (code ?? 1) : 128 + (signal === "SIGINT" ? 2 : 15);
  });
}
