import { describe, expect, test } from "vitest";
import { OPERATOR } from "../../../src/access/index.ts";
import { SkillSearches } from "../../../src/http/listing/searches.ts";
import { MAX_KEPT_SEARCHES } from "../../../src/limits.ts";
import { Place, putSkill, recordOf } from "../../store/place.ts";
import { gatewayOver } from "../gateway.ts";

/** Searches of tenants, with a count of how often the search was asked for. */
async function started() {
  const place = new Place();
  const store = place.isolate();
  const gateway = await gatewayOver(store);
  const loads = { count: 0 };
  const searcher = () => {
    loads.count++;
    return gateway.searcher();
  };
  const searches = new SkillSearches({ bundled: gateway.bundled, searcher });
  const find = async (question: string, tenant = "t") => {
    const found = await searches.find(question, gateway.catalogFor({ ...OPERATOR, tenant }));
    return found.ok ? found.value : found.failure.code;
  };
  const put = async (name: string, tenant = "t") =>
    place.time.until(putSkill(store, await recordOf(name), { tenant }));
  return { loads, find, put };
}

describe("searches", () => {
  test("load what they need at the first question, and make it once for the same skills", async () => {
    const { loads, find } = await started();
    expect(loads.count).toBe(0);
    expect(await find("order book")).toEqual(["tickdb-market-data"]);
    expect(await find("candlesticks", "another tenant")).toEqual(["tickdb-market-data"]);
    expect(loads.count).toBe(1);
  });

  test("go through a tenant's own skills as they are, and nobody else's", async () => {
    const { find, put } = await started();
    expect(await find("tides")).toEqual([]);
    await put("tides");
    expect(await find("tides")).toEqual(["tides"]);
    expect(await find("tides", "another tenant")).toEqual([]);
  });

  test("know a skill of one's own in place of a bundled one", async () => {
    const { find, put } = await started();
    await put("tickdb-market-data");
    expect(await find("candlesticks")).toEqual([]);
    expect(await find("tickdb")).toEqual(["tickdb-market-data"]);
  });

  test("are kept for those who searched last", async () => {
    const { loads, find, put } = await started();
    const tenants = Array.from({ length: MAX_KEPT_SEARCHES + 1 }, (_, index) => `tenant-${index}`);
    for (const tenant of tenants) await put(`skill-of-${tenant}`, tenant);
    for (const tenant of tenants) await find("skill", tenant);
    const before = loads.count;
    await find("skill", tenants.at(-1));
    expect(loads.count).toBe(before);
    await find("skill", tenants[0]);
    expect(loads.count).toBe(before + 1);
  });
});
