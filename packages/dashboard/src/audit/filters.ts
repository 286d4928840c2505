/** Filters of the audit trail as values of the address, and as the path of the list. Pure. */

/** Names of the filters, as the API has them. */
export const FILTERS = ['kind', 'resource_id', 'actor_type', 'actor_id', 'action', 'since', 'until'] as const;

export type Filter = (typeof FILTERS)[number];

/** The path of the list. Empty values select everything. */
export function changesPath(values: ReadonlyMap<string, string>): string {
  const search = new URLSearchParams({ limit: '100' });
  for (const name of FILTERS) {
    const value = values.get(name) ?? '';
    if (value !== '') search.set(name, value);
  }
  return `/changes?${search}`;
}

/** RFC 3339 for the value of a field for local times; '' for none or a wrong one. */
export function timeOfField(local: string): string {
  const at = new Date(local).getTime();
  return Number.isNaN(at) ? '' : new Date(at).toISOString().replace(/\.\d+/, '');
}

/** The value of a field for local times; '' for none or a wrong one. */
export function fieldOfTime(text: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return '';
  const offset = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offset).toISOString().slice(0, 16);
}
