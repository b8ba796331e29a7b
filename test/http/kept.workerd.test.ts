import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { ask, call, listOf, objectOf, type Reply } from "./ask.ts";
import { arrivals, calm, order, put } from "./upstream.ts";

const CURRENCIES = "/frankfurter/v1/currencies";
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const upstream = {
  base_url: "https://api.frankfurter.dev/v1",
  base_url_variable: "FRANKFURTER_BASE_URL",
  response: { error: { code: "string(status)" } },
};

function skillWith(cache: JsonObject, description = "Names currencies.", path = "/currencies"): JsonObject {
  const parameters = { type: "object", properties: { note: { type: "string", "x-in": "header" } } };
  const request = { method: "GET", path };
  return {
    upstream,
    constraints: { error_handling: { codes: { 404: "not_found" }, max_retries: 0 } },
    functions: [{ name: "kept_names", description, cache, parameters, request }],
  };
}

/** Asks under a name of its own, so that no test is given another's results. */
let note = 0;
const askForNames = () => call("kept_names", { note: `${note}` });

/** The meta of a result that is a call's in part, its Age, and what was sent upstream so far. */
async function seen({ status, json, headers }: Reply) {
  const { cached, stale, age_ms, attempts } = objectOf(objectOf(json).meta ?? json);
  return {
    status,
    said: { cached, stale, age_ms, attempts },
    age: headers.get("age"),
    sent: (await arrivals()).length,
  };
}

