/** One value in a table for people. */
import { printableLine } from '../printable.ts';

const NOTHING = '-';

/** A value on one line; null for an object that is more than a reference. */
export function cell(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (Array.isArray(value)) {
    const parts = value.map(cell);
    return parts.includes(null) ? null : parts.join(', ') || NOTHING;
  }
  if (typeof value !== 'object') return printableLine(String(value));
  const entries = Object.entries(value);
  if (isRef(value)) return printableLine(value.id);
  const isMap = entries.every(([, part]) => typeof part === 'string' || typeof part === 'number');
  if (!isMap) return null;
  return entries.map(([key, part]) => printableLine(`${key}=${part}`)).join(', ') || NOTHING;
}

export function isEmpty(text: string): boolean {
  return text === NOTHING;
}

function isRef(value: object): value is { readonly id: string; readonly uri: string } {
  return Object.keys(value).sort().join() === 'id,uri';
}
