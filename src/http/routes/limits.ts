import { Hono } from "hono/tiny";
import { callableFunctions, type ListedRecord } from "../../catalog/index.ts";
import { type CallLimitState, listLimits } from "../../invoke/index.ts";
import { timeZoneOf, windowNameOf } from "../../vocabulary.ts";
import { budgetOf } from "../calling/budget.ts";
import type { Gateway } from "../gateway.ts";
import { policyName } from "../rate-limit-fields.ts";
import { replyFailure, replyJson } from "../replies.ts";

/** `GET /v1/limits`: the limits of the caller's key, and of all functions that it sees. */
export function limitRoutes(gateway: Gateway): Hono {
  return new Hono().get("/v1/limits", async (context) => {
    const { caller, catalog } = context.var;
    const records = await catalog.records();
    if (!records.ok) return replyFailure(context, records.failure);
    const functions = records.value.flatMap(functionsOf);
    const { limits, unlisted } = await listLimits(budgetOf(caller), functions, gateway.invocation);
    return replyJson(context, { limits: limits.map(describeLimit), unlisted });
  });
}

function functionsOf({ record: { skill }, functions }: ListedRecord) {
  return callableFunctions(skill)
    .filter(({ name }) => functions.has(name))
    .map((definition) => ({ skill, definition }));
}

function describeLimit({ limit, used, left, resetMs }: CallLimitState) {
  const window = windowNameOf(limit.window);
  return {
    name: policyName(limit),
    label: limit.label,
    window,
    time_zone: window === "day" ? timeZoneOf(limit.window) : null,
    max: limit.max,
    used,
    left,
    reset_ms: resetMs,
  };
}
