import { Hono } from "hono/tiny";
import type { Caller } from "../../access/index.ts";
import { callableFunctions, type ListedRecord } from "../../catalog/index.ts";
import { type CallLimitState, type ListedFunctions, listLimits } from "../../invoke/index.ts";
import { timeZoneOf, windowNameOf } from "../../vocabulary.ts";
import { budgetOf } from "../calling/budget.ts";
import { uploadedBy } from "../calling/functions.ts";
import type { Gateway } from "../gateway.ts";
import { policyName } from "../rate-limit-fields.ts";
import { replyFailure, replyJson } from "../replies.ts";

/** `GET /v1/limits`: the limits of the caller's key, and of all functions that it sees. */
export function limitRoutes(gateway: Gateway): Hono {
  return new Hono().get("/v1/limits", async (context) => {
    const { caller, catalog } = context.var;
    const records = await catalog.records();
    if (!records.ok) return replyFailure(context, records.failure);
    const skills = records.value.map((record) => listedOf(record, caller, gateway));
    const listed = await listLimits(budgetOf(caller), skills, gateway.invocation);
    if (!listed.ok) return replyFailure(context, listed.failure);
    const { limits, unlisted } = listed.value;
    return replyJson(context, { limits: limits.map(describeLimit), unlisted });
  });
}

function listedOf(listed: ListedRecord, caller: Caller, gateway: Gateway): ListedFunctions {
  const { skill } = listed.record;
  const functions = callableFunctions(skill).filter(({ name }) => listed.functions.has(name));
  return { skill, uploaded: uploadedBy(listed, caller, gateway), functions };
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
