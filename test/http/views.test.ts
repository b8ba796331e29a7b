import { describe, expect, test } from "vitest";
import { type Caller, OPERATOR } from "../../src/access/index.ts";
import { success } from "../../src/errors.ts";
import { createApp } from "../../src/http/index.ts";
import { Place, putSkill, recordOf } from "../store/place.ts";
import { gatewayOver } from "./gateway.ts";

/** The callers of one tenant, by what they send as Authorization. */
const callers = new Map<string, Caller>([
  ["all", { ...OPERATOR, tenant: "t" }],
  ["some", { ...OPERATOR, tenant: "t", skills: ["tides"], isOperator: false }],
]);

async function asking() {
  const place = new Place();
  await place.time.until(putSkill(place.isolate(), await recordOf("tides")));
  const gateway = await gatewayOver(place.isolate());
  const identify = async (authorization: string | null) =>
    success(callers.get(authorization ?? "") ?? OPERATOR);
  const app = createApp({ ...gateway, identify });
  return async (caller: string, path: string) => app.request(path, { headers: { Authorization: caller } });
}

describe("what was made for one caller of a tenant", () => {
  test.each([
    ["/v1/skills"],
    ["/v1/skills?format=text"],
    ["/v1/skills?format=text&q=tickdb tides"],
    ["/v1/prompt"],
    ["/v1/prompt?lang=zh&format=text"],
  ])("is not given to another one who may use less: %s", async (path) => {
    const ask = await asking();
    for (const caller of ["all", "some", "all", "some"]) {
      const text = await (await ask(caller, path)).text();
      expect(text).toContain("tides");
      expect(text.includes("tickdb-market-data")).toBe(caller === "all");
    }
  });

  test.each([["/v1/skills"], ["/v1/prompt"]])("has another tag: %s", async (path) => {
    const ask = await asking();
    const tags = [await ask("all", path), await ask("some", path)].map(({ headers }) => headers.get("etag"));
    expect(new Set(tags).size).toBe(2);
    expect(tags).not.toContain(null);
  });
});
