import type { MiddlewareHandler } from "hono";

/** One request as it came in, without what is secret in it. */
export interface ReceivedRequest {
  /** Milliseconds since the epoch. */
  time: number;
  method: string;
  path: string;
  /** As it was on the wire, still encoded, without the question mark. */
  query: string;
  /** Lower case, sorted. */
  headerNames: string[];
  /** Values of the headers that are worth asserting and never secret. */
  headers: Record<string, string>;
}

export interface ReceivedRequests {
  /** All since the start or the last clearing, also those that are no longer kept. */
  count: number;
  /** The latest, oldest first. */
  requests: ReceivedRequest[];
}

export interface RequestLog {
  add(request: ReceivedRequest): void;
  read(): ReceivedRequests;
  clear(): void;
}

const SHOWN_HEADERS = [
  "accept",
  "content-type",
  "traceparent",
  "user-agent",
  "x-request-id",
  "x-sandbox-fault",
];

/** A ring: it keeps the latest requests, as many as its capacity, and counts all. */
export function createRequestLog(capacity: number): RequestLog {
  let ring: ReceivedRequest[] = [];
  let count = 0;
  return {
    add: (request) => {
      ring[count % capacity] = request;
      count += 1;
    },
    read: () => {
      const oldest = count > capacity ? count % capacity : 0;
      return { count, requests: [...ring.slice(oldest), ...ring.slice(0, oldest)] };
    },
    clear: () => {
      ring = [];
      count = 0;
    },
  };
}

/** Notes each request at its arrival, before anything delays it. */
export function recordRequests(log: RequestLog, now: () => number): MiddlewareHandler {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const headers = c.req.header();
    log.add({
      time: now(),
      method: c.req.method,
      path: pathname,
      query: search.slice(1),
      headerNames: Object.keys(headers).sort(),
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => SHOWN_HEADERS.includes(name))),
    });
    await next();
  };
}
