import { type Context, Hono } from "hono";

/** How long a token is said to hold, in seconds. */
const LIFETIME_SECONDS = 3_600;

/** A token endpoint (RFC 6749, section 4.4): whoever shows a client's secret gets the one token that there is. */
export function tokenRoutes(accessToken: string): Hono {
  const app = new Hono();
  app.post("/token", async (c) => {
    const form = new URLSearchParams(await c.req.text());
    if (form.get("grant_type") !== "client_credentials") return refused(c, 400, "unsupported_grant_type");
    if (!hasSecret(c.req.header("Authorization"), form)) return refused(c, 401, "invalid_client");
    return c.json({ access_token: accessToken, token_type: "Bearer", expires_in: LIFETIME_SECONDS });
  });
  return app;
}

function hasSecret(authorization: string | undefined, form: URLSearchParams): boolean {
  return authorization?.startsWith("Basic ") === true || form.has("client_secret");
}

function refused(c: Context, status: 400 | 401, error: string): Response {
  return c.json({ error }, status);
}
