// A query may hold longer names than any of ours, and the comparison costs the product of both lengths.
const MOST_LETTERS = 64;

/**
 * The word that is most like what was written: one that contains it or is contained in it, else the one with the fewest
 * changed letters.
 */
export function nearestWord(written: string, words: readonly string[]): string | undefined {
  const given = written.slice(0, MOST_LETTERS).toLowerCase();
  const distances = words.map((word) => ({ word, distance: distanceOf(given, word) }));
  return distances.sort((one, other) => one.distance - other.distance)[0]?.word;
}

/** That word, where it is so like what was written that it may be meant: a third of its letters differ, or two. */
export function likelyWord(written: string, words: readonly string[]): string | undefined {
  const nearest = nearestWord(written, words);
  if (nearest === undefined) return undefined;
  const most = Math.max(2, Math.floor(nearest.length / 3));
  return distanceOf(written.slice(0, MOST_LETTERS).toLowerCase(), nearest) <= most ? nearest : undefined;
}

function distanceOf(given: string, word: string): number {
  const held = given.length > 0 && (given.includes(word) || word.includes(given));
  // A whole word inside another means more than letters that happen to agree.
  return held ? Math.abs(given.length - word.length) / MOST_LETTERS : changedLetters(given, word);
}

/** How many letters must be put in, taken out, replaced or swapped with the next to make one word the other. */
export function changedLetters(one: string, other: string): number {
  let above: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (one[at - 1] === other[column - 1] ? 0 : 1);
      const isSwapped = one[at - 1] === other[column - 2] && one[at - 2] === other[column - 1];
      const swapped = isSwapped && column > 1 ? (above[column - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    above = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
