import { getEventListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Failure, type Result, success } from "../../../src/errors.ts";
import { parseEgressPolicy } from "../../../src/invoke/upstream/guard.ts";
import type { Credential, UpstreamReply, UpstreamRequest } from "../../../src/invoke/upstream/request.ts";
import { isReservedHeader, type SendDependencies, send } from "../../../src/invoke/upstream/send.ts";
import { MAX_REDIRECTS } from "../../../src/limits.ts";

/** What arrived at a server, in order. */
interface Arrival {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
  /** Resolves when the connection it came on is done with it. */
  closed: Promise<void>;
}

class Upstream {
  readonly arrivals: Arrival[] = [];
  readonly server: Server;

  constructor() {
    this.server = createServer((incoming, outgoing) => {
      let body = "";
      incoming.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      incoming.on("end", () => {
        const { method = "", url = "", headers } = incoming;
        const closed = new Promise<void>((resolve) => outgoing.once("close", resolve));
        this.arrivals.push({ method, url, headers, body, closed });
        answer(incoming, outgoing);
      });
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The same server as another origin. */
  get byName(): string {
    return this.origin.replace("127.0.0.1", "localhost");
  }

  async start(): Promise<void> {
    await new Promise<void>((listening) => this.server.listen(0, "127.0.0.1", listening));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}

type Route = (outgoing: ServerResponse, parameters: URLSearchParams, incoming: IncomingMessage) => void;

function reply(status: number, headers: Record<string, string>, body: string | Uint8Array = ""): Route {
  return (outgoing) => outgoing.writeHead(status, headers).end(body);
}

const JSON_TYPE = { "content-type": "application/json" };

const routes = new Map<string, Route>([
  ["/json", reply(200, { ...JSON_TYPE, "X-Quota": "7" }, '{"id":1915000000000000001}')],
  ["/end", reply(200, JSON_TYPE, '"end"')],
  ["/empty", reply(200, JSON_TYPE)],
  ["/none", reply(204, {})],
  ["/gbk", reply(200, { "content-type": "text/plain; charset=GBK" }, new Uint8Array([0xd6, 0xd0]))],
  ["/gzip", reply(200, { ...JSON_TYPE, "content-encoding": "gzip" }, gzipSync(`"${"x".repeat(50_000)}"`))],
  ["/broken", reply(200, JSON_TYPE, "<html>")],
  ["/teapot", reply(418, JSON_TYPE, '{"code":3001}')],
  ["/redirect-without-location", reply(302, JSON_TYPE, '"here"')],
  [
    "/redirect",
    (outgoing, parameters) => {
      outgoing
        .writeHead(Number(parameters.get("status") ?? 302), { location: parameters.get("to") ?? "" })
        .end("moved");
    },
  ],
  [
    "/chain",
    (outgoing, parameters) => {
      const left = Number(parameters.get("left"));
      if (left === 0) outgoing.writeHead(200, JSON_TYPE).end('"end"');
      else outgoing.writeHead(302, { location: `/chain?left=${left - 1}` }).end();
    },
  ],
  ["/silent", () => {}],
  [
    "/drip",
    (outgoing) => {
      outgoing.writeHead(200, JSON_TYPE).write("[");
      const timer = setInterval(() => outgoing.write(" "), 20);
      outgoing.on("close", () => clearInterval(timer));
    },
  ],
  [
    "/flood",
    (outgoing) => {
      outgoing.writeHead(200, JSON_TYPE);
      const pour = () => {
        while (!outgoing.destroyed && outgoing.write(" ".repeat(65_536)));
      };
      outgoing.on("drain", pour);
      pour();
    },
  ],
  [
    "/cut",
    (outgoing) => {
      outgoing.writeHead(200, { ...JSON_TYPE, "content-length": "100" }).write('{"a":');
      setTimeout(() => outgoing.destroy(), 20);
    },
  ],
  ["/hang-up", (outgoing) => outgoing.destroy()],
  [
    "/echo",
    (outgoing, parameters, { url, headers }) => {
      const said = {
        url,
        authorization: headers.authorization,
        key: parameters.get("key"),
        [`${headers.authorization}`]: 1,
      };
      outgoing
        .writeHead(200, { ...JSON_TYPE, "x-echo": `${headers.authorization}` })
        .end(JSON.stringify(said));
    },
  ],
]);

function answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { pathname, searchParams } = new URL(incoming.url ?? "", "http://upstream.example");
  const route = routes.get(pathname) ?? reply(404, JSON_TYPE, '"unknown"');
  route(outgoing, searchParams, incoming);
}

const upstream = new Upstream();
const other = new Upstream();

beforeAll(async () => {
  await Promise.all([upstream.start(), other.start()]);
});
beforeEach(() => {
  upstream.arrivals.length = 0;
  other.arrivals.length = 0;
});
afterAll(async () => {
  await Promise.all([upstream.stop(), other.stop()]);
});

const NO_CREDENTIAL: Credential = { headers: [], query: [], secrets: [] };
const LOCAL = parseEgressPolicy("loopback", "");
/** Long enough never to fire by accident. */
const AMPLE_MS = 30_000;

type Change = Partial<Omit<UpstreamRequest, "url">> & {
  credential?: Credential;
  signal?: AbortSignal;
  dependencies?: Partial<SendDependencies>;
};

function sendTo(url: string, change: Change = {}): Promise<Result<UpstreamReply>> {
  const { credential = NO_CREDENTIAL, signal = null, dependencies = {}, ...request } = change;
  return send(
    {
      method: "GET",
      url,
      headers: [],
      body: null,
      timeoutMs: AMPLE_MS,
      maxResponseBytes: 1_000_000,
      ...request,
    },
    credential,
    {
      fetch,
      egress: LOCAL,
      signal,
      maxRedirects: MAX_REDIRECTS,
      admitRedirect: async () => success(null),
      ...dependencies,
    },
  );
}

async function replyFrom(url: string, change: Change = {}): Promise<UpstreamReply> {
  const result = await sendTo(url, change);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

async function failureOf(url: string, change: Change = {}): Promise<Failure | null> {
  const result = await sendTo(url, change);
  return result.ok ? null : result.failure;
}

function redirectTo(target: string, status = 302, from = upstream.origin): string {
  return `${from}/redirect?${new URLSearchParams({ to: target, status: `${status}` })}`;
}

describe("a reply is read whole", () => {
  test("status, headers by lower-case name, body and media type", async () => {
    const reply = await replyFrom(`${upstream.origin}/json`);
    expect(reply).toMatchObject({
      origin: upstream.origin,
      status: 200,
      body: { id: "1915000000000000001" },
      mediaType: "application/json",
    });
    expect(reply.headers.get("x-quota")).toBe("7");
  });

  test.each<[string, string, number, unknown]>([
    ["an empty body with a JSON type is null", "/empty", 200, null],
    ["204 is null", "/none", 204, null],
    ["GBK text", "/gbk", 200, "中"],
    ["compressed JSON", "/gzip", 200, "x".repeat(50_000)],
    ["a refusal is a reply too", "/teapot", 418, { code: 3001 }],
    ["a page not found is a reply too", "/unheard-of", 404, "unknown"],
  ])("%s", async (_name, path, status, body) => {
    expect(await replyFrom(upstream.origin + path)).toMatchObject({ status, body });
  });

  test("HEAD has headers and no body", async () => {
    const reply = await replyFrom(`${upstream.origin}/json`, { method: "HEAD" });
    expect(reply).toMatchObject({ status: 200, body: null });
    expect(reply.headers.get("x-quota")).toBe("7");
  });

  test("method, headers and body arrive as planned", async () => {
    const headers = [
      ["Content-Type", "application/json"],
      ["X-Tag", "a"],
      ["x-tag", "b"],
    ] as const;
    await replyFrom(`${upstream.origin}/end`, { method: "PATCH", headers, body: '{"名":"中"}' });
    expect(upstream.arrivals).toMatchObject([
      {
        method: "PATCH",
        body: '{"名":"中"}',
        headers: { "content-type": "application/json", "x-tag": "a, b" },
      },
    ]);
  });

  test("a body that is not what its label says", async () => {
    expect(await failureOf(`${upstream.origin}/broken`)).toEqual({
      code: "UPSTREAM_UNPARSABLE",
      upstream: { status: 200, code: null, message: null },
      reason: "it is labelled application/json but holds markup, perhaps an error page",
    });
  });
});

describe("the credential is added last", () => {
  const credential: Credential = {
    headers: [
      ["Authorization", "Bearer s3cret"],
      ["X-Api-Key", "k3y"],
    ],
    query: [["key", "a b&c"]],
    secrets: ["s3cret", "k3y", "a b&c"],
  };

  test("over headers of the same name and over parameters of the same name", async () => {
    await replyFrom(`${upstream.origin}/end?q=a%20b,c&key=forged&k%65y=forged&z`, {
      headers: [
        ["authorization", "forged"],
        ["x-api-key", "forged"],
        ["x-other", "kept"],
      ],
      credential,
    });
    expect(upstream.arrivals).toMatchObject([
      {
        url: "/end?q=a%20b,c&z&key=a+b%26c",
        headers: { authorization: "Bearer s3cret", "x-api-key": "k3y", "x-other": "kept" },
      },
    ]);
  });

  test("and headers that belong to the gateway are not the request's to set", async () => {
    const forged = [
      "Authorization",
      "Cookie",
      "Proxy-Authorization",
      "Host",
      "Content-Length",
      "Transfer-Encoding",
    ];
    await replyFrom(`${upstream.origin}/end`, {
      method: "POST",
      body: "four",
      headers: forged.map((name) => [name, "1"] as const),
    });
    const [arrival] = upstream.arrivals;
    expect(arrival).toMatchObject({ body: "four", headers: { host: new URL(upstream.origin).host } });
    expect(arrival?.headers).toMatchObject({ "content-length": "4" });
    for (const name of ["authorization", "cookie", "proxy-authorization", "transfer-encoding"]) {
      expect(arrival?.headers).not.toHaveProperty(name);
    }
    expect(forged.every(isReservedHeader)).toBe(true);
    expect(isReservedHeader("X-Api-Key")).toBe(false);
  });

  test("a line break at the end of a secret is left off", async () => {
    await replyFrom(`${upstream.origin}/end`, {
      credential: { ...NO_CREDENTIAL, headers: [["X-Api-Key", "k3y\n"]] },
    });
    expect(upstream.arrivals).toMatchObject([{ headers: { "x-api-key": "k3y" } }]);
  });

  test("what the upstream echoes of it is scrubbed", async () => {
    const reply = await replyFrom(`${upstream.origin}/echo`, { credential });
    expect(reply.body).toEqual({
      url: "/echo?key=[redacted]",
      authorization: "Bearer [redacted]",
      key: "[redacted]",
      "Bearer [redacted]": 1,
    });
    expect(reply.headers.get("x-echo")).toBe("Bearer [redacted]");
  });

  test("also from failures", async () => {
    const failure = await failureOf(redirectTo("https://S3cret.internal/"), { credential });
    expect(failure).toMatchObject({ code: "EGRESS_DENIED", host: "[redacted].internal" });
  });
});

describe("what no runtime would send is refused before sending", () => {
  test.each<[string, Change]>([
    ["a line break in a header's value", { headers: [["x-a", "1\r\nx-b: 2"]] }],
    ["text beyond Latin-1 in a header's value", { headers: [["x-a", "中"]] }],
    ["a blank in a header's name", { headers: [["x a", "1"]] }],
    ["an empty header name", { headers: [["", "1"]] }],
    ["a body on GET", { body: "x" }],
    ["a line break within a secret", { credential: { ...NO_CREDENTIAL, headers: [["x-a", "s3\ncret"]] } }],
  ])("%s", async (_name, change) => {
    const failure = await failureOf(`${upstream.origin}/end`, change);
    expect(failure).toMatchObject({ code: "EGRESS_DENIED" });
    expect(JSON.stringify(failure)).not.toContain("cret");
    expect(upstream.arrivals).toEqual([]);
  });
});

describe("the guard stands before every request", () => {
  test("before the first", async () => {
    const closed = { egress: parseEgressPolicy("", "") };
    expect(await failureOf(`${upstream.origin}/end`, { dependencies: closed })).toMatchObject({
      code: "EGRESS_DENIED",
    });
    expect(upstream.arrivals).toEqual([]);
  });

  test.each([
    ["a private address", "http://10.0.0.1/", "10.0.0.1"],
    ["cloud metadata", "https://169.254.169.254/latest/", "169.254.169.254"],
    ["an IPv4-mapped address", "http://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]"],
    ["a user name", "https://user:word@example.com/", "example.com"],
    ["plain http outside", "http://example.com/", "example.com"],
    ["another scheme", "file:///etc/hosts", "a URL of the scheme file"],
  ])("before a redirect to %s", async (_name, target, host) => {
    expect(await failureOf(redirectTo(target))).toMatchObject({ code: "EGRESS_DENIED", host });
    expect(upstream.arrivals).toHaveLength(1);
  });
});

describe("redirects", () => {
  test(`as many as ${MAX_REDIRECTS} are followed`, async () => {
    const reply = await replyFrom(`${upstream.origin}/chain?left=${MAX_REDIRECTS}`);
    expect(reply.body).toBe("end");
    expect(upstream.arrivals).toHaveLength(MAX_REDIRECTS + 1);
  });

  test("one more is not", async () => {
    expect(await failureOf(`${upstream.origin}/chain?left=${MAX_REDIRECTS + 1}`)).toEqual({
      code: "UPSTREAM_UNPARSABLE",
      upstream: { status: 302, code: null, message: null },
      reason: "it redirects more than 3 times",
    });
    expect(upstream.arrivals).toHaveLength(MAX_REDIRECTS + 1);
  });

  test("a redirect without a location is a reply", async () => {
    expect(await replyFrom(`${upstream.origin}/redirect-without-location`)).toMatchObject({
      status: 302,
      body: "here",
    });
  });

  test("a location that is no URL", async () => {
    expect(await failureOf(redirectTo("https://[broken/"))).toMatchObject({
      code: "UPSTREAM_UNPARSABLE",
      reason: "it redirects to something that is no URL",
    });
  });

  test.each<[number, "GET" | "HEAD" | "POST" | "PUT" | "DELETE", string, string]>([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "POST", "GET", ""],
    [307, "POST", "POST", "text"],
    [308, "POST", "POST", "text"],
    [301, "PUT", "PUT", "text"],
    [302, "PUT", "PUT", "text"],
    [303, "PUT", "GET", ""],
    [307, "PUT", "PUT", "text"],
    [303, "DELETE", "GET", ""],
    [303, "HEAD", "HEAD", ""],
    [302, "HEAD", "HEAD", ""],
    [301, "GET", "GET", ""],
  ])("%i after %s becomes %s", async (status, method, becomes, body) => {
    const sent = method === "GET" || method === "HEAD" ? null : "text";
    const headers = [
      ["Content-Type", "text/plain"],
      ["X-Tag", "a"],
    ] as const;
    await replyFrom(redirectTo("/end", status), { method, body: sent, headers });
    const last = upstream.arrivals.at(-1);
    expect(last).toMatchObject({ method: becomes, url: "/end", body, headers: { "x-tag": "a" } });
    expect(last?.headers["content-type"]).toBe(becomes === method ? "text/plain" : undefined);
  });

  const credential: Credential = {
    headers: [
      ["Authorization", "Bearer s3cret"],
      ["X-Api-Key", "k3y"],
    ],
    query: [["key", "qu3ry"]],
    secrets: ["s3cret", "k3y", "qu3ry"],
  };
  const posted: Change = {
    method: "POST",
    body: "private",
    headers: [
      ["Accept", "application/json"],
      ["Content-Type", "text/plain"],
      ["X-Customer", "42"],
    ],
    credential,
  };

  test("within one origin the credential goes along", async () => {
    await replyFrom(redirectTo("/end?page=2", 307), posted);
    expect(upstream.arrivals.at(-1)).toMatchObject({
      url: "/end?page=2&key=qu3ry",
      body: "private",
      headers: { authorization: "Bearer s3cret", "x-api-key": "k3y", "x-customer": "42" },
    });
  });

  test.each<[string, () => [string, Upstream]]>([
    ["another port", () => [`${other.origin}/end?key=qu3ry&page=2`, other]],
    ["another name of the same machine", () => [`${upstream.byName}/end?key=qu3ry&page=2`, upstream]],
    ["a target without a scheme", () => [`//127.0.0.1:${new URL(other.origin).port}/end?page=2`, other]],
  ])("to another origin go neither credential nor body: %s", async (_name, choose) => {
    const [target, server] = choose();
    await replyFrom(redirectTo(target, 307), posted);
    const last = server.arrivals.at(-1);
    expect(last).toMatchObject({ method: "POST", url: "/end?page=2", body: "" });
    expect(last?.headers.accept).toBe("application/json");
    for (const name of ["authorization", "x-api-key", "content-type", "x-customer", "cookie"]) {
      expect(last?.headers).not.toHaveProperty(name);
    }
  });

  test("what was dropped stays dropped on the way back", async () => {
    const back = redirectTo(`${upstream.origin}/end`, 307, other.origin);
    await replyFrom(redirectTo(back, 307), posted);
    expect(other.arrivals).toHaveLength(1);
    const last = upstream.arrivals.at(-1);
    expect(last).toMatchObject({ url: "/end", body: "" });
    expect(last?.headers).not.toHaveProperty("authorization");
  });
});

describe("time", () => {
  test("runs out while no headers come", async () => {
    expect(await failureOf(`${upstream.origin}/silent`, { timeoutMs: 100 })).toEqual({
      code: "UPSTREAM_TIMEOUT",
      timeoutMs: 100,
    });
  });

  test("goes on running when the headers are there and the body drips", async () => {
    expect(await failureOf(`${upstream.origin}/drip`, { timeoutMs: 200 })).toEqual({
      code: "UPSTREAM_TIMEOUT",
      timeoutMs: 200,
    });
  });

  test("is one for the whole chain of redirects", async () => {
    expect(await failureOf(redirectTo("/silent"), { timeoutMs: 200 })).toMatchObject({
      code: "UPSTREAM_TIMEOUT",
    });
  });

  test.each(["/silent", "/drip"])("the caller's own end is told apart from it: %s", async (path) => {
    const caller = new AbortController();
    setTimeout(() => caller.abort(), 50);
    expect(await failureOf(upstream.origin + path, { signal: caller.signal })).toEqual({
      code: "UPSTREAM_UNAVAILABLE",
      upstream: { status: null, code: null, message: "the caller ended the call" },
      retryAfterMs: null,
    });
  });

  test("a caller that has ended already sends nothing", async () => {
    expect(await failureOf(`${upstream.origin}/end`, { signal: AbortSignal.abort() })).toMatchObject({
      upstream: { message: "the caller ended the call" },
    });
    expect(upstream.arrivals).toEqual([]);
  });

  test("an ended attempt closes its connection", async () => {
    await failureOf(`${upstream.origin}/drip`, { timeoutMs: 100 });
    await upstream.arrivals[0]?.closed;
    expect(upstream.arrivals).toHaveLength(1);
  });

  test("a body that is too large closes it too", async () => {
    await failureOf(`${upstream.origin}/flood`, { maxResponseBytes: 1_000 });
    await upstream.arrivals[0]?.closed;
    expect(upstream.arrivals).toHaveLength(1);
  });
});

describe("size", () => {
  test("an endless body is cut off at the cap", async () => {
    expect(await failureOf(`${upstream.origin}/flood`, { maxResponseBytes: 200_000 })).toEqual({
      code: "UPSTREAM_TOO_LARGE",
      upstream: { status: 200, code: null, message: null },
      limitBytes: 200_000,
    });
  });

  test("a small body that unpacks to a large one counts as large", async () => {
    expect(await failureOf(`${upstream.origin}/gzip`, { maxResponseBytes: 10_000 })).toMatchObject({
      code: "UPSTREAM_TOO_LARGE",
    });
  });

  test("a body of exactly the cap is read, of one byte more is not", async () => {
    const size = '{"id":1915000000000000001}'.length;
    await replyFrom(`${upstream.origin}/json`, { maxResponseBytes: size });
    expect(await failureOf(`${upstream.origin}/json`, { maxResponseBytes: size - 1 })).toMatchObject({
      code: "UPSTREAM_TOO_LARGE",
    });
  });
});

describe("a broken connection is no reply", () => {
  test.each([
    ["in the middle of the body", "/cut", "the connection broke in the middle of the reply"],
    ["before the headers", "/hang-up", "no connection, or it broke before the reply"],
  ])("%s", async (_name, path, message) => {
    expect(await failureOf(upstream.origin + path)).toEqual({
      code: "UPSTREAM_UNAVAILABLE",
      upstream: { status: null, code: null, message },
      retryAfterMs: null,
    });
  });

  test("nobody listens", async () => {
    const gone = new Upstream();
    await gone.start();
    const { origin } = gone;
    await gone.stop();
    expect(await failureOf(`${origin}/`)).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      upstream: { status: null },
    });
  });
});

describe("the fetch that is given", () => {
  const answering: typeof fetch = async () => new Response("{}", { headers: JSON_TYPE });

  test("is called as a plain function, for runtimes that check", async () => {
    let receiver: unknown = "not called";
    const strict: typeof fetch = async function (this: unknown) {
      receiver = this;
      return new Response("{}", { headers: JSON_TYPE });
    };
    await replyFrom("http://127.0.0.1/", { dependencies: { fetch: strict } });
    expect(receiver).toBeUndefined();
  });

  test("is told to keep replies out of shared caches", async () => {
    let cache: unknown = "not called";
    const recording: typeof fetch = async (_url, init) => {
      cache = init?.cache;
      return new Response("{}", { headers: JSON_TYPE });
    };
    await replyFrom("http://127.0.0.1/", { dependencies: { fetch: recording } });
    expect(cache).toBe("no-store");
  });

  test("leaves nothing behind: neither a timer nor a listener on the caller's signal", async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((resource: string) => resource === "Timeout").length;
    const caller = new AbortController();
    const before = timers();
    await replyFrom("http://127.0.0.1/", { signal: caller.signal, dependencies: { fetch: answering } });
    expect(timers()).toBe(before);
    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  });
});
