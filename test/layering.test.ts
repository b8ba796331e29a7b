import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** What each room of `src/` may import of the others; the leaves may be imported by all. */
const rooms: Record<string, readonly string[]> = {
  worker: [
    "http",
    "access",
    "catalog",
    "compile",
    "dialect",
    "invoke",
    "limiter",
    "reading",
    "search",
    "store",
  ],
  http: ["access", "catalog", "compile", "dialect", "invoke", "limiter", "reading", "search", "store"],
  cli: ["compile", "dialect"],
  compile: [],
  invoke: [],
  dialect: [],
  catalog: [],
  limiter: [],
  access: [],
  store: [],
  reading: [],
  search: [],
  expression: [],
  schema: [],
  pattern: [],
};

/** Rooms and files that every room may use; leaves import nothing but leaves of a lower rank. */
const leaves = [
  "expression",
  "schema",
  "pattern",
  "ir",
  "credential-field",
  "errors",
  "limits",
  "vocabulary",
  "json",
  "digest",
  "body",
  "parse-json",
  "shorten",
  "nearest",
  "time-zone",
  "text-page",
  "version",
];
const leafImports: Record<string, readonly string[]> = {
  expression: ["ir", "json", "limits", "pattern", "time-zone"],
  schema: ["errors", "json", "limits", "nearest", "parse-json", "pattern", "shorten"],
  pattern: ["limits"],
  ir: ["json", "vocabulary"],
  "credential-field": ["ir"],
  errors: ["json", "time-zone"],
  limits: [],
  vocabulary: [],
  json: [],
  digest: [],
  body: [],
  "parse-json": ["json"],
  shorten: [],
  nearest: ["limits"],
  "time-zone": [],
  "text-page": [],
  version: [],
};

/** Packages that belong to one room. */
const packageRooms: readonly [RegExp, readonly string[]][] = [
  [/^hono(\/|$)|^@hono\//, ["http", "worker"]],
  [/^yaml$|^@lezer\//, ["compile"]],
  [/^@marcbachmann\/cel-js/, ["expression"]],
  [/^@cfworker\/json-schema$/, ["schema"]],
  [/^@modelcontextprotocol\//, ["mcp"]],
  [/^#catalog$/, ["worker"]],
  [/^cloudflare:/, ["worker", "limiter"]],
  [/^zod\/mini$/, ["ir", "http", "dialect"]],
  [/^minisearch$/, ["search"]],
  [/^commander$/, ["cli"]],
  [/^diff$/, ["cli", "compile"]],
];

/** Types of the platform, which only these rooms may name. */
const PLATFORM =
  /\b(KVNamespace|DurableObject\w*|ExecutionContext|ExportedHandler|Fetcher|RateLimit(?=\())\b/;
const platformRooms = ["store", "limiter", "worker"];

/** The rooms that run under Node alone. */
const nodeRooms = ["cli"];

interface Source {
  path: string;
  room: string;
  text: string;
  imports: string[];
}

function sourcesBelow(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => sourceAt(join(folder, path)));
}

function sourceAt(path: string, text = readFileSync(join(root, path), "utf8")): Source {
  const imports = [
    ...text.matchAll(
      /^(?:import|export)\s[^;]*?from\s+"([^"]+)";|^import\s+"([^"]+)";|import\("([^"]+)"\)/gm,
    ),
  ];
  return {
    path,
    room: roomOf(path),
    text,
    imports: imports.map((match) => match[1] ?? match[2] ?? match[3] ?? ""),
  };
}

function roomOf(path: string): string {
  const [first = ""] = relative("src", path).split("/");
  return first.replace(/\.ts$/, "");
}

/** Every breach of the rules in a source, one sentence each. */
function breaches({ path, room, text, imports }: Source): string[] {
  const found = imports.flatMap((name) => {
    if (name.startsWith("node:"))
      return nodeRooms.includes(room) ? [] : [`${path} imports ${name}: ${room} runs without Node`];
    if (!name.startsWith(".")) return packageBreach(path, room, name);
    const target = normalize(join(dirname(path), name));
    if (!target.startsWith("src/")) return [`${path} imports ${target}, which is outside src/`];
    return roomBreach(path, room, roomOf(target));
  });
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  if (PLATFORM.test(code) && !platformRooms.includes(room))
    found.push(`${path} names a type of the platform`);
  return found;
}

function packageBreach(path: string, room: string, name: string): string[] {
  const owner = packageRooms.find(([pattern]) => pattern.test(name));
  if (owner === undefined) return [`${path} imports ${name}, which belongs to no room`];
  return owner[1].includes(room)
    ? []
    : [`${path} imports ${name}, which belongs to ${owner[1].join(" and ")}`];
}

function roomBreach(path: string, room: string, target: string): string[] {
  if (room === target) return [];
  const allowed = leafImports[room] ?? [...(rooms[room] ?? []), ...leaves];
  return allowed.includes(target) ? [] : [`${path} imports ${target}, which ${room} may not`];
}

describe("who may import whom", () => {
  const sources = sourcesBelow("src");

  test("every file of src/ keeps to its room", () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap(breaches)).toEqual([]);
  });

  test.each([
    [
      "invoke reaching for the catalog",
      "src/invoke/plan.ts",
      'import { Catalog } from "../catalog/index.ts";',
    ],
    ["a leaf reaching up", "src/schema/validator.ts", 'import { plan } from "../invoke/index.ts";'],
    ["the compiler importing Hono", "src/compile/index.ts", 'import { Hono } from "hono";'],
    ["YAML outside the compiler", "src/catalog/bundle.ts", 'import { parse } from "yaml";'],
    ["Node in the worker", "src/store/keys.ts", 'import { readFile } from "node:fs/promises";'],
    [
      "scripts in the worker",
      "src/http/app.ts",
      'import { readSkills } from "../../scripts/catalog/write.ts";',
    ],
    ["the command line in the worker", "src/worker.ts", 'import { runProgram } from "./cli/program.ts";'],
    [
      "the command line reaching for the gateway",
      "src/cli/program.ts",
      'import { invoke } from "../invoke/index.ts";',
    ],
    ["the command line's parser elsewhere", "src/http/app.ts", 'import { Command } from "commander";'],
    ["a lazy import", "src/limiter/kv.ts", 'const store = await import("../store/index.ts");'],
    ["a platform type in a pure room", "src/invoke/send.ts", "export type Store = KVNamespace;"],
    ["a package that nobody placed", "src/json.ts", 'import { merge } from "lodash";'],
  ])("a breach is found: %s", (_name, path, text) => {
    expect(breaches(sourceAt(path, text))).toHaveLength(1);
  });

  test("the rules know every room and leaf there is", () => {
    const found = new Set(sources.map(({ room }) => room));
    expect([...found].sort()).toEqual(
      [...new Set([...Object.keys(rooms), ...Object.keys(leafImports)])].sort(),
    );
  });
});
