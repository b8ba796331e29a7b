import type { ExactLimits } from "../limiter/exact/object.ts";

/** The bindings: the store, the object that counts, and texts that are the operator's variables and secrets. */
export interface Env {
  STORE?: KVNamespace;
  LIMITS?: DurableObjectNamespace<ExactLimits>;
  [variable: string]: unknown;
}

/** A variable or secret without the blanks around it: what is piped into wrangler often ends in a newline. */
export function textOf(env: Env, variable: string): string | undefined {
  const value = env[variable];
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

/** Ends after so many milliseconds, or as soon as the signal fires. */
export function sleep(milliseconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, signal?.aborted === true ? 0 : milliseconds);
    signal?.addEventListener("abort", wake);
  });
}
