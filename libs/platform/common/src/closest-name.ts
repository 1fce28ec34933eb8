/** Longer texts are no misspelt names. Limits the work for texts that callers send. */
const MAX_LENGTH = 64;
const MAX_DISTANCE = 3;

/** Returns the number of inserted, deleted, replaced and swapped characters (restricted Damerau–Levenshtein distance). */
function distanceOf(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwap ? beforeLast[column - 2]! + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length]!;
}

/** Ignores case and the characters between words, so that `first_name` is close to `firstName`. */
const comparable = (name: string): string => name.toLowerCase().replaceAll(/[-_. ]/g, '');

/** Returns the name that the writer of a misspelt name most likely meant, or undefined if no name is close. */
export function closestName(misspelt: string, names: Iterable<string>): string | undefined {
  if (misspelt.length > MAX_LENGTH) return undefined;
  const sought = comparable(misspelt);
  let closest: string | undefined;
  // At most a quarter of the characters can differ, so that short names are not close to everything.
  let minDistance = Math.min(MAX_DISTANCE, Math.max(1, Math.floor(sought.length / 4))) + 1;
  for (const name of names) {
    if (Math.abs(name.length - misspelt.length) > MAX_DISTANCE + minDistance) continue;
    const distance = distanceOf(sought, comparable(name));
    if (distance < minDistance) [closest, minDistance] = [name, distance];
  }
  return closest;
}

/** Returns the sentence ` Did you mean "…"?` for a misspelt name, or an empty text if no name is close. */
export function suggestion(misspelt: string, names: Iterable<string>): string {
  const name = closestName(misspelt, names);
  return name === undefined ? '' : ` Did you mean "${name}"?`;
}
