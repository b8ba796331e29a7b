/** Counts a request of a key: null where it is within the limit, else the seconds until the next one may pass. */
export type RateLimit = (key: string) => number | null;

const MINUTE = 60_000;

/** A limit on each key's requests within each minute of the clock; a maximum of 0 means no limit. */
export function perMinute(maximum: number, now: () => number): RateLimit {
  const counts = new Map<string, number>();
  let current = Number.NaN;
  return (key) => {
    const time = now();
    const minute = Math.floor(time / MINUTE);
    if (minute !== current) counts.clear();
    current = minute;
    const count = (counts.get(key) ?? 0) + 1;
    if (maximum === 0 || count <= maximum) {
      counts.set(key, count);
      return null;
    }
    return Math.ceil(((minute + 1) * MINUTE - time) / 1000);
  };
}
