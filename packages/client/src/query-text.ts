/** Writes the query of an operation. */

/** Returns the query from its question mark on, or '' if there is none. Values that are undefined are left out. */
export function queryText(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}
