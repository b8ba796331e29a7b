import { type Context, Hono } from "hono";
import { z } from "zod";
import type { FaultBoard } from "./faults/board.ts";
import { parseFaults } from "./faults/orders.ts";
import type { RequestLog } from "./request-log.ts";

const faultOrder = z.strictObject({ path: z.string().startsWith("/"), fault: z.string() });

/**
 * What a test or an operator asks of the sandbox itself; no upstream has these paths.
 *
 * - `PUT /faults` `{path, fault}`: every request for exactly this path has the fault, replacing an earlier one.
 * - `DELETE /faults`: no faults any more.
 * - `GET /requests`: what was received. `DELETE /requests`: forget it.
 */
export function controlRoutes(board: FaultBoard, log: RequestLog): Hono {
  const app = new Hono();
  app.put("/faults", async (c) => {
    const order = faultOrder.safeParse(parseJson(await c.req.text()));
    if (!order.success) return refused(c, z.prettifyError(order.error));
    const parsed = parseFaults(order.data.fault);
    if (!parsed.ok) return refused(c, parsed.error);
    board.set(order.data.path, parsed.plan);
    return c.body(null, 204);
  });
  app.delete("/faults", (c) => {
    board.clear();
    return c.body(null, 204);
  });
  app.get("/requests", (c) => c.json(log.read()));
  app.delete("/requests", (c) => {
    log.clear();
    return c.body(null, 204);
  });
  return app;
}

function refused(c: Context, message: string): Response {
  return c.json({ code: 400, message, data: null }, 400);
}

/** The value of a JSON text; undefined, which no schema accepts, where it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
