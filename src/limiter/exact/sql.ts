import type { Window } from "../../vocabulary.ts";
import type { Counter } from "../window.ts";
import type { CounterName, ExactStorage, Hold } from "./core.ts";

const TABLES = [
  `CREATE TABLE IF NOT EXISTS counters (
     bucket TEXT, window TEXT, start INTEGER, current INTEGER, previous INTEGER, expires INTEGER,
     PRIMARY KEY (bucket, window)) WITHOUT ROWID`,
  "CREATE TABLE IF NOT EXISTS closures (bucket TEXT PRIMARY KEY, until INTEGER) WITHOUT ROWID",
  "CREATE TABLE IF NOT EXISTS holds (id TEXT PRIMARY KEY, cost INTEGER, until INTEGER) WITHOUT ROWID",
  `CREATE TABLE IF NOT EXISTS held_counters (
     hold TEXT, bucket TEXT, window TEXT, PRIMARY KEY (hold, bucket, window)) WITHOUT ROWID`,
];

/** What of the platform's SQL is used: statements are run at once, and nothing is awaited. */
export interface Sql {
  exec<Row extends Record<string, string | number>>(
    query: string,
    ...bindings: (string | number)[]
  ): { toArray(): Row[] };
}

/**
 * The storage of a Durable Object. Rows are few (two or three a bucket), so none of the queries that go over a table
 * needs an index.
 */
export class SqlExactStorage implements ExactStorage {
  readonly #sql: Sql;
  #holds: number;

  constructor(sql: Sql) {
    this.#sql = sql;
    for (const table of TABLES) sql.exec(table);
    this.#holds = sql.exec<{ count: number }>("SELECT count(*) AS count FROM holds").toArray()[0]?.count ?? 0;
  }

  readCounter({ bucket, window }: CounterName): Counter | null {
    const query = "SELECT start, current, previous FROM counters WHERE bucket = ? AND window = ?";
    const [row] = this.#sql
      .exec<{ start: number; current: number; previous: number }>(query, bucket, window)
      .toArray();
    return row ?? null;
  }

  writeCounter({ bucket, window }: CounterName, counter: Counter, expires: number): void {
    const { start, current, previous } = counter;
    const statement = "INSERT OR REPLACE INTO counters VALUES (?, ?, ?, ?, ?, ?)";
    this.#sql.exec(statement, bucket, window, start, current, previous, expires);
  }

  readClosure(bucket: string): number {
    const query = "SELECT until FROM closures WHERE bucket = ?";
    return this.#sql.exec<{ until: number }>(query, bucket).toArray()[0]?.until ?? 0;
  }

  writeClosure(bucket: string, until: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO closures VALUES (?, ?)", bucket, until);
  }

  writeHold({ id, cost, counters, until }: Hold): void {
    this.#sql.exec("INSERT OR REPLACE INTO holds VALUES (?, ?, ?)", id, cost, until);
    for (const { bucket, window } of counters)
      this.#sql.exec("INSERT OR REPLACE INTO held_counters VALUES (?, ?, ?)", id, bucket, window);
    this.#holds += 1;
  }

  takeHold(id: string): Hold | null {
    const query = "SELECT cost, until FROM holds WHERE id = ?";
    const [row] = this.#sql.exec<{ cost: number; until: number }>(query, id).toArray();
    if (row === undefined) return null;
    const counters = this.#sql
      .exec<{ bucket: string; window: Window }>("SELECT bucket, window FROM held_counters WHERE hold = ?", id)
      .toArray();
    this.#sql.exec("DELETE FROM held_counters WHERE hold = ?", id);
    this.#sql.exec("DELETE FROM holds WHERE id = ?", id);
    this.#holds -= 1;
    return { id, counters, ...row };
  }

  /** Most objects never hold a call, so the table is looked at only where there is something in it. */
  takeHoldsUntil(now: number): Hold[] {
    if (this.#holds === 0) return [];
    const late = this.#sql.exec<{ id: string }>("SELECT id FROM holds WHERE until <= ?", now).toArray();
    return late.flatMap(({ id }) => this.takeHold(id) ?? []);
  }

  deleteExpired(now: number): void {
    this.#sql.exec("DELETE FROM counters WHERE expires <= ?", now);
    this.#sql.exec("DELETE FROM closures WHERE until <= ?", now);
  }

  firstExpiry(): number | null {
    const query = `SELECT min(moment) AS first FROM (
      SELECT min(expires) AS moment FROM counters
      UNION ALL SELECT min(until) FROM closures UNION ALL SELECT min(until) FROM holds) WHERE moment IS NOT NULL`;
    const [row] = this.#sql.exec<{ first: number }>(query).toArray();
    return row?.first ?? null;
  }
}
