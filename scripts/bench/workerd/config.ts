/** Writes configurations for `workerd serve` in the text form of Cap'n Proto. */

/** A file that a worker may import under `name`; `path` is relative to the configuration. */
export interface WorkerModule {
  name: string;
  path: string;
  kind: "esModule" | "text";
}

export interface WorkerSetup {
  /** The first one is the worker's entry. */
  modules: readonly [WorkerModule, ...WorkerModule[]];
  /** Texts that the worker finds in its environment. */
  variables: Readonly<Record<string, string>>;
  /** The name under which the worker finds a KV namespace, if any, and the module that plays it. */
  store: { binding: string; module: WorkerModule } | null;
  /** The name under which the worker finds its objects, if any, and what it exports their class as. */
  objects: { binding: string; className: string } | null;
}

/** Which behaviour of the runtime a worker was written for. */
export interface Compatibility {
  date: string;
  flags: readonly string[];
}

/** A server on a free port of this machine with one worker, which can reach addresses of this machine only. */
export function workerdConfig(
  { modules, variables, store, objects }: WorkerSetup,
  compatibility: Compatibility,
): string {
  const bindings = Object.entries(variables).map(
    ([name, value]) => `(name = ${quoted(name)}, text = ${quoted(value)})`,
  );
  const services = ['(name = "internet", network = (allow = ["local"]))'];
  if (store !== null) {
    services.push(workerService("store", [store.module], [], compatibility));
    bindings.push(`(name = ${quoted(store.binding)}, kvNamespace = "store")`);
  }
  const more: string[] = [];
  if (objects !== null) {
    const className = quoted(objects.className);
    bindings.push(`(name = ${quoted(objects.binding)}, durableObjectNamespace = ${className})`);
    const namespace = `(className = ${className}, uniqueKey = "bench", enableSql = true)`;
    more.push(`durableObjectNamespaces = ${list([namespace])}`, "durableObjectStorage = (inMemory = void)");
  }
  services.push(workerService("main", modules, bindings, compatibility, more));
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = ${list(services)},
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`;
}

function workerService(
  name: string,
  modules: readonly WorkerModule[],
  bindings: readonly string[],
  { date, flags }: Compatibility,
  more: readonly string[] = [],
): string {
  const files = modules.map(
    ({ name: imported, kind, path }) => `(name = ${quoted(imported)}, ${kind} = embed ${quoted(path)})`,
  );
  const fields = [
    `compatibilityDate = ${quoted(date)}`,
    `compatibilityFlags = ${list(flags.map(quoted))}`,
    `modules = ${list(files)}`,
    `bindings = ${list(bindings)}`,
    ...more,
  ];
  return `(name = ${quoted(name)}, worker = (${fields.join(", ")}))`;
}

function list(items: readonly string[]): string {
  return `[${items.join(", ")}]`;
}

/** A text literal. Cap'n Proto has C's escapes; what is not plain ASCII is written byte by byte. */
function quoted(text: string): string {
  const characters = Array.from(new TextEncoder().encode(text), (byte) => {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x22 && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
  });
  return `"${characters.join("")}"`;
}
