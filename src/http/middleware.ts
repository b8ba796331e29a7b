import type { MiddlewareHandler } from "hono";
import type { Gateway } from "./gateway.ts";
import { replyFailure } from "./replies.ts";

/** The caller's own request id where it is a sane one, otherwise a new one; every reply carries it. */
export function requestIds(): MiddlewareHandler {
  return async (context, next) => {
    const given = context.req.header("X-Request-ID") ?? "";
    const requestId = /^[A-Za-z0-9._:-]{8,128}$/.test(given) ? given : crypto.randomUUID();
    context.set("requestId", requestId);
    context.header("X-Request-ID", requestId);
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
