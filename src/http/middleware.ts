import type { MiddlewareHandler } from "hono";
import { missingScope } from "../access/index.ts";
import type { Gateway } from "./gateway.ts";
import { replyFailure } from "./replies.ts";
import { REQUEST_ID_HEADER, requestIdFrom } from "./request-id.ts";
import { routeScope } from "./scopes.ts";

/** Gives each request its id, which every reply carries. */
export function requestIds(): MiddlewareHandler {
  return async (context, next) => {
    context.set("requestId", requestIdFrom(context.req.header(REQUEST_ID_HEADER)));
    await next();
  };
}

const OPEN_BY_ADDRESS =
  "This gateway asks for no key, so it answers only by its IP address or as localhost, and to no web page.";

/**
 * Whether a host is no name that a web page's owner could point at this machine (DNS rebinding), with the browser
 * of whoever runs an open gateway as the caller.
 */
function isAddress(hostname: string): boolean {
  return (
    /^(.+\.)?localhost$/.test(hostname) || hostname.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/**
 * Whether a request may come from a web page: by a name that a page's owner could have made up, or because a browser
 * says that it is from another origin. An open gateway serves no pages' scripts.
 */
function isForPages(requested: string, origin: string | undefined): boolean {
  const url = new URL(requested);
  // Hosts, not schemes: a proxy may speak TLS in front of the gateway.
  return !isAddress(url.hostname) || (origin !== undefined && URL.parse(origin)?.host !== url.host);
}

/** Lets in whom the gate knows, and sets up what that caller sees. */
export function callers(gateway: Gateway): MiddlewareHandler {
  return async (context, next) => {
    if (gateway.open && isForPages(context.req.url, context.req.header("Origin"))) {
      return replyFailure(context, { code: "FORBIDDEN", message: OPEN_BY_ADDRESS });
    }
    const caller = await gateway.identify(context.req.header("Authorization") ?? null);
    if (!caller.ok) return replyFailure(context, caller.failure);
    context.set("caller", caller.value);
    context.set("catalog", gateway.catalogFor(caller.value));
    await next();
    return;
  };
}

/**
 * Lets callers do what their keys are for. A route that the table of scopes does not have is as one that is not there,
 * so that none is ever open because somebody forgot to close it.
 */
export function scopes(): MiddlewareHandler {
  return async (context, next) => {
    const { method, path } = context.req;
    const scope = routeScope(method, path);
    if (scope === undefined) return replyFailure(context, { code: "UNKNOWN_ROUTE", method, path });
    const refusal = scope === null ? null : missingScope(context.var.caller, scope);
    if (refusal !== null) return replyFailure(context, refusal);
    return next();
  };
}
