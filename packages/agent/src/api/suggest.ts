/** Names that a mistyped one may mean. */
import { mostSimilar } from '@underpass/wire/similar';

/** The names that are nearest to a word: the same in singular, then names with the word in them, then slips of the hand. */
export function suggestions(word: string, names: readonly string[]): readonly string[] {
  const typed = spelt(word);
  if (typed === '') return [];
  const same = names.filter((name) => spelt(name) === typed);
  if (same.length > 0) return same;
  const inside = names.filter((name) => isInside(typed, spelt(name)));
  if (inside.length > 0) return inside;
  const whole = mostSimilar(typed, names.map(spelt));
  if (whole !== null) return names.filter((name) => spelt(name) === whole);
  const words = names.flatMap((name) => spelt(name).split('-'));
  const near = mostSimilar(typed, words);
  return near === null ? [] : names.filter((name) => spelt(name).split('-').includes(near));
}

/** Either has all words of the other one. */
function isInside(one: string, other: string): boolean {
  const [words, others] = [one.split('-'), other.split('-')];
  return isWithin(words, others) || isWithin(others, words);
}

const SHORT_FORM = 4;

/** Also by short forms: `addr` is in `address`. */
function isWithin(words: readonly string[], others: readonly string[]): boolean {
  const isNear = (it: string, other: string) =>
    it === other ||
    (it.length >= SHORT_FORM && other.startsWith(it)) ||
    (other.length >= SHORT_FORM && it.startsWith(other));
  return words.every((it) => others.some((other) => isNear(it, other)));
}

/** `TLSEdges`, `tls_edge` and `tls-edges` as `tls-edge`. */
function spelt(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_ ]+/)
    .map(singular)
    .join('-');
}

function singular(word: string): string {
  if (word.length <= 3) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(ss|x|ch|sh)es$/, '$1').replace(/([^s])s$/, '$1');
}
