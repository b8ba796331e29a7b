import type { MiddlewareHandler } from "hono";
import { tenantRefusal } from "../access/index.ts";
import { replyFailure } from "./replies.ts";

/** Finds out which tenant a request is about: the one that its query names, or else the caller's own. */
export function administering(): MiddlewareHandler {
  return async (context, next) => {
    const { caller } = context.var;
    const tenant = context.req.query("tenant") ?? caller.tenant;
    const refusal = tenantRefusal(caller, tenant);
    if (refusal !== null) return replyFailure(context, refusal);
    context.set("tenant", tenant);
    return next();
  };
}
