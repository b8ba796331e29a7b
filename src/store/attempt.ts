import { failed, type Result, success } from "../errors.ts";
import { KV_WRITE_INTERVAL_MS } from "../limits.ts";
import type { SkillStorage } from "./storage.ts";

/** Takes note of a fault of the storage, or of something stored that is of no use any more. */
export type Report = (operation: string, error: unknown) => void;

/** Turns a fault of the storage into a failure, and takes note of it. */
export async function attempt<T>(
  report: Report,
  operation: string,
  action: () => Promise<T>,
): Promise<Result<T>> {
  try {
    return success(await action());
  } catch (error) {
    report(operation, error);
    return failed({ code: "STORE_UNAVAILABLE", operation });
  }
}

/** What a put needs of the world. */
interface Surroundings {
  storage: SkillStorage;
  sleep(milliseconds: number): Promise<void>;
  report: Report;
}

/** KV refuses a second write of a key within a second, as when another skill was put just now: then once more. */
export async function putTwice(
  { storage, sleep, report }: Surroundings,
  operation: string,
  key: string,
  text: string,
): Promise<void> {
  const first = await attempt(report, operation, () => storage.put(key, text, null));
  if (first.ok) return;
  await sleep(KV_WRITE_INTERVAL_MS);
  await storage.put(key, text, null);
}
