import { describe, expect, test } from "vitest";
import { createAutoLimiter } from "../../../src/limiter/choice/auto.ts";
import { createMemoryLimiter, type Limit, type Limiter } from "../../../src/limiter/index.ts";
import { MIDNIGHT } from "../kv/place.ts";
import { dayLimit, describeLimiter, minuteLimit } from "../limiter.contract.ts";

const isSmall = ({ max }: Limit): boolean => max < 10;

// Which of the two counts a limit is told by its bucket here, since the contract has limits that share a counter.
describeLimiter("a limiter that has some limits counted elsewhere", (time) =>
  createAutoLimiter({
    kv: createMemoryLimiter(time.now),
    exact: createMemoryLimiter(time.now),
    takesExact: ({ bucket }) => bucket.length % 2 === 0,
  }),
);

function both(now: () => number): { auto: Limiter; kv: Limiter; exact: Limiter } {
  const [kv, exact] = [createMemoryLimiter(now), createMemoryLimiter(now)];
  return { auto: createAutoLimiter({ kv, exact, takesExact: isSmall }), kv, exact };
}

async function used(limiter: Limiter, limit: Limit): Promise<number | undefined> {
  return (await limiter.look([limit]))[0]?.used;
}

const SMALL = minuteLimit(5, "small");
const LARGE = minuteLimit(50, "large");

describe("a call whose limits are counted in two places", () => {
  test("counts in each where it belongs", async () => {
    const { auto, kv, exact } = both(() => MIDNIGHT);
    const { states } = await auto.admit([LARGE, SMALL], 2);
    expect(states.map(({ limit, used: spent }) => [limit, spent])).toEqual([
      [LARGE, 2],
      [SMALL, 2],
    ]);
    expect([await used(kv, LARGE), await used(exact, SMALL)]).toEqual([2, 2]);
    expect([await used(kv, SMALL), await used(exact, LARGE)]).toEqual([0, 0]);
    auto.release([LARGE, SMALL], 2);
    expect([await used(kv, LARGE), await used(exact, SMALL)]).toEqual([0, 0]);
  });

  test.each([
    ["small", 6, SMALL],
    ["large", 51, LARGE],
  ])("counts in neither where the %s one refuses, and tells how both stand", async (_name, cost, limit) => {
    const { auto, kv, exact } = both(() => MIDNIGHT);
    await auto.admit([LARGE, SMALL], 3);
    const refused = await auto.admit([LARGE, limit], cost);
    expect(refused).toMatchObject({ admitted: false, refusedBy: limit, retryAfterMs: null });
    expect([await used(kv, LARGE), await used(exact, SMALL)]).toEqual([3, 3]);
  });

  test("waits for the limit that admits last, whichever place counts it", async () => {
    const { auto } = both(() => MIDNIGHT);
    const quota = dayLimit(5, "quota");
    const minute = minuteLimit(10, "large");
    await auto.admit([quota], 5);
    await auto.admit([minute], 10);
    expect(await auto.admit([minute, quota], 1)).toMatchObject({
      admitted: false,
      refusedBy: quota,
      retryAfterMs: 86_400_000,
      states: [{ left: 0 }, { left: 0 }],
    });
  });
});
