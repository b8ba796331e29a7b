import { describe, expect, test } from "vitest";
import { RememberedRecords } from "../../src/access/records.ts";
import { failed, type Result, success } from "../../src/errors.ts";
import { MAX_REMEMBERED_RECORDS, STALE_RECORD_MS } from "../../src/limits.ts";

const FRESH_MS = 5_000;
const DOWN: Result<never> = failed({ code: "STORE_UNAVAILABLE", operation: "read" });

function setting() {
  const clock = { now: 1_000_000 };
  const records = new RememberedRecords<string>(FRESH_MS, () => clock.now);
  const read = (result: Result<string | null>) => records.refresh("a", async () => result);
  return { clock, records, read };
}

describe("a record that was read", () => {
  test.each(["value", null])("is fresh for the window, there or not: %j", async (value) => {
    const { clock, records, read } = setting();
    expect(records.fresh("a")).toBeUndefined();
    await read(success(value));
    clock.now += FRESH_MS - 1;
    expect(records.fresh("a")).toBe(value);
    clock.now += 1;
    expect(records.fresh("a")).toBeUndefined();
  });

  test("is good for a minute more while the store answers nothing, and then no longer", async () => {
    const { clock, read } = setting();
    await read(success("value"));
    clock.now += FRESH_MS + STALE_RECORD_MS - 1;
    expect(await read(DOWN)).toEqual(success("value"));
    clock.now += 1;
    expect(await read(DOWN)).toEqual(DOWN);
  });

  test("is not known where it was not there, or never looked for, and the store answers nothing", async () => {
    const { clock, read } = setting();
    expect(await read(DOWN)).toEqual(DOWN);
    await read(success(null));
    clock.now += FRESH_MS;
    expect(await read(DOWN)).toEqual(DOWN);
  });

  test("does not come back by a reading that was begun before it was removed", async () => {
    const { clock, records, read } = setting();
    await read(success("value"));
    clock.now += FRESH_MS;
    const late = records.refresh("a", async () => {
      records.remember("a", null, 60_000);
      return success("value");
    });
    expect(await late).toEqual(success(null));
    expect(records.fresh("a")).toBeNull();
  });

  test("does not come back within what the store may still show after it was removed", async () => {
    const { clock, records, read } = setting();
    await read(success("value"));
    records.remember("a", null, 60_000);
    clock.now += 59_999;
    expect(records.fresh("a")).toBeNull();
  });
});

describe("what is remembered", () => {
  test("is bounded, and names that are not there push out none that are", () => {
    const { records } = setting();
    records.remember("kept", "value");
    for (let index = 0; index < 3 * MAX_REMEMBERED_RECORDS; index++) records.remember(`no ${index}`, null);
    expect(records.fresh("kept")).toBe("value");
    expect(records.fresh("no 0")).toBeUndefined();
    expect(records.fresh(`no ${3 * MAX_REMEMBERED_RECORDS - 1}`)).toBeNull();
    for (let index = 0; index < MAX_REMEMBERED_RECORDS; index++) records.remember(`yes ${index}`, "value");
    expect(records.fresh("kept")).toBeUndefined();
  });

  test.each(["__proto__", "constructor", "toString"])("has nothing by itself: %s", (name) => {
    expect(setting().records.fresh(name)).toBeUndefined();
    expect(setting().records.hasSeen(name)).toBe(false);
  });
});
