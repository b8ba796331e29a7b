export { backtracksLittle } from "./backtracking.ts";
export { cachedPattern, compilePattern, type Pattern, PatternError } from "./pattern.ts";
