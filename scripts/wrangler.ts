import { join } from "node:path";
import { sandboxVariables } from "./sandbox/upstreams/index.ts";

/** wrangler's own entry; run with the project's Node. */
export const wranglerEntry = join(import.meta.dirname, "../node_modules/wrangler/bin/wrangler.js");

/** Makes wrangler look nothing up, report and trace nothing, so that an offline run has nothing to warn of. */
export const quietWrangler = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  // It would keep the address of every request to an upstream, with the key that may be in its query.
  X_LOCAL_OBSERVABILITY: "false",
};

/** Encrypts the secrets that somebody sets on this machine alone, so it need not be one itself. */
const LOCAL_SECRETS_KEY = Buffer.from("for this machine and nobody else").toString("base64");

/** What the worker needs to run on this machine alone, against a sandbox: nobody else can connect, so it asks for no key. */
export function localVariables(upstreamUrl: string, upstreamKey: string): Record<string, string> {
  return {
    OPEN_ACCESS: "true",
    EGRESS_ALLOW: "*,loopback",
    SECRETS_KEY: LOCAL_SECRETS_KEY,
    ...sandboxVariables(upstreamUrl, upstreamKey),
  };
}
