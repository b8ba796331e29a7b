import { failed } from "../../src/errors.ts";
import { CallerBudget } from "../../src/invoke/limits/caller-budget.ts";
import { LimitReport } from "../../src/invoke/limits/report.ts";
import { Patience, type Run, startShare } from "../../src/invoke/run.ts";

/** The run of a call whose caller may spend what it likes, unless it says otherwise; it begins at 0. */
export function runWith(change: Partial<Run> = {}): Run {
  return {
    ...startShare(0),
    id: "request-1",
    tenant: "t",
    view: "",
    find: async () => failed({ code: "INTERNAL" }),
    caller: new CallerBudget([]),
    limits: new LimitReport(),
    patience: new Patience(),
    traffic: { sent: 0 },
    signal: null,
    path: [],
    ...change,
  };
}