/** Lets time pass for the worker, whose clock is this one. */
function advance(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

/** Waits for what goes on behind a reply; the timers are real. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 500 && !(await holds()); attempt += 1)
    await new Promise((wake) => setTimeout(wake, 10));
}

async function replace(protocol: JsonObject): Promise<void> {
  await ask("/v1/skills/kept-names", { method: "DELETE" });
  await put("kept-names", protocol);
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterAll(async () => {
  vi.useRealTimers();
  await calm();
  await ask("/v1/skills/kept-names", { method: "DELETE" });
});
beforeEach(async () => {
  await calm();
  note += 1;
});

const FRESH = { cached: false, stale: false, age_ms: 0, attempts: 1 };
const kept = (age_ms: number) => ({ cached: true, stale: false, age_ms, attempts: 0 });
const stale = (age_ms: number) => ({ cached: true, stale: true, age_ms, attempts: 0 });

describe("a result that is kept for a minute, and ten more while it is made anew", () => {
  beforeAll(() => replace(skillWith({ ttl: "1m", stale_while_revalidate: "10m" })));

  test("is fresh, then stale with its age and made anew behind the reply, then fresh again", async () => {
    expect(await seen(await askForNames())).toEqual({ status: 200, said: FRESH, age: null, sent: 1 });
    advance(59 * SECOND);
    const first = await askForNames();
    expect(await seen(first)).toEqual({ status: 200, said: kept(59 * SECOND), age: "59", sent: 1 });
    advance(SECOND);
    expect((await seen(await askForNames())).said).toEqual(stale(MINUTE));
    await until(async () => (await seen(await askForNames())).said.stale === false);
    expect(await seen(await askForNames())).toEqual({ status: 200, said: kept(0), age: "0", sent: 2 });
    expect(objectOf((await askForNames()).json).data).toEqual(objectOf(first.json).data);
  });

  test("stays, and the log says so, where it could not be made anew; and ends", async () => {
    const logged = vi.spyOn(console, "warn").mockImplementation(() => {});
    await askForNames();
    await order(CURRENCIES, "status=500");
    advance(MINUTE);
    expect(await seen(await askForNames())).toMatchObject({ status: 200, said: stale(MINUTE), age: "60" });
    await until(() => logged.mock.calls.length > 0);
    const line = JSON.parse(String(logged.mock.calls[0]?.[0]));
    logged.mockRestore();
    expect(line).toMatchObject({
      level: "warning",
      event: "refresh-fault",
      skill: "kept-names",
      function: "kept_names",
      error_code: "UPSTREAM_UNAVAILABLE",
      request_id: expect.any(String),
    });
    const before = (await arrivals()).length;
    expect((await seen(await askForNames())).said).toEqual(stale(MINUTE));
    expect(await arrivals()).toHaveLength(before);
    advance(10 * MINUTE);
    expect(await askForNames()).toMatchObject({ status: 503 });
  });

  test("is gone when the skill's document changes, and is there again with the document", async () => {
    const protocol = skillWith({ ttl: "1m", stale_while_revalidate: "10m" });
    await askForNames();
    await replace({ ...protocol, ...skillWith({ ttl: "1m" }, "Names all currencies.") });
    expect(await seen(await askForNames())).toMatchObject({ said: FRESH, sent: 2 });
    await replace(protocol);
    expect(await seen(await askForNames())).toMatchObject({ said: { cached: true }, sent: 2 });
  });
});

describe("a result that is kept for a minute, and ten more for when the upstream is down", () => {
  beforeAll(() => replace(skillWith({ ttl: "1m", stale_if_error: "10m" })));

  test("is asked for anew after its minute, and given where that fails", async () => {
    await askForNames();
    await order(CURRENCIES, "status=500");
    advance(MINUTE);
    expect(await seen(await askForNames())).toMatchObject({ status: 200, said: stale(MINUTE), age: "60" });
    await calm();
    advance(MINUTE);
    expect(await seen(await askForNames())).toEqual({ status: 200, said: FRESH, age: null, sent: 1 });
  });

  test("is the same for whoever takes it whole, by the page or as a model", async () => {
    await replace(skillWith({ ttl: "1m" }, "Gives rates.", "/2026-01-01..2026-02-28"));
    const { json } = await askForNames();
    const { data } = objectOf(json);
    expect(objectOf((await askForNames()).json).data).toEqual(data);
    const page = await call("kept_names", { note: `${note}` }, "?max_chars=1000");
    expect(JSON.stringify(data).startsWith(String(objectOf(page.json).data))).toBe(true);
    const { json: answer } = await ask("/v1/calls", {
      method: "POST",
      body: JSON.stringify({
        format: "anthropic",
        message: [{ type: "tool_use", id: "1", name: "kept_names", input: { note: `${note}` } }],
      }),
    });
    expect(answer).toMatchObject({ calls: [{ meta: { cached: true, stale: false, age_ms: 0 } }] });
    expect(JSON.stringify(answer)).toContain("USD");
    expect(await arrivals()).toHaveLength(1);
  });

  test("says to a model that it is stale, and nothing of its age while it is fresh", async () => {
    await replace(skillWith({ ttl: "1m", stale_if_error: "10m" }));
    const message = [{ type: "tool_use", id: "1", name: "kept_names", input: { note: `${note}` } }];
    const body = JSON.stringify({ format: "anthropic", message });
    const answered = async () => {
      const { json } = await ask("/v1/calls", { method: "POST", body });
      const [answer] = listOf(objectOf(json).messages);
      const [result] = listOf(objectOf(answer).content);
      return Object.keys(JSON.parse(String(objectOf(result).content)));
    };
    expect(await answered()).toEqual(["data"]);
    expect(await answered()).toEqual(["data"]);
    await order(CURRENCIES, "status=500");
    advance(MINUTE);
    expect(await answered()).toEqual(["data", "stale", "age_ms"]);
  });
});

describe("a failure that the function keeps", () => {
  beforeAll(() => replace(skillWith({ ttl: "1m", failures: { not_found: "30s" } })));

  test("is given again with its age for so long, as the upstream gave it", async () => {
    await order(CURRENCIES, "status=404");
    const first = await askForNames();
    expect(first).toMatchObject({
      status: 502,
      json: { cached: false, age_ms: 0, upstream: { status: 404 } },
    });
    expect(first.headers.get("age")).toBeNull();
    advance(29_999);
    const again = await askForNames();
    expect(again).toMatchObject({
      status: 502,
      json: { ...objectOf(first.json), request_id: expect.any(String), cached: true, age_ms: 29_999 },
    });
    expect(again.headers.get("age")).toBe("29");
    advance(1);
    await calm();
    expect(await seen(await askForNames())).toMatchObject({ status: 200, said: FRESH, sent: 1 });
  });

  test("is no failure of another kind", async () => {
    await order(CURRENCIES, "status=400");
    await askForNames();
    expect(await askForNames()).toMatchObject({ status: 502, json: { cached: false } });
    expect(await arrivals()).toHaveLength(2);
  });
});
