import { describe, expect, test } from "vitest";
import { success } from "../../../src/errors.ts";
import { type GivenPage, type HeldResults, ResultPages } from "../../../src/invoke/result/result-pages.ts";
import { HELD_RESULT_MS, MAX_HELD_RESULTS } from "../../../src/limits.ts";

const OWNER = { tenant: "t", function: "ask" };
const LARGE = JSON.stringify(Array.from({ length: 40 }, (_, index) => `项目 "${index}" 😀`));

function place(shared: HeldResults | null = null) {
  let now = 0;
  const pages = new ResultPages(() => now, shared);
  return {
    pages,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

/** Reads on to the end. */
async function readOn(pages: ResultPages, first: GivenPage | null, maxCharacters: number): Promise<string> {
  if (first === null) throw new Error("the result is whole");
  let text = first.data;
  for (let next = first.page.nextOffset; next !== null; ) {
    const given = await pages.next(OWNER, first.page.result, next, maxCharacters);
    if (!given.ok) throw new Error(JSON.stringify(given));
    text += given.value.data;
    next = given.value.page.nextOffset;
  }
  return text;
}

describe("a result", () => {
  test("has no pages where its JSON text is within the bound, by its code points", async () => {
    const { pages } = place();
    const text = JSON.stringify("😀".repeat(10));
    expect(await pages.first(OWNER, text, 12)).toBeNull();
    expect((await pages.first(OWNER, text, 11))?.page).toMatchObject({ nextOffset: 8, totalCharacters: 12 });
  });

  test("comes page by page where it is larger, and the pages make up its JSON text", async () => {
    const { pages } = place();
    const first = await pages.first(OWNER, LARGE, 100);
    expect(await readOn(pages, first, 100)).toBe(LARGE);
  });

  test("is the same for all its pages, whatever the function gives by then", async () => {
    const { pages } = place();
    const first = await pages.first(OWNER, LARGE, 100);
    await pages.first(OWNER, JSON.stringify({ another: LARGE }), 100);
    expect(await readOn(pages, first, 50)).toBe(LARGE);
  });

  test("is gone after its time, for other tenants, for other functions and by any other name", async () => {
    const { pages, advance } = place();
    const first = await pages.first(OWNER, LARGE, 100);
    const result = first?.page.result ?? "";
    const gone = { ok: false, failure: { code: "RESULT_GONE" } };
    expect(await pages.next({ ...OWNER, tenant: "other" }, result, 0, null)).toMatchObject(gone);
    expect(await pages.next({ ...OWNER, function: "other" }, result, 0, null)).toMatchObject(gone);
    expect(await pages.next(OWNER, "other", 0, null)).toMatchObject(gone);
    expect(await pages.next(OWNER, result, 0, null)).toMatchObject({ ok: true });
    advance(HELD_RESULT_MS);
    expect(await pages.next(OWNER, result, 0, null)).toMatchObject(gone);
  });

  test("has no page beyond its end, and says how large it is", async () => {
    const { pages } = place();
    const first = await pages.first(OWNER, LARGE, 100);
    const total = [...LARGE].length;
    expect(await pages.next(OWNER, first?.page.result ?? "", total, null)).toMatchObject({
      failure: {
        code: "INVALID_REQUEST",
        message: `The offset ${total} is beyond the result, which has ${total} characters.`,
        faults: [{ path: "/offset", expected: `at most ${total - 1}` }],
      },
    });
  });

  test("makes way for later ones", async () => {
    const { pages } = place();
    const first = await pages.first(OWNER, LARGE, 100);
    for (let index = 0; index < MAX_HELD_RESULTS; index += 1)
      await pages.first(OWNER, `[${index},${LARGE}]`, 100);
    expect(await pages.next(OWNER, first?.page.result ?? "", 0, null)).toMatchObject({
      failure: { code: "RESULT_GONE" },
    });
  });

  test("is found in the store by an isolate that did not make it, and only by its owner", async () => {
    const stored = new Map<string, string>();
    const nameOf = (...parts: unknown[]) => JSON.stringify(parts);
    const shared: HeldResults = {
      get: async (owner, result) => success(stored.get(nameOf(owner, result)) ?? null),
      put: (owner, result, text) => stored.set(nameOf(owner, result), text),
    };
    const first = await place(shared).pages.first(OWNER, LARGE, 100);
    const other = place(shared).pages;
    expect(await readOn(other, first, 100)).toBe(LARGE);
    const result = first?.page.result ?? "";
    expect(await other.next({ ...OWNER, tenant: "other" }, result, 0, null)).toMatchObject({ ok: false });
  });
});
