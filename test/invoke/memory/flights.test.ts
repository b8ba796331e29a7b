import { describe, expect, test } from "vitest";
import { Flights } from "../../../src/invoke/memory/flights.ts";

describe("flights", () => {
  test("make a thing once for all who ask meanwhile, and anew for who asks later", async () => {
    const flights = new Flights<number>();
    let made = 0;
    const ask = () => flights.join("key", async () => ++made, 1_000);
    const landings = await Promise.all([ask(), ask(), ask()]);
    expect(landings).toEqual([
      { value: 1, isOwn: true },
      { value: 1, isOwn: false },
      { value: 1, isOwn: false },
    ]);
    expect(await ask()).toEqual({ value: 2, isOwn: true });
  });

  test("make different things for different keys", async () => {
    const flights = new Flights<string>();
    const landings = await Promise.all(["a", "b"].map((key) => flights.join(key, async () => key, 1_000)));
    expect(landings.map(({ value }) => value)).toEqual(["a", "b"]);
  });

  test("that never land are waited for only so long, and then there is a new one to join", async () => {
    const flights = new Flights<string>();
    void flights.join("key", () => new Promise(() => {}), 1);
    const late = flights.join("key", async () => "late", 1);
    expect(await late).toEqual({ value: "late", isOwn: true });
    expect(await flights.join("key", async () => "later", 1)).toEqual({ value: "later", isOwn: true });
  });
});
