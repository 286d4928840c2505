/** Finds the words that a mistyped one may mean. */

const MOST_EDITS = 2;

/** The one that takes the fewest edits, of which there are not more than a slip of the hand makes; null: none is near. */
export function mostSimilar(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let fewest = Math.min(MOST_EDITS, Math.floor(word.length / 2)) + 1;
  for (const candidate of candidates) {
    const edits = editsBetween(word, candidate);
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** Letters that are left out, put in or exchanged, and neighbours that have changed places (optimal string alignment). */
function editsBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          last[column]! + 1,
          current[column - 1]! + 1,
          last[column - 1]! + (isSame ? 0 : 1),
          isSwapped && row > 1 && column > 1 ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length]!;
}
