/// <reference types="@cloudflare/vitest-plugin/types" />
import { createExecutionContext, reset, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { type ClosureFault, Closures } from "../../src/limiter/closures.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      STORE: KVNamespace;
    }
  }
}

const BUCKET = `upstream:行情.example:${"K".repeat(300)}`;

afterEach(() => reset());

test("a bucket that one isolate closes is closed to another one, by the KV of workerd", async () => {
  const context = createExecutionContext();
  const faults: ClosureFault[] = [];
  const isolate = (): Closures =>
    new Closures({
      store: env.STORE,
      now: () => 1_000_000,
      waitUntil: (work) => context.waitUntil(work),
      report: (fault) => faults.push(fault),
    });
  isolate().close(BUCKET, 30_000);
  await waitOnExecutionContext(context);
  const other = isolate();
  expect(other.closedFor(BUCKET)).toBe(0);
  await waitOnExecutionContext(context);
  expect(other.closedFor(BUCKET)).toBe(30_000);
  expect(faults).toEqual([]);
});
