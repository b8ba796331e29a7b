import { Hono } from "hono/tiny";
import type { Gateway } from "./gateway.ts";
import { callers, requestIds, scopes } from "./middleware.ts";
import { replyFailure } from "./replies.ts";
import { callRoutes } from "./routes/calls.ts";
import { fileRoutes } from "./routes/files.ts";
import { healthRoutes } from "./routes/health.ts";
import { invokeRoutes } from "./routes/invoke.ts";
import { keyRoutes, rotationRoutes } from "./routes/keys.ts";
import { limitRoutes } from "./routes/limits.ts";
import { openApiRoutes } from "./routes/openapi.ts";
import { ownSkillRoutes } from "./routes/own-skills.ts";
import { promptRoutes } from "./routes/prompt.ts";
import { secretRoutes } from "./routes/secrets.ts";
import { skillRoutes } from "./routes/skills.ts";
import { toolRoutes } from "./routes/tools.ts";
import { versionRoutes } from "./routes/versions.ts";

/** The HTTP interface. Only `/health` answers without a key. */
export function createApp(gateway: Gateway): Hono {
  const app = new Hono();
  app.use(requestIds());
  app.route("/", healthRoutes(gateway));
  app.use(callers(gateway));
  app.use(scopes());
  app.route("/", openApiRoutes(gateway));
  app.route("/", skillRoutes(gateway));
  app.route("/", ownSkillRoutes(gateway));
  app.route("/", versionRoutes(gateway));
  app.route("/", fileRoutes(gateway));
  app.route("/", toolRoutes(gateway));
  app.route("/", promptRoutes(gateway));
  app.route("/", invokeRoutes(gateway));
  app.route("/", callRoutes(gateway));
  app.route("/", limitRoutes(gateway));
  app.route("/", keyRoutes(gateway));
  app.route("/", rotationRoutes(gateway));
  app.route("/", secretRoutes(gateway));
  app.notFound((context) =>
    replyFailure(context, { code: "UNKNOWN_ROUTE", method: context.req.method, path: context.req.path }),
  );
  app.onError((error, context) => {
    const detail = error.stack ?? error.message;
    gateway.log({ level: "error", event: "unexpected-fault", request_id: context.var.requestId, detail });
    return replyFailure(context, { code: "INTERNAL" });
  });
  return app;
}
