import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { FailureCode } from "../../src/errors.ts";
import type { JsonObject } from "../../src/json.ts";
import { CALL_DEADLINE_MS, CIRCUIT_FAILURES } from "../../src/limits.ts";
import { ask, call, objectOf } from "./ask.ts";
import { letPass } from "./clock.ts";
import { arrivals, calm, order, put } from "./upstream.ts";

const RATES = "/frankfurter/v1/latest";
const ORDERS = "/frankfurter/v1/orders";

/** A bundled skill's upstream, as an upload may name it; it takes no key, so that nothing limits the calls. */
const upstream = { base_url: "https://api.frankfurter.dev/v1", base_url_variable: "FRANKFURTER_BASE_URL" };
const response = {
  success: "status == 200 && (has(body.base) || body.code == 0)",
  error: { code: "body.code" },
};

const error_handling = {
  retryable_codes: [3001, 5000],
  non_retryable_codes: [2002],
  max_retries: 1,
  backoff_strategy: "fixed",
  base_delay: "10ms",
};
const constraints = { rate_limit: { global: { error_code: 3001 } }, error_handling };

function orders(name: string, more: JsonObject = {}): JsonObject {
  const parameters = { type: "object", properties: { a: { type: "integer" } } };
  const request = { method: "POST", path: "/orders" };
  return { name, description: "Places an order, as far as it goes.", parameters, request, response, ...more };
}

const rates = {
  description: "Gives rates as they come.",
  parameters: { type: "object", properties: { from: { type: "string" } } },
  request: { method: "GET", path: "/latest" },
  response,
};

beforeAll(async () => {
  await put("faults", {
    upstream: { ...upstream, timeout: "300ms" },
    constraints,
    functions: [
      { name: "plain_rates", ...rates },
      orders("place_order"),
      orders("place_order_again", { annotations: { idempotent: true } }),
    ],
  });
  await put("patience", {
    upstream,
    constraints: { ...constraints, error_handling: { ...error_handling, max_retries: 5 } },
    functions: [{ name: "patient_rates", ...rates }],
  });
});
afterAll(async () => {
  await calm();
  for (const name of ["faults", "patience"]) await ask(`/v1/skills/${name}`, { method: "DELETE" });
});
beforeEach(async () => {
  await calm();
  // Whatever an upstream has asked to wait for.
  letPass(30_000);
  // An answer closes the circuit that the tests before may have opened.
  if ((await call("plain_rates", EURO)).status === 200) await calm();
});

const EURO = { from: "EUR" };
const SELF = `${inject("sandboxUrl")}${RATES}`;

/** Ordered of the upstream, what becomes of the call, and requests that arrive. */
const faults: [string, FailureCode | "success", number][] = [
  ["delay=50", "success", 1],
  ["delay=600000", "UPSTREAM_TIMEOUT", 2],
  ["delay=600000,times=1", "success", 2],
  ["drop", "UPSTREAM_UNAVAILABLE", 2],
  ["drop,times=1", "success", 2],
  ["drip=600000", "UPSTREAM_TIMEOUT", 2],
  ["cut", "UPSTREAM_UNAVAILABLE", 2],
  ["cut,times=1", "success", 2],
  ["content-type=text/html", "success", 1],
  ["content-type=text/csv", "UPSTREAM_UNPARSABLE", 1],
  ["content-type=image/png", "UPSTREAM_UNPARSABLE", 1],
  ["retry-after=30", "success", 1],
  ["status=429,retry-after=0,times=1", "success", 2],
  ["status=429,retry-after=30", "UPSTREAM_RATE_LIMITED", 1],
  ["status=429,retry-after=Wed%2C 21 Oct 2026 07:28:00 GMT,times=1", "success", 2],
  ["status=503,retry-after=soon,times=1", "success", 2],
  ["code=3001", "UPSTREAM_RATE_LIMITED", 2],
  ["code=5000", "UPSTREAM_UNAVAILABLE", 2],
  ["code=2002", "UPSTREAM_REJECTED", 1],
  ["code=9999", "UPSTREAM_REJECTED", 1],
  [`redirect=${SELF}?from=USD,times=1`, "success", 2],
  [`redirect=${SELF}`, "UPSTREAM_UNPARSABLE", 4],
  ["redirect=http://10.0.0.1/v1", "EGRESS_DENIED", 1],
  ["redirect=file:///etc/hosts", "EGRESS_DENIED", 1],
  ["empty", "UPSTREAM_UNPARSABLE", 1],
  ["huge=2097152", "success", 1],
  ["huge=2097153", "UPSTREAM_TOO_LARGE", 1],
  ["status=204", "UPSTREAM_REJECTED", 1],
  ["status=400", "UPSTREAM_REJECTED", 1],
  ["status=401", "UPSTREAM_REJECTED", 1],
  ["status=404", "UPSTREAM_REJECTED", 1],
  ["status=408", "UPSTREAM_UNAVAILABLE", 2],
  ["status=500", "UPSTREAM_UNAVAILABLE", 2],
  ["status=503", "UPSTREAM_UNAVAILABLE", 2],
  ["status=503,times=1", "success", 2],
];

