import type { MiddlewareHandler } from "hono";
import type { Gateway } from "./gateway.ts";
import { replyFailure } from "./replies.ts";
import { REQUEST_ID_HEADER, requestIdFrom } from "./request-id.ts";

/** Gives each request its id, which every reply carries. */
export function requestIds(): MiddlewareHandler {
  return async (context, next) => {
    context.set("requestId", requestIdFrom(context.req.header(REQUEST_ID_HEADER)));
    await next();
  };
}

/** Lets in whom the gate knows, and sets up what that caller sees. */
export function callers(gateway: Gateway): MiddlewareHandler {
  return async (context, next) => {
    const caller = await gateway.identify(context.req.header("Authorization") ?? null);
    if (!caller.ok) return replyFailure(context, caller.failure);
    context.set("caller", caller.value);
    context.set("catalog", gateway.catalogFor(caller.value));
    await next();
    return;
  };
}
