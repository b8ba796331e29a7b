/**
 * Starts what belongs to this project under the project's own Node (the dev dependency `node`), whatever Node
 * started this: installs the packages where they are missing or older than the lock file, then goes on. Plain
 * JavaScript without packages, because in a fresh clone there is nothing else yet.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const bin = join(modules, ".bin");
const node = join(bin, process.platform === "win32" ? "node.cmd" : "node");
/** What npm leaves behind when it has installed everything. */
const installed = join(modules, ".package-lock.json");
/**
 * Where Node keeps the code that it compiled, by the digest of its source: types are stripped and functions compiled
 * once instead of at every start, which halves the time of one. Processes started below inherit it.
 */
const compiled = join(modules, ".cache", "node");

/**
 * Runs one of the project's files to the end.
 * @param {string} file the path from the project's root
 * @param {string[]} words its arguments
 * @param {string} folder where it runs
 */
export function launch(file, words, folder) {
  ensureInstalled();
  run([join(root, file), ...words], folder);
}

/**
 * Runs a package's command to the end, in the project's root.
 * @param {string} name
 * @param {string[]} words its arguments
 */
export function launchBin(name, words) {
  ensureInstalled();
  run([join(bin, name), ...words], root);
}

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
function run(command, folder) {
  const child = spawn(node, command, {
    cwd: folder,
    stdio: "inherit",
    env: {
      NODE_COMPILE_CACHE: compiled,
      ...process.env,
      PATH: bin + delimiter + (process.env.PATH ?? ""),
    },
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
