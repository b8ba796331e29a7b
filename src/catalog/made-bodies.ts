import { MAX_KEPT_BODY_CHARACTERS } from "../limits.ts";
import type { PreparedBody } from "./bundle.ts";

/** Bodies that were made for a request and may be asked for again: those asked for last, up to a number of characters. */
export class MadeBodies {
  /** In the order in which they were last asked for. */
  readonly #bodies = new Map<string, PreparedBody>();
  #characters = 0;

  get(key: string): PreparedBody | null {
    const body = this.#bodies.get(key);
    if (body === undefined) return null;
    this.#bodies.delete(key);
    this.#bodies.set(key, body);
    return body;
  }

  /** @param key names everything that the body depends on */
  keep(key: string, body: PreparedBody): void {
    this.#drop(key);
    this.#bodies.set(key, body);
    this.#characters += key.length + body.body.length;
    for (const oldest of this.#bodies.keys()) {
      if (this.#characters <= MAX_KEPT_BODY_CHARACTERS) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const body = this.#bodies.get(key);
    if (body === undefined) return;
    this.#bodies.delete(key);
    this.#characters -= key.length + body.body.length;
  }
}
