/** What came of asking: whether the value was made for this asker, or for one who had asked before. */
export interface Landing<Value> {
  value: Value;
  isOwn: boolean;
}

/** Lets those who ask for the same thing while it is being made wait for the one making of it. */
export class Flights<Value> {
  readonly #underWay = new Map<string, Promise<Value>>();

  /**
   * @param patienceMs how long to wait for somebody else's making. The platform may end the request that it belongs
   *   to, and then it never ends by itself; who has lost patience makes the value anew.
   */
  async join(key: string, make: () => Promise<Value>, patienceMs: number): Promise<Landing<Value>> {
    const others = this.#underWay.get(key);
    const awaited = others === undefined ? null : await within(others, patienceMs);
    if (awaited !== null) return { value: awaited.value, isOwn: false };
    const own = make();
    this.#underWay.set(key, own);
    try {
      return { value: await own, isOwn: true };
    } finally {
      if (this.#underWay.get(key) === own) this.#underWay.delete(key);
    }
  }
}

/** The value of a promise, or null where the time is over before it has one. */
async function within<Value>(
  promise: Promise<Value>,
  milliseconds: number,
): Promise<{ value: Value } | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
  });
  try {
    return await Promise.race([promise.then((value) => ({ value })), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
