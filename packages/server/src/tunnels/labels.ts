/** The labels of a tunnel (agent protocol, section 5), read and checked: pure. */
import { field } from '@underpass/wire';
import { labelLimits } from '../core/names/label-limits.ts';
import { Problem } from '../errors/problem.ts';
import { isObject, malformed, type Reading, shown } from './options/fields.ts';

/** Raises Problem: no labels, too many, or a key or value that no tunnel group could select. */
export function readLabels(request: unknown, reading: Reading): ReadonlyMap<string, string> {
  const value = field(request, 'Labels') ?? {};
  if (!isObject(value)) throw malformed(reading, 'Labels must be an object');
  const entries = Object.entries(value);
  if (entries.length === 0) throw new Problem('tunnelLabelsMissing');
  const { count, keyBytes, valueBytes } = labelLimits;
  if (entries.length > count) {
    throw new Problem('tunnelLabelCount', { count: entries.length, limit: count });
  }
  const labels = new Map<string, string>();
  for (const [key, text] of entries) {
    if (typeof text !== 'string') throw malformed(reading, `the label ${shown(key)} must be a string`);
    if (!isLabelText(key, keyBytes)) {
      throw new Problem('tunnelLabelKey', { key: shown(key), limit: keyBytes });
    }
    if (!isLabelText(text, valueBytes)) {
      throw new Problem('tunnelLabelValue', { key: shown(key), limit: valueBytes });
    }
    labels.set(key, text);
  }
  return labels;
}

function isLabelText(text: string, limit: number): boolean {
  return text !== '' && !text.includes('=') && Buffer.byteLength(text) <= limit;
}
