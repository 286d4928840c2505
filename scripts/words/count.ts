/** Counts the places that break a rule, without the exceptions. */
import { breaches, RULES, type Rule } from './rules.ts';
import type { Text } from './text.ts';

export interface Place {
  readonly rule: Rule;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** A place that may stay. `text` is a part of its sentence. */
export interface Exception {
  readonly rule: Rule;
  readonly file: string;
  readonly text: string;
  readonly reason: string;
}

export type Counts = Readonly<Record<Rule, number>>;

export function placesOf(file: string, texts: readonly Text[]): readonly Place[] {
  return RULES.flatMap((rule) =>
    texts.flatMap((text) => breaches(rule, text)).map((sentence) => ({ rule, file, ...sentence })),
  );
}

/** Splits `places` into those that count and the exceptions that no place needs. */
export function withoutExceptions(
  places: readonly Place[],
  exceptions: readonly Exception[],
): { readonly counted: readonly Place[]; readonly unused: readonly Exception[] } {
  const used = new Set<Exception>();
  const counted = places.filter((place) => {
    const exception = exceptions.find(
      ({ rule, file, text }) => rule === place.rule && file === place.file && place.text.includes(text),
    );
    if (exception !== undefined) used.add(exception);
    return exception === undefined;
  });
  return { counted, unused: exceptions.filter((exception) => !used.has(exception)) };
}

export function countsOf(places: readonly Place[]): Counts {
  const counts = Object.fromEntries(RULES.map((rule) => [rule, 0])) as Record<Rule, number>;
  for (const { rule } of places) counts[rule]++;
  return counts;
}

/** Returns a line for each rule whose count left the baseline. Only a higher count is a fault. */
export function compare(
  counts: Counts,
  baseline: Counts,
): { readonly above: string[]; readonly below: string[] } {
  const line = (rule: Rule): string => `${rule}: ${counts[rule]}, and ${baseline[rule]} in the baseline`;
  return {
    above: RULES.filter((rule) => counts[rule] > baseline[rule]).map(line),
    below: RULES.filter((rule) => counts[rule] < baseline[rule]).map(line),
  };
}
