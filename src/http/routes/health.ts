import { Hono } from "hono/tiny";
import type { Gateway } from "../gateway.ts";
import { replyJson } from "../replies.ts";

/** `GET /health`: needs no key and touches no store. */
export function healthRoutes(gateway: Gateway): Hono {
  const { version, bundled, stores, faults, open, setup } = gateway;
  return new Hono().get("/health", (context) =>
    replyJson(context, { status: "ok", version, catalog: bundled.bundle.hash, stores, faults, open, setup }),
  );
}
