/// <reference types="@cloudflare/vitest-plugin/types" />
import { env } from "cloudflare:workers";
import { afterAll, expect, inject } from "vitest";
import { leaksIn } from "./find.ts";

/** All that a store holds: keys, what is noted with them, and values. */
async function contentOf(store: KVNamespace): Promise<string> {
  const { keys } = await store.list();
  const values = await Promise.all(keys.map(({ name }) => store.get(name)));
  return JSON.stringify(keys) + values.join("\n");
}

afterAll(async () => {
  expect(leaksIn(await contentOf(env.STORE), inject("needles"))).toEqual([]);
});
