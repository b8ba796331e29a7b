/** What waits for what, by id. Keys stand in the order of the document. */
export type Waiting = ReadonlyMap<string, ReadonlySet<string>>;

/** Ids in an order in which each comes after what it waits for, or some that wait for each other in a circle. */
export type Order = { ok: true; ids: string[] } | { ok: false; circle: string[] };

/** Sorts ids so that none comes before what it waits for; otherwise they keep their order. */
export function orderOf(waiting: Waiting): Order {
  const ids: string[] = [];
  const left = new Set(waiting.keys());
  while (left.size > 0) {
    const next = [...left].find((id) => !waitsForAny(id, left, waiting));
    if (next === undefined) return { ok: false, circle: circleIn(left, waiting) };
    left.delete(next);
    ids.push(next);
  }
  return { ok: true, ids };
}

function waitsForAny(id: string, others: ReadonlySet<string>, waiting: Waiting): boolean {
  return [...(waiting.get(id) ?? [])].some((other) => others.has(other));
}

/** From any of them on, each of which waits for another, the way comes back to itself at last. */
function circleIn(left: ReadonlySet<string>, waiting: Waiting): string[] {
  const way: string[] = [];
  let [id] = left;
  while (id !== undefined && !way.includes(id)) {
    way.push(id);
    id = [...(waiting.get(id) ?? [])].find((other) => left.has(other));
  }
  return id === undefined ? way : way.slice(way.indexOf(id));
}

/** Everything that something waits for, directly or not, itself included. */
export function neededBy(ids: Iterable<string>, waiting: Waiting): Set<string> {
  const needed = new Set<string>();
  const pending = [...ids];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    pending.push(...(waiting.get(id) ?? []));
  }
  return needed;
}
