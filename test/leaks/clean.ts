import { expect, inject } from "vitest";
import { leaksIn } from "./find.ts";

const needles = inject("needles");

/** Expects that no planted secret stands in a reply. */
export function expectClean(headers: Headers, text: string): void {
  expect(leaksIn(`${JSON.stringify([...headers])}\n${text}`, needles)).toEqual([]);
}