describe("a call over HTTP of an upstream with the fault", () => {
  test.each(faults)("%s is %s after %d requests", async (fault, code, count) => {
    await order(RATES, fault);
    const { status, json } = await call("plain_rates", EURO);
    expect(status === 200 ? "success" : objectOf(json).error_code).toBe(code);
    expect((await arrivals()).map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: count }, () => `GET ${RATES}`),
    );
  });
});

describe("a POST over HTTP", () => {
  const faulty: [string, FailureCode][] = [
    ["delay=600000", "UPSTREAM_TIMEOUT"],
    ["drop", "UPSTREAM_UNAVAILABLE"],
    ["cut", "UPSTREAM_UNAVAILABLE"],
    ["drip=600000", "UPSTREAM_TIMEOUT"],
    ["status=429,retry-after=0", "UPSTREAM_RATE_LIMITED"],
    ["status=503,retry-after=0", "UPSTREAM_UNAVAILABLE"],
    ["code=5000", "UPSTREAM_UNAVAILABLE"],
    ["redirect=http://10.0.0.1/v1", "EGRESS_DENIED"],
  ];

  test.each(faulty)("is one request where the upstream has the fault %s: %s", async (fault, code) => {
    await order(ORDERS, fault);
    const { json } = await call("place_order", { a: 1 });
    expect(objectOf(json).error_code).toBe(code);
    expect((await arrivals()).map(({ method }) => method)).toEqual(["POST"]);
  });

  test("is made once more where the skill declares that this does no harm", async () => {
    await order(ORDERS, "status=503");
    await call("place_order_again", { a: 1 });
    expect((await arrivals()).map(({ method }) => method)).toEqual(["POST", "POST"]);
  });
});

describe("an upstream that stays down", () => {
  test("is asked no more for a pause, which the refusal tells, while other skills' calls go there still", async () => {
    await order(RATES, "status=503");
    for (let count = 0; count < CIRCUIT_FAILURES; count += 2) await call("plain_rates", EURO);
    expect(await arrivals()).toHaveLength(CIRCUIT_FAILURES);
    const { status, headers, json } = await call("plain_rates", EURO);
    expect([status, Number(headers.get("retry-after"))]).toEqual([503, 5]);
    expect(json).toMatchObject({
      error_code: "UPSTREAM_UNAVAILABLE",
      retryable: true,
      hint: expect.stringMatching(/^Call again after 5 seconds\./),
    });
    await calm();
    expect((await call("plain_rates", EURO)).status).toBe(503);
    expect(await arrivals()).toEqual([]);
    expect((await call("list_currencies", {})).status).toBe(200);
  });
});

describe("the deadline of a call", () => {
  test("ends it with all its tries, within a tenth of its time", {
    timeout: 2 * CALL_DEADLINE_MS,
  }, async () => {
    await order(RATES, "delay=600000");
    const started = Date.now();
    const { json } = await call("patient_rates", EURO);
    const took = Date.now() - started;
    expect(objectOf(json).error_code).toBe("UPSTREAM_TIMEOUT");
    expect(took).toBeGreaterThanOrEqual(CALL_DEADLINE_MS - 100);
    expect(took).toBeLessThan(1.1 * CALL_DEADLINE_MS);
    expect(await arrivals()).toHaveLength(3);
  });
});
