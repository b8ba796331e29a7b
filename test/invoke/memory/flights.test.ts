import { describe, expect, test } from "vitest";
import { Flights } from "../../../src/invoke/memory/flights.ts";
import { FLIGHT_BEAT_MS } from "../../../src/limits.ts";

interface Pause {
  milliseconds: number;
  end: () => void;
  isGivenUp: () => boolean;
}

/** A platform whose pauses end when a test says so: the beats of those who make, and the pauses of those who wait. */
function platform() {
  const pauses: Pause[] = [];
  const beats: Pause[] = [];
  const background: Promise<unknown>[] = [];
  return {
    pauses,
    beats,
    background,
    ofLength: (wanted: number) => pauses.filter(({ milliseconds }) => milliseconds === wanted),
    sleep: (milliseconds: number, signal: AbortSignal | null) =>
      new Promise<void>((end) => {
        const kind = milliseconds === FLIGHT_BEAT_MS ? beats : pauses;
        kind.push({ milliseconds, end, isGivenUp: () => signal?.aborted === true });
      }),
    waitUntil: (work: Promise<unknown>) => background.push(work),
  };
}

const PATIENT = { signal: null, patienceMs: 5_000, timeLeftMs: 60_000 };
const NEVER = () => new Promise<never>(() => {});
/** Lets all that can happen happen. */
const turn = () => new Promise((resolve) => setTimeout(resolve));

describe("flights", () => {
  test("make a thing once for all who ask meanwhile, and anew for who asks later", async () => {
    const flights = new Flights<number>(platform());
    let made = 0;
    const ask = () => flights.join("key", PATIENT, async () => ++made);
    const landings = await Promise.all([ask(), ask(), ask()]);
    expect(landings).toEqual([
      { value: 1, isOwn: true },
      { value: 1, isOwn: false },
      { value: 1, isOwn: false },
    ]);
    expect(await ask()).toEqual({ value: 2, isOwn: true });
  });

  test("make different things for different keys", async () => {
    const flights = new Flights<string>(platform());
    const landings = await Promise.all(["a", "b"].map((key) => flights.join(key, PATIENT, async () => key)));
    expect(landings.map((landing) => landing?.value)).toEqual(["a", "b"]);
  });

  test("are left by who has no more time, and waited for by the others as before", async () => {
    const { ofLength, ...rest } = platform();
    const flights = new Flights<string>(rest);
    const making = Promise.withResolvers<string>();
    const first = flights.join("key", PATIENT, () => making.promise);
    const hurried = flights.join("key", { ...PATIENT, timeLeftMs: 500 }, NEVER);
    ofLength(500)[0]?.end();
    expect(await hurried).toBeNull();
    const second = flights.join("key", PATIENT, NEVER);
    making.resolve("made");
    expect(await Promise.all([first, second])).toEqual([
      { value: "made", isOwn: true },
      { value: "made", isOwn: false },
    ]);
  });

  test("give up the measuring of time and patience, and their beats, when they land", async () => {
    const { pauses, beats, ...rest } = platform();
    const flights = new Flights<string>(rest);
    const making = Promise.withResolvers<string>();
    const landings = [1, 2].map(() => flights.join("key", PATIENT, () => making.promise));
    making.resolve("made");
    await Promise.all(landings);
    expect([...pauses, ...beats].map(({ isGivenUp }) => isGivenUp())).toEqual([true, true, true]);
  });

  test("are the platform's to keep alive until they land", async () => {
    const { background, ...rest } = platform();
    const flights = new Flights<string>(rest);
    const making = Promise.withResolvers<string>();
    const landing = flights.join("key", PATIENT, () => making.promise);
    let isOver = false;
    void Promise.all(background).then(() => {
      isOver = true;
    });
    await turn();
    expect([background.length, isOver]).toEqual([1, false]);
    making.resolve("made");
    await landing;
    await turn();
    expect(isOver).toBe(true);
  });

  test("fly on while anybody waits, and are ended when nobody does", async () => {
    const flights = new Flights<string>(platform());
    const controllers = [new AbortController(), new AbortController()];
    let making: AbortSignal | undefined;
    const landings = controllers.map(({ signal }) =>
      flights.join("key", { signal, patienceMs: 5_000, timeLeftMs: 60_000 }, (deserted) => {
        making = deserted;
        return NEVER();
      }),
    );
    controllers[0]?.abort();
    expect(await landings[0]).toBeNull();
    expect(making?.aborted).toBe(false);
    controllers[1]?.abort();
    expect(await landings[1]).toBeNull();
    await turn();
    expect(making?.aborted).toBe(true);
    expect(await flights.join("key", PATIENT, async () => "anew")).toEqual({ value: "anew", isOwn: true });
  });

  test("are not begun by who has gone already, for anybody but who has not", async () => {
    const flights = new Flights<string>(platform());
    const gone = { signal: AbortSignal.abort(), patienceMs: 5_000, timeLeftMs: 60_000 };
    expect(await flights.join("key", gone, NEVER)).toBeNull();
    expect(await flights.join("key", PATIENT, async () => "made")).toEqual({ value: "made", isOwn: true });
  });

  test("that break, break for all, and are flown anew", async () => {
    const flights = new Flights<string>(platform());
    const broken = async () => {
      throw new Error("broken");
    };
    const landings = [1, 2].map(() => flights.join("key", PATIENT, broken));
    const settled = await Promise.allSettled(landings);
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await flights.join("key", PATIENT, async () => "made")).toEqual({ value: "made", isOwn: true });
  });
});

