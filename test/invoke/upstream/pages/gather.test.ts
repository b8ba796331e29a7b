import { describe, expect, test } from "vitest";
import type { Failure } from "../../../../src/errors.ts";
import type { Outcome } from "../../../../src/invoke/index.ts";
import type { Constraints, Pagination, Skill } from "../../../../src/ir.ts";
import type { JsonObject, JsonValue } from "../../../../src/json.ts";
import { MAX_CALL_REQUESTS } from "../../../../src/limits.ts";
import { type Arrival, loopbackForTests, type Reply } from "../../loopback.ts";
import { functionWith, get, NO_RETRIES, parameters, skillWith } from "../../skills.ts";
import { type Setting, Surroundings } from "../../surroundings.ts";

const upstream = await loopbackForTests();

const ITEMS = Array.from({ length: 10 }, (_, index) => index);
const SIZE = 4;

function parametersOf({ path }: Arrival): URLSearchParams {
  return new URL(path, upstream.origin).searchParams;
}

/** Ten items in pages of four, from whatever a request says. */
function pageFrom(start: number): JsonObject {
  const end = Math.min(start + SIZE, ITEMS.length);
  return {
    items: ITEMS.slice(start, end),
    next: end < ITEMS.length ? `c${end}` : null,
    more: end < ITEMS.length,
  };
}

const byCursor = (arrival: Arrival): Reply => ({
  body: pageFrom(Number((parametersOf(arrival).get("cursor") ?? "c0").slice(1))),
});
const byPage = (arrival: Arrival): Reply => ({
  body: pageFrom((Number(parametersOf(arrival).get("page")) - 1) * SIZE),
});
const byOffset = (arrival: Arrival): Reply => ({
  body: pageFrom(Number(parametersOf(arrival).get("offset"))),
});
const byLink = (arrival: Arrival): Reply => {
  const start = Number(parametersOf(arrival).get("from") ?? "0");
  const { items = [], more } = pageFrom(start);
  return {
    body: { items },
    headers: more === true ? { link: `</list?from=${start + SIZE}>; rel="next"` } : {},
  };
};

const CURSOR: Pagination = { kind: "cursor", parameter: "cursor", next: "body.next", maxPages: 20 };
const PAGE: Pagination = { kind: "page", parameter: "page", first: 1, more: null, maxPages: 20 };
const OFFSET: Pagination = { kind: "offset", parameter: "offset", more: null, maxPages: 20 };
const LINK: Pagination = { kind: "link", maxPages: 20 };

function skillOf(paginate: Pagination, constraints: Partial<Constraints> = {}): Skill {
  const binding = get("/list", ["q", "cursor", "page", "offset"], { data: "body.items", paginate });
  const schema = parameters({ q: {}, cursor: {}, page: {}, offset: {} });
  return skillWith("demo", [functionWith("list", binding, { parameters: schema })], [], constraints);
}

