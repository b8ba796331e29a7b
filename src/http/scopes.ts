import type { ScopeName } from "../vocabulary.ts";

/**
 * What each route asks of a key, in the form that OpenAPI has for paths; null where any key will do. A request is for
 * the first route that fits.
 */
const table: readonly (readonly [method: string, path: string, scope: ScopeName | null])[] = [
  ["GET", "/openapi.json", null],
  ["GET", "/v1/skills", "skills:read"],
  ["GET", "/v1/skills/{name}", "skills:read"],
  ["PUT", "/v1/skills/{name}", "skills:write"],
  ["PATCH", "/v1/skills/{name}", "skills:write"],
  ["DELETE", "/v1/skills/{name}", "skills:write"],
  ["GET", "/v1/skills/{name}/versions", "skills:read"],
  ["GET", "/v1/skills/{name}/diff", "skills:read"],
  ["POST", "/v1/skills/{name}/rollback", "skills:write"],
  ["POST", "/v1/skills/{name}/rebase", "skills:write"],
  ["GET", "/v1/skills/{name}/files", "skills:read"],
  ["GET", "/v1/skills/{name}/files/{path}", "skills:read"],
  ["PUT", "/v1/skills/{name}/files/{path}", "skills:write"],
  ["DELETE", "/v1/skills/{name}/files/{path}", "skills:write"],
  ["GET", "/v1/prompt", "skills:read"],
  ["GET", "/v1/tools", "skills:read"],
  ["GET", "/v1/tools/losses", "skills:read"],
  ["POST", "/v1/invoke/{function}", "invoke"],
  ["POST", "/v1/calls", "invoke"],
  ["GET", "/v1/limits", "invoke"],
  ["GET", "/v1/keys/current", null],
  ["GET", "/v1/keys", "admin"],
  ["POST", "/v1/keys", "admin"],
  ["GET", "/v1/keys/{id}", "admin"],
  ["DELETE", "/v1/keys/{id}", "admin"],
  ["POST", "/v1/keys/{id}/rotate", "admin"],
  ["GET", "/v1/secrets", "admin"],
  ["PUT", "/v1/secrets/{name}", "admin"],
  ["DELETE", "/v1/secrets/{name}", "admin"],
];

const routes = table.map(([method, path, scope]) => ({ method, segments: path.split("/"), scope }));

/** The scope that a request needs; null where any key will do, undefined where there is no such route. */
export function routeScope(method: string, path: string): ScopeName | null | undefined {
  // The router answers HEAD as GET without the body, and a path with a slash behind it as the one without.
  const meant = method === "HEAD" ? "GET" : method;
  const given = path.replace(/\/$/, "").split("/");
  return routes.find((route) => route.method === meant && fits(route.segments, given))?.scope;
}

/** The placeholder of a file's path, the only one that slashes may be in. */
const REST = "{path}";

function fits(segments: readonly string[], given: readonly string[]): boolean {
  const hasRest = segments.at(-1) === REST;
  if (hasRest ? given.length < segments.length : given.length !== segments.length) return false;
  return segments.every((segment, index) =>
    segment.startsWith("{") ? segment === REST || given[index] !== "" : segment === given[index],
  );
}
