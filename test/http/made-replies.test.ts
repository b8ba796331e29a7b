import { describe, expect, test } from "vitest";
import { OPERATOR } from "../../src/access/index.ts";
import { success } from "../../src/errors.ts";
import { MadeReplies } from "../../src/http/made-replies.ts";
import { Place, putSkill, recordOf } from "../store/place.ts";
import { gatewayOver } from "./gateway.ts";

/** Replies to one tenant, each with the number of the time that it was made. */
async function started() {
  const place = new Place();
  const store = place.isolate();
  const catalog = (await gatewayOver(store)).catalogFor({ ...OPERATOR, tenant: "t" });
  const replies = new MadeReplies();
  let made = 0;
  const give = async (question: unknown, isExact = true) => {
    const reply = await replies.give(catalog, question, async () => success({ text: `${++made}`, isExact }));
    return reply.ok ? reply.value.body : reply.failure.code;
  };
  const put = async (name: string) => place.time.until(putSkill(store, await recordOf(name)));
  return { place, catalog, replies, give, put };
}

describe("a reply", () => {
  test("is made once for a question, and anew for another one", async () => {
    const { give } = await started();
    expect([await give({ q: "a" }), await give({ q: "a" }), await give({ q: "b" })]).toEqual(["1", "1", "2"]);
  });

  test("is made anew where the tenant's skills have changed", async () => {
    const { give, put } = await started();
    expect(await give("q")).toBe("1");
    await put("tides");
    expect([await give("q"), await give("q")]).toEqual(["2", "2"]);
  });

  test("is not kept where it may be of other skills than those of the index", async () => {
    const { give } = await started();
    expect([await give("q", false), await give("q"), await give("q")]).toEqual(["1", "2", "2"]);
  });

  test("is not kept where the skills change while it is made", async () => {
    const { catalog, replies, give, put } = await started();
    const changing = await replies.give(catalog, "q", async () => {
      await put("tides");
      return success({ text: "made meanwhile", isExact: true });
    });
    expect(changing.ok).toBe(true);
    expect(await give("q")).toBe("1");
  });

  test("is the failure where it cannot be made, and is tried again", async () => {
    const { catalog, replies, give } = await started();
    const failure = { code: "INTERNAL" } as const;
    expect(await replies.give(catalog, "q", async () => ({ ok: false, failure }))).toEqual({
      ok: false,
      failure,
    });
    expect(await give("q")).toBe("1");
  });
});
