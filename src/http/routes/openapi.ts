import { Hono } from "hono/tiny";
import type { Gateway } from "../gateway.ts";
import { replyTagged } from "../replies.ts";

/** `GET /openapi.json`: made at build time. */
export function openApiRoutes({ bundled }: Gateway): Hono {
  return new Hono().get("/openapi.json", (context) => replyTagged(context, bundled.bundle.openapi));
}
