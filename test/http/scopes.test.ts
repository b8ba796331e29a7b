import { describe, expect, test } from "vitest";
import { type Caller, OPERATOR } from "../../src/access/index.ts";
import { success } from "../../src/errors.ts";
import { createApp, openApiDocument } from "../../src/http/index.ts";
import type { JsonObject } from "../../src/json.ts";
import { scopeNames } from "../../src/vocabulary.ts";
import { Place } from "../store/place.ts";
import { member } from "./description.ts";
import { gatewayOver } from "./gateway.ts";

interface Route {
  method: string;
  path: string;
  /** Null where any key will do. */
  scope: string | null;
}

/** What the description says of every route that needs a key. */
const routes: Route[] = Object.entries(objectOf(openApiDocument("1.2.3").paths)).flatMap(([path, item]) =>
  Object.entries(objectOf(item)).flatMap(([method, operation]) => {
    const security = member(operation, "security");
    if (Array.isArray(security) && security.length === 0) return [];
    const [asked] = Array.isArray(security) ? security : [];
    const scopes = member(asked, "key");
    const [scope = null] = Array.isArray(scopes) ? scopes : [];
    return [{ method: method.toUpperCase(), path, scope: scope === null ? null : String(scope) }];
  }),
);

function objectOf(value: unknown): JsonObject {
  if (typeof value !== "object" || value === null) throw new Error("not an object");
  return value as JsonObject;
}

/** What a route answers to the holder of these scopes; its placeholders are filled with something. */
async function ask({ method, path }: Route, scopes: string[]) {
  const caller: Caller = { ...OPERATOR, tenant: "t", key: { id: "1", name: "k" }, scopes, isOperator: false };
  const gateway = await gatewayOver(new Place().isolate());
  const app = createApp({ ...gateway, identify: async () => success(caller) });
  const filled = path.replace(/\{(\w+)\}/g, (_all, name) => (name === "name" ? "SOME" : "0"));
  const query = path.startsWith("/v1/tools") ? "?format=openai" : "";
  const body = method === "GET" ? {} : { body: "{}" };
  const response = await app.request(filled + query, { method, ...body });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const json: unknown = isJson ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, json: objectOf(json) };
}

const others = (scope: string | null) => [...scopeNames, "trade"].filter((name) => name !== scope);

describe("the routes", () => {
  test("are all in the table, those that change something with a scope", () => {
    expect(routes.length).toBeGreaterThan(15);
    const forAnyKey = routes.filter(({ scope }) => scope === null);
    expect(forAnyKey.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /openapi.json",
      "GET /v1/keys/current",
    ]);
    for (const { scope } of routes) if (scope !== null) expect(scopeNames).toContain(scope);
  });

  test.each(routes.filter(({ scope }) => scope !== null))(
    "$method $path is refused without $scope, by its name and those that the key has",
    async (route) => {
      const { scope } = route;
      const has = others(scope);
      const { status, headers, json } = await ask(route, has);
      expect([status, json.error_code]).toEqual([403, "FORBIDDEN"]);
      expect(json.error).toContain(`the scope ${scope}`);
      expect(json.error).toContain(has.join(", "));
      expect(headers.get("www-authenticate")).toBe(
        `Bearer realm="skillgate", error="insufficient_scope", scope="${scope}"`,
      );
    },
  );

  test.each(routes)("$method $path is not refused for its scope to who has it, or all", async (route) => {
    for (const scopes of [route.scope === null ? ["trade"] : [route.scope], ["*"]]) {
      const { headers } = await ask(route, scopes);
      expect(headers.get("www-authenticate")).toBeNull();
    }
  });

  test.each([
    ["GET", "/v1/none"],
    ["GET", "/v1/skills//"],
    ["GET", "/v1/skills/a/b"],
    ["PATCH", "/v1/tools"],
    ["PATCH", "/v1/skills/a/files/references/b.md"],
    ["GET", "/v1/skills/a/versions/1"],
    ["POST", "/v1/invoke/"],
    ["GET", "/v1/keys/1/rotate"],
    ["GET", "/v1/skills/__proto__/constructor"],
  ])("that are not there are not there for anybody: %s %s", async (method, path) => {
    for (const scopes of [["*"], ["invoke"]])
      expect((await ask({ method, path, scope: null }, scopes)).json.error_code).toBe("UNKNOWN_ROUTE");
  });

  test("are held to their scopes however the path is written, and by whichever method", async () => {
    const gateway = await gatewayOver(new Place().isolate());
    const caller: Caller = { ...OPERATOR, scopes: ["invoke"], isOperator: false };
    const app = createApp({ ...gateway, identify: async () => success(caller) });
    for (const [method, path] of [
      ["GET", "/v1/%73kills"],
      ["HEAD", "/v1/skills"],
      ["GET", "/v1/skills/"],
      ["PUT", "/v1/skills/a/"],
      ["GET", "/v1/skills/a/files/references/deep/b.md"],
      ["PUT", "/v1/skills/a/files/references/b.md"],
      ["DELETE", "/v1/skills/a/files/references%2fb.md"],
      ["POST", "/v1/skills/a/rollback/"],
      ["GET", "/v1/keys/current%00"],
      ["GET", "/v1/keys/curren%74x"],
    ] as const)
      expect([path, (await app.request(path, { method })).status]).toEqual([path, 403]);
  });
});
