/** Numbers in [0, 1), one after another. */
export type Random = () => number;

/**
 * A stream of pseudo-random numbers that is fixed by its coordinates alone, so that any point of the market can
 * be computed without computing what came before. Coordinates are whole numbers, taken modulo 2^32.
 * The generator is Tommy Ettinger's mulberry32: short, even and fast; it is no source of secrets.
 */
export function randomAt(...coordinates: number[]): Random {
  let state = coordinates.reduce(mixed, 0x9e3779b9);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A text as one 32-bit coordinate (FNV-1a over UTF-16 units). */
export function coordinateOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** Folds a coordinate into a hash with the finalizer of MurmurHash3, which lets every bit reach every other. */
function mixed(hash: number, coordinate: number): number {
  let bits = Math.imul(hash, 31) ^ coordinate;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
