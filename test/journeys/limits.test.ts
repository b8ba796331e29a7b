import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type StartedGateway, startGateway } from "./started.ts";

const evidence = inject("evidence");
let stateDir = "";
beforeAll(async () => {
  await mkdir(evidence, { recursive: true });
  stateDir = await mkdtemp(join(evidence, "state-"));
});

async function calculate(gateway: StartedGateway): Promise<Response> {
  const body = JSON.stringify({ expression: "1 + 1" });
  return fetch(`${gateway.url}/v1/invoke/calculate_math`, { method: "POST", body });
}

async function statuses(gateway: StartedGateway, calls: number): Promise<number[]> {
  const replies: number[] = [];
  for (let call = 0; call < calls; call += 1) replies.push((await calculate(gateway)).status);
  return replies;
}

describe("a gateway that limits its key", () => {
  test.each([
    ["exact", 5],
    // Calls that an isolate has claimed in KV and not made are lost with it.
    ["kv", 4],
  ])("counts a day's quota on after a restart, with LIMITER=%s", async (limiter, least) => {
    const variables = {
      LIMITER: limiter,
      SKILLGATE_KEY_LIMITS: "100/minute, 5/day Pacific/Kiritimati",
      STATE_DIR: join(stateDir, limiter),
    };
    const before = await startGateway(evidence, variables);
    expect(await statuses(before, 3)).toEqual([200, 200, 200]);
    // Counts are written to KV after the replies, a second apart.
    await new Promise((wake) => setTimeout(wake, 2_500));
    await before.stop();
    const after = await startGateway(evidence, variables);
    const later = await statuses(after, 3);
    const admitted = 3 + later.filter((status) => status === 200).length;
    expect(admitted).toBeGreaterThanOrEqual(least);
    expect(admitted).toBeLessThanOrEqual(5);
    const refused = await calculate(after);
    expect(await refused.json()).toMatchObject({
      error_code: "DAILY_QUOTA_EXCEEDED",
      error: expect.stringMatching(/00:00 \(Pacific\/Kiritimati\)\.$/),
    });
    expect(refused.headers.get("ratelimit")).toContain('"key:operator/day@Pacific/Kiritimati";r=0;t=');
    const listed = await (await fetch(`${after.url}/v1/limits`)).json();
    expect(listed).toMatchObject({
      limits: expect.arrayContaining([
        expect.objectContaining({ label: "this key", window: "minute", max: 100 }),
        expect.objectContaining({ label: "this key", window: "day", max: 5, left: 0 }),
      ]),
    });
    await after.stop();
  });

  test("says at its start what it cannot make of its settings, and goes on without", async () => {
    const variables = { LIMITER: "redis", SKILLGATE_KEY_LIMITS: "many/minute, 50/minute" };
    const gateway = await startGateway(evidence, variables);
    expect(await (await fetch(`${gateway.url}/health`)).json()).toMatchObject({
      stores: { limits: "auto" },
      faults: [
        'LIMITER is one of memory, kv, exact, auto, not "redis"; auto is used',
        expect.stringContaining('SKILLGATE_KEY_LIMITS: "many/minute" is no limit'),
      ],
    });
    expect((await calculate(gateway)).headers.get("ratelimit-policy")).toBe(
      '"key:operator/minute";q=50;w=60',
    );
    await expect.poll(() => gateway.output()).toContain("settings-fault");
    await gateway.stop();
  });
});
