import { describe, expect, test } from "vitest";
import { KEY, started } from "../started.ts";

const PATH = "/v1/market/ticker?symbols=BTC.USDT";

function ordering(fault: string): { headers: Record<string, string> } {
  return { headers: { "X-API-Key": KEY, "X-Sandbox-Fault": fault } };
}

describe("faults that still give a reply", () => {
  test.each([
    ["status=503", 503, 503],
    ["code=5000", 200, 5000],
    ["status=500,code=5001", 500, 5001],
    ["code=5001,status=500", 500, 5001],
    ["delay=1,drip=0,code=3001", 200, 3001],
    [" code=5000 , delay=1 ", 200, 5000],
    ["huge=150", 200, 0],
  ])("%s", async (fault, status, code) => {
    const { ask } = await started();
    const reply = await ask(PATH, ordering(fault));
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([status, code]);
  });

  test.each([
    ["content-type=text/html; charset=gbk", 200, "Content-Type", "text/html; charset=gbk"],
    ["redirect=http://127.0.0.1:9/a?b=c%2Cd", 302, "Location", "http://127.0.0.1:9/a?b=c,d"],
    ["status=429,retry-after=7", 429, "Retry-After", "7"],
    [
      "status=429,retry-after=Fri%2C 01 Jan 2027 00:00:00 GMT",
      429,
      "Retry-After",
      "Fri, 01 Jan 2027 00:00:00 GMT",
    ],
  ])("%s", async (fault, status, name, value) => {
    const { ask } = await started();
    const reply = await ask(PATH, ordering(fault));
    expect([reply.status, reply.headers.get(name)]).toEqual([status, value]);
  });

  test.each([
    ["empty", 200],
    ["status=204", 204],
  ])("%s has no body", async (fault, status) => {
    const { ask } = await started();
    const reply = await ask(PATH, ordering(fault));
    expect([reply.status, reply.text, reply.headers.get("Content-Type")]).toEqual([
      status,
      "",
      "application/json",
    ]);
  });

  test("huge streams exactly as many bytes as were ordered, without saying so first", async () => {
    const { ask } = await started();
    const reply = await ask(PATH, ordering("huge=3000000"));
    expect([reply.text.length, reply.headers.get("Content-Length")]).toEqual([3_000_000, null]);
    expect(Object.keys(JSON.parse(reply.text))).toEqual(["code", "message", "data"]);
  });

  test("delay waits that long and then gives the usual reply", async () => {
    const { ask } = await started();
    const before = performance.now();
    const reply = await ask(PATH, ordering("delay=50"));
    expect(performance.now() - before).toBeGreaterThanOrEqual(49);
    expect(JSON.parse(reply.text).code).toBe(0);
  });
});

