import { describe, expect, test } from "vitest";
import { createRequestLog } from "../../scripts/sandbox/request-log.ts";

describe("a log with room for three", () => {
  test.each([
    [0, []],
    [2, ["/0", "/1"]],
    [3, ["/0", "/1", "/2"]],
    [4, ["/1", "/2", "/3"]],
    [8, ["/5", "/6", "/7"]],
  ])("after %d requests counts them all and keeps the latest, oldest first", (count, paths) => {
    const log = createRequestLog(3);
    for (let index = 0; index < count; index += 1) {
      log.add({ time: index, method: "GET", path: `/${index}`, query: "", headerNames: [], headers: {} });
    }
    expect(log.read().count).toBe(count);
    expect(log.read().requests.map(({ path }) => path)).toEqual(paths);
  });
});
