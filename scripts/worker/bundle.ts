import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { writeIfChanged } from "../files.ts";
import { leftOut } from "./left-out.ts";

const root = join(import.meta.dirname, "../..");

/** What a bundling made. */
export interface WorkerFile {
  path: string;
  gzippedBytes: number;
}

/**
 * Bundles the worker into one file, without the catalog, whose texts wrangler uploads beside it. This goes ahead of
 * wrangler's own bundling because parts of libraries that nothing here calls can be left out only here; they would
 * make the worker a twentieth larger.
 */
export async function bundleWorker(path: string): Promise<WorkerFile> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["src/worker.ts"],
    outfile: path,
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
  const [file] = outputFiles;
  if (file === undefined) throw new Error("esbuild made no file");
  await writeIfChanged(path, file.text);
  return { path, gzippedBytes: gzipSync(file.contents).byteLength };
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
