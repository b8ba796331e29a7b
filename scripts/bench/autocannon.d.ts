/** The part of autocannon 9 that the benchmarks use; the package itself has no types. */
declare module "autocannon" {
  interface Options {
    url: string;
    method: "GET" | "POST" | "PUT";
    headers: Record<string, string>;
    body?: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Milliseconds between two looks at whether the time is up. */
    sampleInt: number;
    /** Seconds until a reply counts as missing. */
    timeout: number;
  }

  interface Outcome {
    /** Seconds. */
    duration: number;
    requests: { total: number };
    /** Broken connections and missing replies. */
    errors: number;
    resets: number;
    non2xx: number;
    statusCodeStats: Record<string, { count: number }>;
  }

  interface Run extends Promise<Outcome> {
    on(
      event: "response",
      listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void,
    ): Run;
  }

  export default function autocannon(options: Options): Run;
}
