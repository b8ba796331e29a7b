/** What has to be undone when the process ends, however it ends short of SIGKILL. */
const pending = new Set<() => void>();

/**
 * Has an action run when the process ends, or when the function that comes back is called: once in all. The
 * action must do its work at once, since nothing is awaited at the end of a process.
 */
export function undoAtEnd(action: () => void): () => void {
  const undo = (): void => {
    if (pending.delete(undo)) action();
  };
  pending.add(undo);
  return undo;
}

/** Makes signals end the process in the ordinary way, with the exit status that shells expect of them. */
export function endOnSignals(): void {
  process.once("exit", () => {
    for (const undo of [...pending].reverse()) undo();
  });
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
  for (const [signal, number] of Object.entries(numbers))
    process.once(signal, () => process.exit(128 + number));
}
