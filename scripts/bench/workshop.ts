import { rmSync } from "node:fs";
import { copyFile, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { bundleWorker, type WorkerBundle } from "./bundle.ts";
import { undoAtEnd } from "./ending.ts";
import { buildManyCatalog } from "./many-skills.ts";
import { buildRaisedCatalog } from "./raised-limits.ts";
import { type Compatibility, type WorkerModule, type WorkerSetup, workerdConfig } from "./workerd/config.ts";

/** Where the upstream of the gateway's bundled skill is, and its key. */
export interface UpstreamPlace {
  /** The base of its paths, without a slash at the end. */
  url: string;
  key: string;
}

/** For what calls no upstream: if it did, nobody would answer there (port 9 is for discarding). */
export const NO_UPSTREAM: UpstreamPlace = { url: "http://127.0.0.1:9/v1", key: "unused" };

/** The workers of `workers/` that the gateway is compared with; one in TypeScript is bundled with what it imports. */
export type BareWorker = "constant" | "proxy" | "empty" | "by-hand";

const WRANGLER_CONFIG = join(import.meta.dirname, "../../wrangler.toml");
const WORKERS = join(import.meta.dirname, "workers");
const VALIDATION_WORKER = join(import.meta.dirname, "validation/worker.ts");

/** A temporary folder with bundles of the gateway and with configurations for workerd. */
export class Workshop {
  readonly #folder: string;
  readonly #compatibility: Compatibility;
  #deployed: Promise<WorkerBundle> | undefined;
  #many: Promise<WorkerBundle> | undefined;
  #configurations = 0;

  private constructor(folder: string, compatibility: Compatibility) {
    this.#folder = folder;
    this.#compatibility = compatibility;
  }

  /** Opens a workshop; it is removed at the end of the process. */
  static async open(): Promise<Workshop> {
    const folder = await mkdtemp(join(tmpdir(), "skillgate-bench-"));
    undoAtEnd(() => rmSync(folder, { recursive: true, force: true }));
    await gatherWorkers(folder);
    // Loaded here alone, because that takes most of a second.
    const { unstable_readConfig } = await import("wrangler");
    const { compatibility_date: date, compatibility_flags: flags } = unstable_readConfig({
      config: WRANGLER_CONFIG,
    });
    if (date === undefined) throw new Error("wrangler.toml has no compatibility_date.");
    return new Workshop(folder, { date, flags });
  }

  /** The gateway as it is deployed; bundled once. */
  deployed(): Promise<WorkerBundle> {
    this.#deployed ??= bundleWorker(this.#folder, "deployed", null);
    return this.#deployed;
  }

  /** The gateway with limits that are counted and checked but never reached. */
  async withRaisedLimits(): Promise<WorkerBundle> {
    const catalog = await buildRaisedCatalog(join(this.#folder, "raised-catalog"));
    return bundleWorker(this.#folder, "raised-limits", catalog);
  }

  /** The gateway with a catalog of many skills; bundled once. */
  withManySkills(): Promise<WorkerBundle> {
    this.#many ??= buildManyCatalog(join(this.#folder, "many")).then((catalog) =>
      bundleWorker(this.#folder, "many-skills", catalog),
    );
    return this.#many;
  }

  /** A configuration of the gateway, open to all, with a KV namespace and objects that are kept in memory. */
  gatewayConfig(
    { modules }: WorkerBundle,
    upstream: UpstreamPlace,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    return this.#writeConfig({
      modules,
      objects: { binding: "LIMITS", className: "ExactLimits" },
      variables: {
        OPEN_ACCESS: "true",
        EGRESS_ALLOW: "*,loopback",
        TICKDB_BASE_URL: upstream.url,
        TICKDB_API_KEY: upstream.key,
        ...variables,
      },
      store: { binding: "STORE", module: moduleAt("store.js") },
    });
  }

  /**
   * A configuration of a bare worker.
   * @param body what the worker may import as `body.txt`
   */
  async bareConfig(
    worker: BareWorker,
    { variables = {}, body = "" }: { variables?: Record<string, string>; body?: string } = {},
  ): Promise<string> {
    const entry = moduleAt(`${worker}.js`);
    const text = { name: "body.txt", path: `${worker}-body.txt`, kind: "text" } as const;
    await writeFile(join(this.#folder, text.path), body);
    return this.#writeConfig({ modules: [entry, text], variables, store: null, objects: null });
  }

  /** A configuration of the worker that compares validators. */
  async validationConfig(): Promise<string> {
    const entry = moduleAt("validation.js");
    await build({
      entryPoints: [VALIDATION_WORKER],
      outfile: join(this.#folder, entry.path),
      bundle: true,
      format: "esm",
      target: "es2024",
    });
    return this.#writeConfig({ modules: [entry], variables: {}, store: null, objects: null });
  }

  async #writeConfig(setup: WorkerSetup): Promise<string> {
    this.#configurations += 1;
    const path = join(this.#folder, `${this.#configurations}.capnp`);
    await writeFile(path, workerdConfig(setup, this.#compatibility));
    return path;
  }
}

/** The bare workers, each as one file. */
async function gatherWorkers(folder: string): Promise<void> {
  const files = await readdir(WORKERS);
  const scripts = files.filter((file) => file.endsWith(".js"));
  for (const file of scripts) await copyFile(join(WORKERS, file), join(folder, file));
  const sources = files.filter((file) => file.endsWith(".ts")).map((file) => join(WORKERS, file));
  await build({
    entryPoints: sources,
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
  });
}

function moduleAt(path: string): WorkerModule {
  return { name: path, path, kind: "esModule" };
}
