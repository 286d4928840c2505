/** Lines that a change takes out of a text and puts into it. Pure. */

/** Returns `- former` and `+ new` lines in their order, without the lines that stay. */
export function diffLines(before: string, after: string): readonly string[] {
  const [former, later] = [linesOf(before), linesOf(after)];
  const lengths = commonLengths(former, later);
  const changes: string[] = [];
  let [at, to] = [0, 0];
  while (at < former.length || to < later.length) {
    if (at < former.length && to < later.length && former[at] === later[to]) {
      at += 1;
      to += 1;
    } else if (
      to === later.length ||
      (at < former.length && common(lengths, at + 1, to) >= common(lengths, at, to + 1))
    ) {
      changes.push(`- ${former[at++]}`);
    } else changes.push(`+ ${later[to++]}`);
  }
  return changes;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function common(lengths: readonly (readonly number[])[], at: number, to: number): number {
  return lengths[at]?.[to] ?? 0;
}

/** Lengths of the longest common sequences of the lines from each pair of places on. */
function commonLengths(former: readonly string[], later: readonly string[]): readonly (readonly number[])[] {
  const lengths: number[][] = Array.from({ length: former.length + 1 }, () => []);
  for (let at = former.length - 1; at >= 0; at--)
    for (let to = later.length - 1; to >= 0; to--) {
      const here = lengths[at] as number[];
      here[to] =
        former[at] === later[to]
          ? common(lengths, at + 1, to + 1) + 1
          : Math.max(common(lengths, at + 1, to), common(lengths, at, to + 1));
    }
  return lengths;
}