async function outcomeOf(
  skill: Skill,
  args: JsonObject = {},
  setting: Partial<Setting> = {},
): Promise<Outcome> {
  const result = await new Surroundings(skill, { baseUrl: upstream.origin, ...setting }).call(
    skill,
    "list",
    args,
  );
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

async function failureOf(skill: Skill): Promise<Failure> {
  const result = await new Surroundings(skill, { baseUrl: upstream.origin }).call(skill, "list", {});
  if (result.ok) throw new Error(`succeeded with ${JSON.stringify(result.value)}`);
  return result.failure;
}

const WHOLE = { complete: true, stoppedBy: null, next: null };

describe("a list in pages", () => {
  test.each<[string, Pagination, (arrival: Arrival) => Reply, string[]]>([
    [
      "by a cursor",
      CURSOR,
      byCursor,
      ["/list?q=a%20b", "/list?q=a%20b&cursor=c4", "/list?q=a%20b&cursor=c8"],
    ],
    [
      "by number, until a page is empty",
      PAGE,
      byPage,
      [1, 2, 3, 4].map((page) => `/list?q=a%20b&page=${page}`),
    ],
    [
      "by number, until there are no more",
      { ...PAGE, more: "body.more" },
      byPage,
      [1, 2, 3].map((page) => `/list?q=a%20b&page=${page}`),
    ],
    [
      "by offset, until a page is empty",
      OFFSET,
      byOffset,
      [0, 4, 8, 10].map((offset) => `/list?q=a%20b&offset=${offset}`),
    ],
    [
      "by offset, until there are no more",
      { ...OFFSET, more: "body.more" },
      byOffset,
      [0, 4, 8].map((offset) => `/list?q=a%20b&offset=${offset}`),
    ],
    ["by links", LINK, byLink, ["/list?q=a%20b", "/list?from=4", "/list?from=8"]],
  ])("%s is gathered whole", async (_how, paginate, answer, paths) => {
    upstream.answer = answer;
    const outcome = await outcomeOf(skillOf(paginate), { q: "a b" });
    expect(outcome).toMatchObject({
      data: ITEMS,
      attempts: paths.length,
      pages: { count: paths.length, ...WHOLE },
    });
    expect(upstream.arrivals.map(({ path }) => path)).toEqual(paths);
  });

  test.each<[string, Pagination, (arrival: Arrival) => Reply, JsonObject, JsonValue]>([
    ["a cursor", CURSOR, byCursor, { cursor: "c4" }, [4, 5, 6, 7, 8, 9]],
    ["a number", PAGE, byPage, { page: 3 }, [8, 9]],
    ["an offset", OFFSET, byOffset, { offset: 7 }, [7, 8, 9]],
  ])("begins where the caller says: %s", async (_what, paginate, answer, args, data) => {
    upstream.answer = answer;
    expect((await outcomeOf(skillOf(paginate), args)).data).toEqual(data);
  });

  test.each<[string, Pagination, (arrival: Arrival) => Reply, JsonValue]>([
    ["a cursor", CURSOR, byCursor, "c8"],
    ["a number", PAGE, byPage, 3],
    ["an offset", OFFSET, byOffset, 8],
    ["a link, whose place has no name", LINK, byLink, null],
  ])(
    "ends at the declared number of pages and says where the rest begins: %s",
    async (_what, paginate, answer, next) => {
      upstream.answer = answer;
      const outcome = await outcomeOf(skillOf({ ...paginate, maxPages: 2 }));
      expect(outcome).toMatchObject({
        data: ITEMS.slice(0, 8),
        pages: { count: 2, complete: false, stoppedBy: "max_pages", next },
      });
      expect(upstream.arrivals).toHaveLength(2);
    },
  );
});

describe("the gathering of pages", () => {
  test("copes with hundreds of thousands of items in a page", async () => {
    upstream.answer = () => ({ body: { items: Array.from({ length: 300_000 }, () => 1), next: null } });
    const skill = skillOf(CURSOR);
    skill.upstreams = skill.upstreams.map((one) => ({
      ...one,
      upstream: { ...one.upstream, maxResponseBytes: 2_000_000 },
    }));
    expect((await outcomeOf(skill)).data).toHaveLength(300_000);
  });

  test("is over after one request where there is one page", async () => {
    upstream.answer = () => ({ body: { items: [1], next: "" } });
    expect(await outcomeOf(skillOf(CURSOR))).toMatchObject({
      data: [1],
      attempts: 1,
      pages: { count: 1, ...WHOLE },
    });
  });

  test("ends at a page that leads to itself", async () => {
    upstream.answer = () => ({ body: { items: [1], next: "same" } });
    expect(await outcomeOf(skillOf(CURSOR))).toMatchObject({
      data: [1, 1],
      pages: { count: 2, complete: false, stoppedBy: "repetition" },
    });
  });

  test.each<[string, Pagination, (next: string) => Reply]>([
    ["cursors", CURSOR, (next) => ({ body: { items: [1], next } })],
    [
      "links",
      LINK,
      (next) => ({ body: { items: [1] }, headers: { link: `</list?cursor=${next}>; rel="next"` } }),
    ],
  ])("ends at a page that leads back to an earlier one: %s", async (_what, paginate, leadTo) => {
    upstream.answer = (arrival) => leadTo(parametersOf(arrival).get("cursor") === "a" ? "b" : "a");
    expect(await outcomeOf(skillOf(paginate))).toMatchObject({
      data: [1, 1, 1],
      attempts: 3,
      pages: { count: 3, complete: false, stoppedBy: "repetition" },
    });
  });

  test("ends where all pages together have the bytes that a reply may have", async () => {
    upstream.answer = (arrival) => ({
      body: { items: ["x".repeat(40_000)], next: `c${arrival.path.length}` },
    });
    expect(await outcomeOf(skillOf(CURSOR))).toMatchObject({
      pages: { count: 2, complete: false, stoppedBy: "bytes" },
    });
    expect(upstream.arrivals).toHaveLength(3);
  });

  test("has no more requests than any call has, each counted by itself", async () => {
    upstream.answer = ({ path }) => ({
      body: { items: [1], next: `${path.length}-${upstream.arrivals.length}` },
    });
    const skill = skillOf({ ...CURSOR, maxPages: 1_000 });
    const place = new Surroundings(skill, { baseUrl: upstream.origin });
    expect(await place.call(skill, "list", {})).toMatchObject({
      value: { attempts: MAX_CALL_REQUESTS, pages: { count: MAX_CALL_REQUESTS, stoppedBy: "requests" } },
    });
    const limited = skillOf({ ...CURSOR, maxPages: 1_000 }, { globalLimits: [{ max: 3, window: "minute" }] });
    expect((await outcomeOf(limited)).pages).toMatchObject({
      count: 3,
      complete: false,
      stoppedBy: "limits",
    });
  });

  test("ends where the time of the call does", async () => {
    const skill = skillOf(CURSOR);
    const place = new Surroundings(skill, { baseUrl: upstream.origin });
    upstream.answer = (arrival) => {
      place.advance(10_000);
      return { body: { items: [1], next: `${arrival.path.length}` } };
    };
    expect(await place.call(skill, "list", {})).toMatchObject({
      value: { data: [1, 1, 1], pages: { count: 3, complete: false, stoppedBy: "deadline" } },
    });
  });
});

describe("a page that does not come", () => {
  test.each<[string, Pagination, Reply, Failure["code"]]>([
    ["is refused", CURSOR, { status: 403 }, "UPSTREAM_REJECTED"],
    ["is no list", CURSOR, { body: { items: { a: 1 } } }, "UPSTREAM_UNPARSABLE"],
    ["has a cursor of no use", CURSOR, { body: { items: [1], next: [1] } }, "UPSTREAM_UNPARSABLE"],
    ["lacks what the skill reads", CURSOR, { body: { items: [1] } }, "UPSTREAM_UNPARSABLE"],
    [
      "leads to another host",
      LINK,
      { body: { items: [1] }, headers: { link: "<https://elsewhere.test/x>; rel=next" } },
      "EGRESS_DENIED",
    ],
    [
      "leads inwards",
      LINK,
      { body: { items: [1] }, headers: { link: "<http://169.254.169.254/>; rel=next" } },
      "EGRESS_DENIED",
    ],
    [
      "leads to what has no host",
      LINK,
      { body: { items: [1] }, headers: { link: "<file:///etc/passwd>; rel=next" } },
      "EGRESS_DENIED",
    ],
    [
      "leads to no URL",
      LINK,
      { body: { items: [1] }, headers: { link: "<http://[>; rel=next" } },
      "UPSTREAM_UNPARSABLE",
    ],
  ])("makes the call fail as a whole where it %s", async (_what, paginate, reply, code) => {
    let count = 0;
    upstream.answer = (arrival) => {
      count += 1;
      return count === 2 ? reply : (paginate.kind === "link" ? byLink : byCursor)(arrival);
    };
    const failure = await failureOf(skillOf(paginate));
    expect(failure.code).toBe(code);
    if (failure.code === "EGRESS_DENIED") expect(failure.host).not.toBe("");
    expect(upstream.arrivals).toHaveLength(2);
  });

  test("is tried again as any request", async () => {
    upstream.answer = (arrival) => (upstream.arrivals.length === 2 ? { status: 503 } : byCursor(arrival));
    const patient = skillOf(CURSOR, { errorHandling: { ...NO_RETRIES, maxRetries: 1 } });
    expect(await outcomeOf(patient)).toMatchObject({ data: ITEMS, attempts: 4, pages: WHOLE });
  });
});