describe("flights of others", () => {
  test("that never land are waited for only so long, and then one makes a new one for all", async () => {
    const { ofLength, ...rest } = platform();
    const flights = new Flights<string>(rest);
    void flights.join("key", PATIENT, NEVER);
    const late = ["first", "second", "third"].map((value) => flights.join("key", PATIENT, async () => value));
    expect(ofLength(5_000)).toHaveLength(3);
    // Whoever is the first to find it out tells the others.
    ofLength(5_000)[1]?.end();
    expect(await Promise.all(late)).toEqual([
      { value: "first", isOwn: true },
      { value: "first", isOwn: false },
      { value: "first", isOwn: false },
    ]);
  });

  test("are waited for as long as their makers show that they live, however long that takes", async () => {
    const { ofLength, beats, ...rest } = platform();
    const flights = new Flights<string>(rest);
    const making = Promise.withResolvers<string>();
    const first = flights.join("key", PATIENT, () => making.promise);
    let begun = 0;
    const second = flights.join("key", PATIENT, async () => `anew ${++begun}`);
    for (let time = 0; time < 4; time += 1) {
      beats.at(-1)?.end();
      await turn();
      ofLength(5_000).at(-1)?.end();
      await turn();
    }
    expect([ofLength(5_000).length, begun]).toEqual([5, 0]);
    making.resolve("made");
    expect(await Promise.all([first, second])).toEqual([
      { value: "made", isOwn: true },
      { value: "made", isOwn: false },
    ]);
  });

  test("that were taken for lost and land all the same are as good as the new ones", async () => {
    const { ofLength, ...rest } = platform();
    const flights = new Flights<string>(rest);
    const making = Promise.withResolvers<string>();
    const first = flights.join("key", PATIENT, () => making.promise);
    let anew: AbortSignal | undefined;
    const second = flights.join("key", PATIENT, (deserted) => {
      anew = deserted;
      return NEVER();
    });
    ofLength(5_000)[0]?.end();
    await turn();
    expect(anew?.aborted).toBe(false);
    making.resolve("made");
    expect(await Promise.all([first, second])).toEqual([
      { value: "made", isOwn: true },
      { value: "made", isOwn: false },
    ]);
    await turn();
    expect(anew?.aborted).toBe(true);
  });
});
