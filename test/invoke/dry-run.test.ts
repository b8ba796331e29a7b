import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toWire } from "../../src/errors.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { anyOf, authenticated, compiled, type Sketch } from "./compiled.ts";
import { Surroundings } from "./surroundings.ts";

interface Arrival {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** An upstream that tells everything it is told: in the body, in a header and, by path, in a failure. */
const arrivals: Arrival[] = [];
let server: Server;
let origin = "";

beforeAll(async () => {
  server = createServer((incoming, outgoing) => void receive(incoming, outgoing));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("not listening");
  origin = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  arrivals.length = 0;
});

async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = "", url = "", headers } = incoming;
  const single = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  const arrival = {
    method,
    url,
    headers: Object.fromEntries(single),
    body: Buffer.concat(chunks).toString(),
  };
  arrivals.push(arrival);
  answer(arrival, outgoing);
}

function answer(arrival: Arrival, outgoing: ServerResponse): void {
  const told = JSON.stringify(arrival);
  const json = { "content-type": "application/json", "x-told": encodeURIComponent(told) };
  if (arrival.url.startsWith("/refuse")) outgoing.writeHead(400, json).end(told);
  else if (arrival.url.startsWith("/garble")) outgoing.writeHead(200, json).end(`${told}!`);
  else if (arrival.url.startsWith("/move")) {
    outgoing.writeHead(302, { location: `http://inside.internal/?${encodeURIComponent(told)}` }).end();
  } else outgoing.writeHead(200, json).end(told);
}

/** What a runtime adds to any request. */
const TRANSPORT = new Set([
  "accept-encoding",
  "accept-language",
  "cache-control",
  "connection",
  "content-length",
  "host",
  "pragma",
  "sec-fetch-mode",
]);

const HEADER: JsonObject = { method: "api_key", header: "X-Key", env_variable: "DEMO_KEY" };
const QUERY: JsonObject = { method: "api_key", query: "key", env_variable: "DEMO_KEY" };
const BEARER: JsonObject = { method: "bearer", env_variable: "DEMO_KEY" };

function sketched(sketch: Sketch, authentication: JsonValue) {
  const upstream = { base_url_variable: "DEMO_BASE_URL", ...sketch.upstream };
  return authenticated({ ...sketch, upstream }, authentication);
}

function placeFor(skill: ReturnType<typeof compiled>, secret: string): Surroundings {
  return new Surroundings(skill, { baseUrl: origin, secrets: { DEMO_KEY: secret } });
}

const everything: Sketch = {
  parameters: {
    ...anyOf("id", "text", "list"),
    tags: { "x-in": "query", "x-style": "repeat", "x-name": "tag[]" },
    region: { "x-in": "header", "x-name": "X-Region" },
    key: { "x-in": "query" },
    forged: { "x-in": "header", "x-name": "X-Key" },
  },
  request: { method: "PUT", path: "/things/{id}" },
  upstream: { headers: { "X-Client": "skillgate", Accept: "application/json" } },
};
const full = {
  id: "a/b 腾",
  text: 'say "x"\n',
  list: [1, null, "é"],
  tags: ["x&y", "z"],
  region: " eu ",
  key: "forged-key",
  forged: "forged-key",
};

