/** A worker whose requests wait for each other by flights, run by a test in workerd, where each has its own context. */
import { waitUntil } from "cloudflare:workers";
import { Flights } from "../../../src/invoke/memory/flights.ts";

/** Long enough for the slow reply, which takes a second, and not for the slower one. */
const PATIENCE_MS = 3_000;

interface Env {
  UPSTREAM: string;
}

const kept = new Flights<string>({ sleep, waitUntil });
const lost = new Flights<string>({ sleep, waitUntil: () => {} });

/**
 * `who` asks for the value of `key`. With `leave` it goes away after so many milliseconds, with `end` its request is over
 * after as many, while it still waits; with `lost` the platform is not told that anything goes on behind it, with `slower` the reply takes longer than patience. Whoever gets
 * the value asks the upstream for something of its own after that.
 */
export default {
  async fetch(request: Request, { UPSTREAM }: Env): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const who = searchParams.get("who");
    const caller = new AbortController();
    const leave = searchParams.get("leave");
    if (leave !== null) void sleep(Number(leave), null).then(() => caller.abort());
    const flights = searchParams.has("lost") ? lost : kept;
    const asker = { signal: caller.signal, patienceMs: PATIENCE_MS, timeLeftMs: 60_000 };
    const landing = flights.join(searchParams.get("key") ?? "", asker, async (signal) => {
      const path = searchParams.has("slower") ? "slower" : "slow";
      const reply = await fetch(`${UPSTREAM}/${path}?by=${who}`, { signal });
      return reply.text();
    });
    const end = searchParams.get("end");
    if (end !== null) {
      await sleep(Number(end), null);
      return Response.json("over");
    }
    const landed = await landing;
    const own = await fetch(`${UPSTREAM}/fast?by=${who}`);
    await sleep(1, null);
    return Response.json([landed?.value ?? null, await own.text()]);
  },
};

function sleep(milliseconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
