/** Labels as flags give them. */
import { InvalidInput } from './address.ts';

/** Parses `key=value` texts; the value may hold further `=`. Throws InvalidInput on an empty or repeated key. */
export function parseLabels(texts: readonly string[]): Record<string, string> {
  const labels = new Map<string, string>();
  for (const text of texts) {
    const split = text.indexOf('=');
    if (split <= 0) throw new InvalidInput(`The label "${text}" is not valid. Give KEY=VALUE.`, 'label');
    const key = text.slice(0, split);
    if (labels.has(key))
      throw new InvalidInput(`The label "${key}" is given more than once. Give each key once.`, 'label');
    labels.set(key, text.slice(split + 1));
  }
  return Object.fromEntries(labels);
}
