/** The labels of a tunnel (agent protocol, section 5), read and checked: pure. */
import { field } from '@underpass/wire';
import { Problem } from '../errors/problem.ts';
import { isObject, malformed, type Reading, shown } from './fields.ts';

const countLimit = 32;
const keyLimit = 255;
const valueLimit = 255;

/** Raises Problem: no labels, too many, or a key or value that no tunnel group could select. */
export function readLabels(request: unknown, reading: Reading): ReadonlyMap<string, string> {
  const value = field(request, 'Labels') ?? {};
  if (!isObject(value)) throw malformed(reading, 'Labels must be an object');
  const entries = Object.entries(value);
  if (entries.length === 0) throw new Problem('tunnelLabelsMissing');
  if (entries.length > countLimit) {
    throw new Problem('tunnelLabelCount', { count: entries.length, limit: countLimit });
  }
  const labels = new Map<string, string>();
  for (const [key, text] of entries) {
    if (typeof text !== 'string') throw malformed(reading, `the label ${shown(key)} must be a string`);
    if (!isLabelText(key, keyLimit)) {
      throw new Problem('tunnelLabelKey', { key: shown(key), limit: keyLimit });
    }
    if (!isLabelText(text, valueLimit)) {
      throw new Problem('tunnelLabelValue', { key: shown(key), limit: valueLimit });
    }
    labels.set(key, text);
  }
  return labels;
}

function isLabelText(text: string, limit: number): boolean {
  return text !== '' && !text.includes('=') && Buffer.byteLength(text) <= limit;
}
