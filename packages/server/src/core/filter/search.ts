/** Looks for a text in all texts of an object. */
import type { Branch, Field } from './fields.ts';

/**
 * Returns the fields that a search reads: those with any text whose name passes `isSearched`. Times and choices are left
 * out.
 */
export function searchedFields(branch: Branch, isSearched: (name: string) => boolean): Branch {
  const fields = [...branch.fields].flatMap(([name, field]) => {
    const kept = isSearched(name) ? searched(field, isSearched) : null;
    return kept === null ? [] : [[name, kept] as const];
  });
  const rest = branch.rest === undefined ? null : searched(branch.rest, isSearched);
  return { type: 'object', fields: new Map(fields), ...(rest === null ? {} : { rest }) };
}

function searched(field: Field, isSearched: (name: string) => boolean): Field | null {
  if (field.type === 'text') return field.values === undefined ? field : null;
  if (field.type !== 'object') return null;
  const kept = searchedFields(field, isSearched);
  return kept.fields.size === 0 && kept.rest === undefined ? null : kept;
}

/** Returns true if a text of these fields passes the test. Names in maps are texts, too. */
export function hasText(field: Field, passes: (text: string) => boolean, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => hasText(field, passes, item));
  if (typeof value === 'string') return field.type === 'text' && passes(value);
  if (typeof value !== 'object' || value === null || field.type !== 'object') return false;
  return Object.entries(value).some(([name, inner]) => {
    const own = field.fields.get(name);
    if (own !== undefined) return hasText(own, passes, inner);
    if (field.rest === undefined) return false;
    return passes(name) || hasText(field.rest, passes, inner);
  });
}
