import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ResultPages } from "../../src/invoke/index.ts";
import type { FunctionDefinition } from "../../src/ir.ts";
import type { JsonObject } from "../../src/json.ts";
import { MAX_CIRCUITS } from "../../src/limits.ts";
import { type Loopback, startLoopback } from "./loopback.ts";
import { cacheRule, chain, functionWith, get, parameters, skillWith, step } from "./skills.ts";
import { Surroundings } from "./surroundings.ts";

let upstream: Loopback;

beforeAll(async () => {
  upstream = await startLoopback();
  upstream.answer = ({ path }) =>
    path.startsWith("/down") ? { status: 503 } : { status: path.startsWith("/no") ? 404 : 200, body: path };
});
afterAll(() => upstream.close());

const cached = {
  parameters: parameters({ q: {} }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  cache: cacheRule({ ttlMs: 1_000, scope: "tenant" }),
};

const functions: FunctionDefinition[] = [
  functionWith("kept", get("/kept", ["q"]), cached),
  functionWith("asked", get("/asked", ["q"]), { parameters: parameters({ q: {} }) }),
  functionWith("down", get("/down")),
  functionWith("refused", get("/no")),
  functionWith("computed", { kind: "compute", expression: "q + q" }, { parameters: parameters({ q: {} }) }),
  functionWith("chained", chain([step("a", "computed", { args: { q: '"x"' } }), step("b", "asked")])),
];

/** The memory in use once everything that can be given up has been. */
function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

const CALLS = 10_000;
const WARM_UP = 4_000;

test("calls of every kind, one after the other, leave nothing behind", { timeout: 120_000 }, async () => {
  const skill = skillWith("demo", functions);
  const place = new Surroundings(skill, { baseUrl: upstream.origin });
  const pages = new ResultPages(place.dependencies.now, null);
  let warm = 0;
  let sent = 0;
  for (let index = 0; index < CALLS; index += 1) {
    const name = functions[index % functions.length]?.name ?? "";
    // Each call is one of its own, so that whatever is kept by arguments or by tenant is kept anew.
    const args: JsonObject = ["refused", "down", "chained"].includes(name) ? {} : { q: `${index}` };
    const result = await place.call(skill, name, args, null, `tenant-${index}`);
    expect(result.ok).toBe(name !== "refused" && name !== "down");
    if (name === "computed")
      await pages.first({ tenant: `${index}`, function: name }, "x".repeat(2_000) + index, 1_000);
    place.advance(10);
    sent += upstream.arrivals.length;
    for (const record of [upstream.arrivals, place.admissions, place.releases]) record.length = 0;
    if (index === WARM_UP) warm = heapBytes();
  }
  expect(sent).toBe(Math.ceil((CALLS * 5) / 6));
  expect(place.dependencies.circuits.size).toBeLessThanOrEqual(MAX_CIRCUITS);
  // A thousand bytes of each call would be twice as much.
  expect(heapBytes() - warm).toBeLessThan(((CALLS - WARM_UP) * 1_000) / 2);
});
