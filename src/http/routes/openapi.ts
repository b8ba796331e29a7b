import { Hono } from "hono/tiny";
import type { Gateway } from "../gateway.ts";
import { replyTagged } from "../replies.ts";

/** `GET /openapi.json`: made at build time. */
export function openApiRoutes({ bundled }: Gateway): Hono {
  const { body, etag } = bundled.bundle.openapi;
  return new Hono().get("/openapi.json", (context) => replyTagged(context, body, etag));
}
