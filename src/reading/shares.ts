/** Enough of a description to choose a skill by, in characters; nobody gets more before everybody has this. */
const GIST_CHARACTERS = 60;

/** Less than this of a text says nothing. */
const LEAST_CHARACTERS = 12;

/**
 * How much of each text is kept where there is room for so many characters: first the gist of all, then as much as
 * possible of the texts of the first rank, then of the second, and so on. Within a rank all have the same bound, so
 * that only the longest are cut.
 * @param sizes the characters of each text
 * @param ranks the rank of each text, from 0; the best is the lowest
 */
export function sharesWithin(sizes: readonly number[], ranks: readonly number[], room: number): number[] {
  const gists = sizes.map((size) => Math.min(size, GIST_CHARACTERS));
  const bound = boundWithin(gists, room);
  const shares = gists.map((size) => Math.min(size, bound));
  let left = room - sum(shares);
  for (const members of membersByRank(ranks)) {
    const missing = members.map((index) => (sizes[index] ?? 0) - (shares[index] ?? 0));
    const most = boundWithin(missing, left);
    members.forEach((index, place) => {
      const more = Math.min(missing[place] ?? 0, most);
      shares[index] = (shares[index] ?? 0) + more;
      left -= more;
    });
  }
  return shares.map((share, index) => (share < Math.min(LEAST_CHARACTERS, sizes[index] ?? 0) ? 0 : share));
}

/** The largest bound under which texts together have room; infinite where all of them fit as they are. */
function boundWithin(sizes: readonly number[], room: number): number {
  let left = Math.max(0, room);
  const ascending = [...sizes].sort((one, other) => one - other);
  for (const [index, size] of ascending.entries()) {
    const equal = Math.floor(left / (ascending.length - index));
    if (size > equal) return equal;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

function membersByRank(ranks: readonly number[]): number[][] {
  const members = new Map<number, number[]>();
  ranks.forEach((rank, index) => {
    members.set(rank, [...(members.get(rank) ?? []), index]);
  });
  return [...members].sort(([one], [other]) => one - other).map(([, indexes]) => indexes);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
