export { backtracksLittle } from "./backtracking.ts";
export { cachedPattern, compilePattern, type Pattern, type PatternBudget, PatternError } from "./pattern.ts";
