import type { SkillStorage } from "../../src/store/index.ts";
import type { VirtualTime } from "../limiter/virtual_time.ts";

export type Operation = "get" | "put" | "delete" | "list";

interface Written {
  key: string;
  value: string | null;
  visibleFrom: number;
}

/** A Workers KV that can be stale, slow, deaf and out of order, which the local simulator can't. */
export class StorageDouble implements SkillStorage {
  /** How long after its end a write shows in reads and lists. */
  staleMs = 0;
  /** How long an operation takes. */
  takes: (operation: Operation, key: string) => number = () => 0;
  /** Whether an operation is refused; a write is then not made. */
  refuses: (operation: Operation, key: string) => boolean = () => false;
  /** What was asked since the last look, as `operation key`. */
  readonly asked: string[] = [];
  readonly #time: VirtualTime;
  readonly #written: Written[] = [];

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  async get(key: string): Promise<string | null> {
    const value = this.#shown(key);
    await this.#serve("get", key);
    return value;
  }

  async put(key: string, value: string): Promise<void> {
    await this.#serve("put", key);
    this.plant(key, value);
  }

  async delete(key: string): Promise<void> {
    await this.#serve("delete", key);
    this.plant(key, null);
  }

  async list({ prefix, limit }: { prefix: string; limit: number }): Promise<{ keys: { name: string }[] }> {
    const names = [...new Set(this.#written.map(({ key }) => key))]
      .filter((key) => key.startsWith(prefix) && this.#shown(key) !== null)
      .sort()
      .slice(0, limit);
    await this.#serve("list", prefix);
    return { keys: names.map((name) => ({ name })) };
  }

  /** Writes as another place would. */
  plant(key: string, value: string | null): void {
    this.#written.push({ key, value, visibleFrom: this.#time.now() + this.staleMs });
  }

  /** What is stored, whether it shows already or not. */
  stored(key: string): string | null {
    return this.#written.findLast((entry) => entry.key === key)?.value ?? null;
  }

  /** Takes what was asked since the last time. */
  take(): string[] {
    return this.asked.splice(0);
  }

  #shown(key: string): string | null {
    const now = this.#time.now();
    return this.#written.findLast((entry) => entry.key === key && entry.visibleFrom <= now)?.value ?? null;
  }

  async #serve(operation: Operation, key: string): Promise<void> {
    this.asked.push(`${operation} ${key}`);
    const milliseconds = this.takes(operation, key);
    if (milliseconds > 0) await this.#time.sleep(milliseconds);
    if (this.refuses(operation, key)) throw new Error(`KV ${operation} failed: 429 Too Many Requests`);
  }
}
