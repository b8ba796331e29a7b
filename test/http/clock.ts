import { vi } from "vitest";

const now = Date.now.bind(Date);
let aheadMs = 0;

/** Lets time pass for the worker, whose clock is the test's: what was to be waited for is over. */
export function letPass(milliseconds: number): void {
  aheadMs += milliseconds;
  vi.spyOn(Date, "now").mockImplementation(() => now() + aheadMs);
}
