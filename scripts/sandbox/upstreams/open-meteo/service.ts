import { Hono } from "hono";
import { perMinute } from "../../rate-limit.ts";
import type { UpstreamSetting } from "../upstream.ts";
import { readQuery } from "./query.ts";
import { meteoAdmission, meteoRefusal } from "./refusals.ts";
import { replyTo, type Service } from "./reply.ts";

/**
 * A service of Open-Meteo's at a path, for one point: lists may be given with commas or by repeating the
 * parameter, coordinates snap to a grid, one offset from GMT holds for the whole reply.
 */
export function meteoService<Sample>(path: string, service: Service<Sample>) {
  return ({ seed, requestsPerMinute, now }: UpstreamSetting): Hono => {
    const app = new Hono();
    app.use("/v1/*", meteoAdmission(perMinute(requestsPerMinute, now)));
    app.get(path, (c) => {
      const asked = readQuery(c, service, now());
      return typeof asked === "string"
        ? meteoRefusal(c, asked)
        : c.json(replyTo(asked, service, seed, now()));
    });
    app.all("/*", (c) => meteoRefusal(c, "Not Found", 404));
    return app;
  };
}
