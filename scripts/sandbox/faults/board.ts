import type { MiddlewareHandler } from "hono";
import { type FaultPlan, parseFaults, runFaults } from "./orders.ts";

/** The faults ordered beforehand for a path, and how often each order was served. */
export interface FaultBoard {
  /** Every request for the path has the fault until it is cleared or was served as often as it says. */
  set(path: string, plan: FaultPlan): void;
  /** Also forgets how often orders were served. */
  clear(): void;
  forPath(path: string): FaultPlan | undefined;
  /** Counts a request of an order; false once it was served as often as it says. */
  serve(order: string, plan: FaultPlan): boolean;
}

/** Orders remembered at a time; a test has a handful. */
const MAX_ORDERS = 1000;

export function createFaultBoard(): FaultBoard {
  const plans = new Map<string, FaultPlan>();
  const served = new Map<string, number>();
  return {
    set: (path, plan) => {
      served.delete(path);
      setNewest(plans, path, plan);
    },
    clear: () => {
      plans.clear();
      served.clear();
    },
    forPath: (path) => plans.get(path),
    serve: (order, { times }) => {
      const count = (served.get(order) ?? 0) + 1;
      setNewest(served, order, count);
      return count <= times;
    },
  };
}

/**
 * Gives a request the fault that it orders itself, by the header `X-Sandbox-Fault` or the query parameter
 * `sandbox_fault`, else the one ordered for its path. An order that is not understood is answered with 400.
 */
export function injectFaults(board: FaultBoard): MiddlewareHandler {
  return async (c, next) => {
    const own = c.req.header("X-Sandbox-Fault") ?? c.req.query("sandbox_fault");
    const parsed = own === undefined ? null : parseFaults(own);
    if (parsed?.ok === false) return c.json({ code: 400, message: parsed.error, data: null }, 400);
    const plan = parsed?.plan ?? board.forPath(c.req.path);
    const order = own === undefined ? c.req.path : `${c.req.method} ${c.req.url} ${own}`;
    if (plan === undefined || !board.serve(order, plan)) await next();
    else await runFaults(plan.steps, c, next);
    return undefined;
  };
}

function setNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_ORDERS && oldest !== undefined) map.delete(oldest);
}
