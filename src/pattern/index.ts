export { backtracksLittle } from "./backtracking.ts";
export { cachedPattern, compilePattern, PatternError } from "./pattern.ts";
