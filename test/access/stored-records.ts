import type { Records } from "../../src/access/index.ts";
import { failed, success } from "../../src/errors.ts";

/** Records in memory, which can fail, and which count what is asked of them. */
export class StoredRecords implements Records {
  readonly texts = new Map<string, string>();
  readonly asked: string[] = [];
  isDown = false;

  get(tenant: string, name: string) {
    return this.#serve(`get ${tenant}:${name}`, () => this.texts.get(`${tenant}:${name}`) ?? null);
  }

  put(tenant: string, name: string, text: string) {
    return this.#serve(`put ${tenant}:${name}`, () => {
      this.texts.set(`${tenant}:${name}`, text);
      return null;
    });
  }

  delete(tenant: string, name: string) {
    return this.#serve(`delete ${tenant}:${name}`, () => {
      this.texts.delete(`${tenant}:${name}`);
      return null;
    });
  }

  names(tenant: string) {
    const prefix = `${tenant}:`;
    return this.#serve(`list ${tenant}`, () =>
      [...this.texts.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)),
    );
  }

  /** Takes what was asked since the last time. */
  take(): string[] {
    return this.asked.splice(0);
  }

  async #serve<Value>(operation: string, action: () => Value) {
    this.asked.push(operation);
    return this.isDown ? failed({ code: "STORE_UNAVAILABLE", operation }) : success(action());
  }
}
