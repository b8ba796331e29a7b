import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import { controlRoutes } from "./control.ts";
import { createFaultBoard, injectFaults } from "./faults/board.ts";
import { createMarket } from "./market/market.ts";
import { nodeListener } from "./node-adapter.ts";
import { createRequestLog, type ReceivedRequests, type RequestLog, recordRequests } from "./request-log.ts";
import { tokenRoutes } from "./tokens.ts";
import { type UpstreamSetting, upstreams } from "./upstreams/index.ts";

export interface SandboxOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  host?: string;
  /** The one key that upstreams accept. */
  apiKey?: string;
  /** What `POST /oauth2/token` gives. */
  accessToken?: string;
  /** Limit of each upstream on each key; 0, the default, means none. */
  requestsPerMinute?: number;
  /** The same seed makes the same market, weather, rates and posts. */
  seed?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export interface Sandbox {
  /** Without a slash at the end. */
  url: string;
  port: number;
  /** What was received; the routes of the sandbox itself do not count. */
  requests(): ReceivedRequests;
  /** Ends every connection, also those in the middle of a reply. */
  close(): Promise<void>;
}

export const DEFAULT_API_KEY = "sandbox-key";
const DEFAULT_TOKEN = "sandbox-token";

/** Enough for any test and for a look at the tail of a benchmark. */
const KEPT_REQUESTS = 1000;

/** Longer than clients keep idle connections, so that none is closed under a request that is on its way. */
const KEEP_ALIVE_MS = 120_000;

/** Starts the sandbox; the promise is rejected where it cannot listen. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = "127.0.0.1", seed = 1, now = Date.now } = options;
  const { apiKey = DEFAULT_API_KEY, accessToken = DEFAULT_TOKEN, requestsPerMinute = 0 } = options;
  const log = createRequestLog(KEPT_REQUESTS);
  const setting = { market: createMarket(seed), seed, apiKey, requestsPerMinute, now };
  const app = createApp(log, setting, accessToken);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, nodeListener(app.fetch));
  const address = await listen(server, port, host);
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    requests: log.read,
    close: () => close(server),
  };
}

function createApp(log: RequestLog, setting: UpstreamSetting, accessToken: string): Hono {
  const board = createFaultBoard();
  const app = new Hono();
  app.route("/__sandbox", controlRoutes(board, log));
  app.use(recordRequests(log, setting.now), injectFaults(board));
  app.route("/oauth2", tokenRoutes(accessToken));
  for (const { basePath, create } of upstreams) app.route(basePath, create(setting));
  app.notFound((c) =>
    c.json({ code: 404, message: `There is no ${c.req.method} ${c.req.path}`, data: null }, 404),
  );
  return app;
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address);
      else reject(new Error(`No address to listen on at ${host}:${port}`));
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
