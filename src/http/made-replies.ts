import { type Catalog, MadeBodies, type PreparedBody, prepareBody } from "../catalog/index.ts";
import { type Result, success } from "../errors.ts";

/** A reply as it was made. */
export interface MadeReply {
  text: string;
  /** Whether it is of the very skills of the index; records that were read beside it may be of another moment. */
  isExact: boolean;
}

/** Replies that depend on nothing but a caller's skills and a question: made once while the skills are the same. */
export class MadeReplies {
  readonly #made = new MadeBodies();

  /** @param question all that the reply depends on besides the skills */
  async give(
    catalog: Catalog,
    question: unknown,
    make: () => Promise<Result<MadeReply>>,
  ): Promise<Result<PreparedBody>> {
    const before = await catalog.reading();
    if (!before.ok) return before;
    const key = JSON.stringify([before.value, question]);
    const kept = this.#made.get(key);
    if (kept !== null) return success(kept);
    const made = await make();
    if (!made.ok) return made;
    const body = await prepareBody(made.value.text);
    const after = await catalog.reading();
    if (!after.ok) return after;
    if (made.value.isExact && after.value === before.value) this.#made.keep(key, body);
    return success(body);
  }
}
