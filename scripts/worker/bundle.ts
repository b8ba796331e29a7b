import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { writeFolder } from "../files.ts";
import { leftOut } from "./left-out.ts";

const root = join(import.meta.dirname, "../..");

/** What a bundling made: the gzipped bytes of what a start loads, and of what is loaded besides when a request first needs it. */
export interface WorkerSizes {
  start: number;
  onDemand: number;
}

/** The worker, what few requests need, what both use, which a start loads with the worker, and the search. */
const FILES = ["worker.js", "on-demand.js", "shared.js", "search.js"];

/**
 * Bundles the worker into a folder, what few requests need apart; without the catalog, whose texts wrangler uploads beside it.
 * This goes ahead of wrangler's own bundling because only here parts of libraries that nothing here calls can be left
 * out (they would make the worker a twentieth larger), and a part be split off: wrangler takes the other files of the
 * folder as they are.
 */
export async function bundleWorker(folder: string): Promise<WorkerSizes> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      worker: "src/worker.ts",
      "on-demand": "src/worker/on-demand.ts",
      search: "src/search/index.ts",
    },
    outdir: folder,
    splitting: true,
    chunkNames: "shared",
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "#catalog"],
    plugins: [leaveOut()],
    logLevel: "warning",
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const sizeOf = (name: string): number => gzipSync(files.get(name) ?? "").byteLength;
  if (files.size !== FILES.length || FILES.some((name) => !files.has(name)))
    throw new Error(`esbuild made ${[...files.keys()].join(", ")} instead of ${FILES.join(", ")}`);
  await writeFolder(folder, new Map(outputFiles.map(({ path, text }) => [basename(path), text])));
  return { start: sizeOf("worker.js") + sizeOf("shared.js"), onDemand: sizeOf("on-demand.js") };
}

/** Puts a stand-in in the place of each module in the table, and fails where a module is no longer there. */
function leaveOut(): Plugin {
  return {
    name: "leave-out",
    setup(bundling) {
      const found = new Set<string>();
      bundling.onLoad({ filter: /node_modules/ }, ({ path }) => {
        const module = [...leftOut.keys()].find((name) => path.endsWith(`/node_modules/${name}`));
        if (module === undefined) return null;
        found.add(module);
        return { contents: leftOut.get(module) ?? "", loader: "js" };
      });
      bundling.onEnd(() => {
        const missing = [...leftOut.keys()].filter((name) => !found.has(name));
        return { errors: missing.map((name) => ({ text: `${name} is not part of the worker any more` })) };
      });
    },
  };
}
