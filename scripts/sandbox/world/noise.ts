import { randomAt } from "../market/random.ts";

/**
 * Noise from -1 to 1 that changes smoothly along one axis: a random value at each whole position, and a smooth
 * step between two of them. The coordinates tell one course of noise from another.
 */
export function smoothNoise(position: number, ...coordinates: number[]): number {
  const before = Math.floor(position);
  const share = position - before;
  const step = share * share * (3 - 2 * share);
  return valueAt(before, coordinates) * (1 - step) + valueAt(before + 1, coordinates) * step;
}

function valueAt(position: number, coordinates: readonly number[]): number {
  return 2 * randomAt(...coordinates, position)() - 1;
}