describe("a dry run", () => {
  test.each<[string, Sketch, JsonObject, JsonValue]>([
    ["of everything at once, with a key in a header", everything, full, HEADER],
    ["of everything at once, with a key in the query", everything, full, QUERY],
    ["of everything at once, with a bearer", everything, full, BEARER],
    ["of everything at once, with all of them together", everything, full, [BEARER, QUERY, HEADER]],
    [
      "of a form",
      { parameters: anyOf("a"), request: { method: "POST", encode: "form" } },
      { a: ["1", "2 3"] },
      HEADER,
    ],
    [
      "of text",
      { parameters: anyOf("a"), request: { method: "POST", encode: "text", body: "${a}" } },
      { a: "正文" },
      QUERY,
    ],
    ["of a request without anything", {}, {}, HEADER],
    ["of a request without a credential", { parameters: anyOf("a") }, { a: 1 }, { method: "none" }],
  ])("%s is what a live call sends", async (_what, sketch, args, authentication) => {
    const skill = sketched(sketch, authentication);
    const place = placeFor(skill, "planted-value");
    const shown = await place.dryRun(skill, "ask", args);
    expect(arrivals).toEqual([]);
    const result = await place.call(skill, "ask", args);
    expect([result.ok, arrivals.length]).toEqual([true, 1]);
    expect(shown).toEqual({ ok: true, value: asShown(arrivals[0]) });
  });

  test("shows a computation's result, and refuses what a live call refuses", async () => {
    const skill = compiled({ parameters: { a: { type: "integer" } }, required: ["a"], compute: "a + 1" });
    const place = placeFor(skill, "");
    expect(await place.dryRun(skill, "ask", { a: 1 })).toEqual({
      ok: true,
      value: { kind: "compute", data: 2 },
    });
    expect(await place.dryRun(skill, "ask", {})).toMatchObject({ failure: { code: "INVALID_ARGUMENTS" } });
  });

  test("needs no secret, counts nothing and sends nothing", async () => {
    const limited = { rate_limit: { global: { max_requests_per_minute: 1 } } };
    const skill = sketched({ constraints: limited }, HEADER);
    const place = placeFor(skill, "");
    for (let index = 0; index < 3; index++) expect((await place.dryRun(skill, "ask", {})).ok).toBe(true);
    expect(place.admissions).toEqual([]);
    expect(arrivals).toEqual([]);
  });
});

/**
 * The dry run that an arrival should have had: the secret is shown by its name, and a query's own stands
 * apart.
 */
function asShown(arrival: Arrival | undefined) {
  if (arrival === undefined) throw new Error("nothing arrived");
  const masked = (text: string): string => text.replaceAll("planted-value", "[secret DEMO_KEY]");
  const { method, url, headers, body } = arrival;
  const added = url.match(/[?&]key=planted-value$/)?.[0] ?? "";
  return {
    kind: "request",
    method,
    url: origin + url.slice(0, url.length - added.length),
    headers: expect.toSatisfy((shown: [string, string][]) => {
      const lower = shown.map(([name, value]) => [name.toLowerCase(), value]);
      const sent = Object.entries(headers).filter(([name]) => !TRANSPORT.has(name));
      expect(lower.sort()).toEqual(sent.map(([name, value]) => [name, masked(value)]).sort());
      return true;
    }),
    query_added: added === "" ? [] : [["key", "[secret DEMO_KEY]"]],
    body: body === "" ? null : body,
    timeout_ms: 10_000,
    max_pages: null,
    repeatable: method !== "POST",
  };
}

/** Characters that URLs write in other ways, and four that everything writes as they are. */
const SECRET = "Planted/Value+7f3a&x";

const credentials: [string, JsonValue, string][] = [
  ["a header", HEADER, SECRET],
  ["a header, stored with a newline", HEADER, `${SECRET}\n`],
  ["the query", QUERY, SECRET],
  ["a bearer token", BEARER, SECRET],
  ["a bearer token, stored with a newline", BEARER, `${SECRET}\n`],
  ["a header, the query and a bearer token", [HEADER, QUERY, BEARER], SECRET],
];

describe.each(credentials)("a secret in %s", (_where, authentication, value) => {
  test.each([
    ["a result", "/x"],
    ["a refusal", "/refuse"],
    ["a reply that cannot be read", "/garble"],
    ["a redirect inwards", "/move"],
  ])("is sent and stands in nothing that comes back: %s", async (_what, path) => {
    const response = {
      data: '{"all": body, "headers": headers}',
      error: { code: "headers['x-told']", message: "body.url + body.headers['x-key']" },
    };
    const skill = sketched({ request: { path }, response }, authentication);
    const place = placeFor(skill, value);
    const result = await place.call(skill, "ask", {});
    expect(JSON.stringify(arrivals)).toContain("7f3a");
    const back = result.ok ? result.value : toWire(result.failure, "request-1");
    expect(JSON.stringify([back, await place.dryRun(skill, "ask", {})])).not.toContain("7f3a");
  });
});
