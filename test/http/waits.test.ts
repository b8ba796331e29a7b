import { describe, expect, test } from "vitest";
import { createApp } from "../../src/http/index.ts";
import { CHANGE_ANNOUNCED_MS, KV_PROPAGATION_MS } from "../../src/limits.ts";
import { Place, putSkill, recordOf } from "../store/place.ts";
import { gatewayOver } from "./gateway.ts";

const DOCUMENT = "---\nname: b\ndescription: A small skill that stands for any other in tests.\n---\n";

describe("a write", () => {
  test.each([
    ["just after another one", 1_000],
    [
      "once the index has to be made anew from what all places wrote",
      CHANGE_ANNOUNCED_MS + KV_PROPAGATION_MS,
    ],
  ])("waits for nobody %s", async (_what, gap) => {
    const place = new Place();
    await place.time.until(putSkill(place.isolate(), await recordOf("a")));
    place.time.jump(gap);
    const app = createApp(await gatewayOver(place.isolate()));
    const begin = place.time.now();
    // The clock stands still, so that whatever waits on it never ends.
    const response = await app.request("/v1/skills/b", { method: "PUT", body: DOCUMENT });
    expect([response.status, place.time.now() - begin, place.reports]).toEqual([201, 0, []]);
  });
});
