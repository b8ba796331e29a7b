import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { quietWrangler, wranglerEntry } from "../wrangler.ts";
import type { WorkerModule } from "./workerd/config.ts";

/** The gateway as wrangler would upload it. */
export interface WorkerBundle {
  /** The entry first; their paths begin with the name of the bundle's folder. */
  modules: readonly [WorkerModule, ...WorkerModule[]];
  /** Of all modules together. */
  bytes: number;
  gzippedBytes: number;
}

const root = join(import.meta.dirname, "../..");
const ENTRY = "worker.js";

/** Written by wrangler beside the modules, but not uploaded. */
const LEFT_OUT = new Set(["README.md", "worker.js.map"]);

/**
 * Bundles the worker with wrangler, as for a deployment, into a new folder.
 * @param catalog a module to take for the catalog of bundled skills, or null for the one of the build
 */
export async function bundleWorker(
  parent: string,
  name: string,
  catalog: string | null,
): Promise<WorkerBundle> {
  const folder = join(parent, name);
  const alias = catalog === null ? [] : ["--alias", `#catalog:${catalog}`];
  await promisify(execFile)(
    process.execPath,
    [wranglerEntry, "deploy", "--dry-run", "--outdir", folder, ...alias],
    {
      cwd: root,
      env: { ...process.env, ...quietWrangler },
    },
  );
  return readBundle(folder, name);
}

async function readBundle(folder: string, name: string): Promise<WorkerBundle> {
  const files = (await readdir(folder)).filter((file) => file !== ENTRY && !LEFT_OUT.has(file));
  const names = [ENTRY, ...files] as const;
  const contents = await Promise.all(names.map((file) => readFile(join(folder, file))));
  const all = Buffer.concat(contents);
  const [entry, ...texts] = names.map((file) => moduleOf(file, name));
  if (entry === undefined) throw new Error(`${folder} holds no bundle.`);
  return { modules: [entry, ...texts], bytes: all.length, gzippedBytes: gzipSync(all).length };
}

function moduleOf(file: string, folder: string): WorkerModule {
  const path = `${folder}/${file}`;
  if (file.endsWith(".js")) return { name: file, path, kind: "esModule" };
  if (file.endsWith(".txt")) return { name: file, path, kind: "text" };
  throw new Error(`The bundle holds ${file}, a kind of module that the benchmarks do not know.`);
}