describe("faults of the connection", () => {
  test("drip sends headers and one byte at once, and the rest at its own pace", async () => {
    const { sandbox } = await started();
    const response = await fetch(sandbox.url + PATH, ordering("drip=600000"));
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect([response.status, value?.length]).toEqual([200, 1]);
  });

  test("cut ends the connection in the middle of the body", async () => {
    const { sandbox, ask } = await started();
    const whole = (await ask(PATH)).text;
    const response = await fetch(sandbox.url + PATH, ordering("cut"));
    const { value } = (await response.clone().body?.getReader().read()) ?? {};
    expect(response.status).toBe(200);
    expect(value?.length).toBeGreaterThan(0);
    expect(value?.length).toBeLessThan(whole.length);
    await expect(response.text()).rejects.toThrow("terminated");
  });

  test("drop ends it before anything was sent, and other requests are served on", async () => {
    const { ask } = await started();
    await expect(ask(PATH, ordering("drop"))).rejects.toThrow("fetch failed");
    expect((await ask(PATH)).status).toBe(200);
  });

  test.each(["huge=900000000", "drip=600000", "delay=600000"])(
    "a caller that leaves early takes nothing down: %s",
    async (fault) => {
      const { sandbox, ask } = await started();
      const caller = new AbortController();
      const call = fetch(sandbox.url + PATH, { ...ordering(fault), signal: caller.signal });
      while (sandbox.requests().count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      caller.abort();
      await expect(call.then((response) => response.text())).rejects.toThrow(/abort/);
      expect((await ask(PATH)).status).toBe(200);
    },
  );
});

describe("times", () => {
  test("lets the first requests fail and the next succeed", async () => {
    const { ask } = await started();
    const statuses = [];
    for (let call = 0; call < 4; call += 1)
      statuses.push((await ask(PATH, ordering("status=503,times=2"))).status);
    expect(statuses).toEqual([503, 503, 200, 200]);
  });

  test("counts each order by itself: another query or another order begins anew", async () => {
    const { ask } = await started();
    const order = ordering("status=503,times=1");
    const other = PATH.replace("BTC", "ETH");
    const statuses = [await ask(PATH, order), await ask(PATH, order), await ask(other, order)];
    expect(statuses.map(({ status }) => status)).toEqual([503, 200, 503]);
  });
});

describe("where a fault comes from", () => {
  const put = (path: string, fault: string) => ({ method: "PUT", body: JSON.stringify({ path, fault }) });

  test("the query parameter works like the header", async () => {
    const { ask } = await started();
    expect((await ask(`${PATH}&sandbox_fault=status%3D502%2Ctimes%3D1`)).status).toBe(502);
  });

  test("an order for a path reaches every request for it and no other, until it is cleared", async () => {
    const { ask } = await started();
    expect((await ask("/__sandbox/faults", put("/v1/market/ticker", "status=503"))).status).toBe(204);
    expect((await ask(PATH)).status).toBe(503);
    expect((await ask(PATH.replace("BTC", "ETH"))).status).toBe(503);
    expect((await ask("/v1/symbols/available")).status).toBe(200);
    expect((await ask("/__sandbox/faults", { method: "DELETE" })).status).toBe(204);
    expect((await ask(PATH)).status).toBe(200);
  });

  test("an order for a path may be for the first requests only, and starts anew when it is given again", async () => {
    const { ask } = await started();
    const statuses: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      await ask("/__sandbox/faults", put("/v1/market/ticker", "code=5000,times=1"));
      for (let call = 0; call < 2; call += 1) statuses.push(JSON.parse((await ask(PATH)).text).code);
    }
    expect(statuses).toEqual([5000, 0, 5000, 0]);
  });

  test("what a request orders itself goes before what is ordered for its path", async () => {
    const { ask } = await started();
    await ask("/__sandbox/faults", put("/v1/market/ticker", "status=503"));
    expect((await ask(PATH, ordering("status=418"))).status).toBe(418);
  });

  test.each([
    "nonsense",
    "",
    "status=99",
    "status=abc",
    "delay=-1",
    "cut=1",
    "times=0",
    "status=503,,",
    "huge=99",
  ])("an order that makes no sense is refused: %j", async (fault) => {
    const { ask } = await started();
    expect((await ask(PATH, ordering(fault))).status).toBe(400);
    expect((await ask("/__sandbox/faults", put("/v1/market/ticker", fault))).status).toBe(400);
  });

  test.each([
    "",
    "{",
    "[]",
    '{"path":"/x"}',
    '{"path":"x","fault":"cut"}',
    '{"path":"/x","fault":"retry-after=a\\nb"}',
  ])("a malformed order for a path is refused: %s", async (body) => {
    const { ask } = await started();
    expect((await ask("/__sandbox/faults", { method: "PUT", body })).status).toBe(400);
  });
});

describe("echo says back what the request showed", () => {
  const KEYS = ["hk/1+a b", "qk/2+c d", "bt/3"];
  const [inHeader = "", inQuery = "", bearer = ""] = KEYS;

  async function echoed(fault: string): Promise<{ status: number; text: string; headers: Headers }> {
    const { ask } = await started();
    const headers = { "X-API-Key": inHeader, Authorization: `Bearer ${bearer}`, "X-Sandbox-Fault": fault };
    return ask(`/v1/market/ticker?api_key=${encodeURIComponent(inQuery)}`, { headers });
  }

  test.each(["body,status=200", "message", "text", "html"])("echo=%s: in every spelling", async (fault) => {
    const { text } = await echoed(`echo=${fault}`);
    for (const key of KEYS) {
      expect(text).toContain(encodeURIComponent(key));
      expect(text).toContain(Buffer.from(key).toString("base64"));
      expect(text).toContain(Buffer.from(key).toString("hex"));
    }
  });

  test.each([
    ["echo=location", 302, "Location", /^\/echoed\/hk%2F1%2Ba%20b$/],
    ["echo=host", 302, "Location", /^http:\/\/hk-1-a-b\.invalid\/$/],
    ["echo=type", 200, "Content-Type", /^application\/hk-1\+a-b$/],
    ["echo=header", 200, "X-Echo-0", /^hk%2F1%2Ba%20b$/],
    ["echo=link,status=200", 200, "Link", /^<\/echoed\?key=hk%2F1%2Ba%20b>; rel="next"$/],
  ])("%s", async (fault, status, name, value) => {
    const reply = await echoed(fault);
    expect([reply.status, reply.headers.get(name)]).toEqual([status, expect.stringMatching(value)]);
  });

  test("a client's secret, by itself and with its name", async () => {
    const { ask } = await started();
    const pair = Buffer.from("client:s3/cret").toString("base64");
    const headers = { Authorization: `Basic ${pair}`, "X-Sandbox-Fault": "echo=text" };
    const { text } = await ask("/oauth2/token", {
      method: "POST",
      headers,
      body: "client_secret=in+the+form",
    });
    for (const said of [pair, "client:s3/cret", "s3%2Fcret", "in the form"]) expect(text).toContain(said);
  });
});
