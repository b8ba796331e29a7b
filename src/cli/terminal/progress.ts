/** What is needed of an output stream to show how far work is. */
export interface ProgressStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Work that ends sooner needs no progress line. */
const QUIET_MS = 2_000;

const CLEAR_LINE = "\r\u001B[K";

/**
 * A line on a terminal that says how far the work is, once it takes long; it is gone when the work is done.
 * Other streams get nothing.
 * @param now the time in milliseconds
 */
export function progressOn(
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): (done: number, of: number) => void {
  const begin = now();
  let isShown = false;
  return (done, of) => {
    if (stream.isTTY !== true || now() - begin < QUIET_MS) return;
    if (done < of) stream.write(`${CLEAR_LINE}Compiling ${done} of ${of} …`);
    else if (isShown) stream.write(CLEAR_LINE);
    isShown = done < of;
  };
}
