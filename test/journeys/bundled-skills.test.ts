import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type StartedGateway, startGateway } from "./started.ts";

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway(inject("evidence"));
});
afterAll(async () => {
  await gateway.stop();
});

interface Reply<Data> {
  data: Data;
  meta: { skill: string; attempts: number };
  error_code: string;
}

async function invoke<Data>(name: string, args: unknown): Promise<Reply<Data>> {
  const path = `${gateway.url}/v1/invoke/${name}`;
  const response = await fetch(path, { method: "POST", body: JSON.stringify(args) });
  return (await response.json()) as Reply<Data>;
}

interface Circle {
  circle_id: number;
  name: string;
}

interface Place {
  latitude: number;
  longitude: number;
  timezone: string;
}

describe("a question that takes several calls", () => {
  test("北京明天会下雨吗: the place, the date there, its forecast", async () => {
    const found = await invoke<{ places: Place[] }>("geocode_place", { name: "北京", language: "zh" });
    const { latitude, longitude, timezone } = found.data.places[0] ?? {};
    const clock = await invoke<{ date: string }>("get_current_time", { timezone });
    const { data, meta } = await invoke<{ daily: Record<string, unknown[]> }>("get_weather_forecast", {
      latitude,
      longitude,
      daily: ["precipitation_probability_max", "precipitation_sum"],
      forecast_days: 2,
    });
    expect(data.daily.time?.[0]).toBe(clock.data.date);
    expect(data.daily.precipitation_probability_max).toHaveLength(2);
    expect(meta).toMatchObject({ skill: "weather", attempts: 1 });
  });

  test("白酒圈的热门持仓: the circle, then what its members hold, the day before", async () => {
    const found = await invoke<{ circles: Circle[] }>("search_circle", { question: "白酒有哪些圈子" });
    const [circle] = found.data.circles;
    expect(circle).toEqual(expect.objectContaining({ circle_id: 206, name: "白酒研究社" }));
    const held = await invoke<{ data_date: string; trade_date: string; holdings: { holders: number }[] }>(
      "hot_holdings",
      { circle_id: circle?.circle_id },
    );
    expect(held.data.trade_date < held.data.data_date).toBe(true);
    expect(held.data.holdings.length).toBeGreaterThan(0);
  });

  test("the price of Tencent in euros: a quote, then its currency converted", async () => {
    const quote = await invoke<{ values: { price: number } }>("get_realtime_price", { symbol: "700.HK" });
    const { price } = quote.data.values;
    const { data } = await invoke<{ rate: number; result: number }>("convert_currency", {
      amount: price,
      from: "HKD",
      to: "EUR",
    });
    expect(data.result).toBeCloseTo(price * data.rate, 3);
    const sum = await invoke<{ result: number }>("calculate_math", { expression: `${price} * ${data.rate}` });
    expect(sum.data.result).toBeCloseTo(data.result, 3);
  });

  test("news on chips: a search with the sandbox's key", async () => {
    const { data } = await invoke<{ results: { title: string }[] }>("search_web", {
      query: "半导体设备",
      language: "zh-hans",
      freshness: "week",
    });
    expect(data.results[0]?.title).toBe("半导体设备国产化提速");
  });
});

test.each([
  ["a currency without a rate", "convert_currency", { amount: 1, from: "USD", to: "TWD" }, "NOT_COVERED"],
  [
    "a day far ahead",
    "get_weather_forecast",
    { latitude: 0, longitude: 0, start_date: "2099-01-01" },
    "NOT_COVERED",
  ],
  ["an id that is no number", "hot_holdings", { circle_id: "圈子118" }, "INVALID_ARGUMENTS"],
  ["a circle that does not exist", "hot_holdings", { circle_id: 7 }, "UPSTREAM_REJECTED"],
  ["a zone that does not exist", "get_current_time", { timezone: "Moon/Base" }, "EXPRESSION_FAILED"],
  ["a sum that is none", "calculate_math", { expression: "2 +" }, "EXPRESSION_FAILED"],
])("what cannot be answered is refused by its right name: %s", async (_what, name, args, code) => {
  expect((await invoke(name, args)).error_code).toBe(code);
});
