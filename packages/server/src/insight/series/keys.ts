/**
 * Keys of series: the account itself, or one of its edges, routes, endpoints, backends and credentials.
 * Invariant: no key is made of text that a visitor sent.
 */
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';

/** Kinds of keys, as the API names them. */
export const subjects = ['edge', 'route', 'endpoint', 'backend', 'credential'] as const;
export type Subject = (typeof subjects)[number];

/** The key of all traffic of an account. */
export const ACCOUNT = 'account';

export function keyOf(subject: Subject, id: string): string {
  return `${subject}/${id}`;
}

/** Returns the id of the edge, route or backend that a key is of; null for all other keys. */
export function resourceOf(key: string): string | null {
  const [subject, id = ''] = key.split('/');
  return subject === 'edge' || subject === 'route' || subject === 'backend' ? id : null;
}

/** Returns the keys of the place that visitors came to: edge, route and backend, or the endpoint. */
export function keysOfPlace({ site, route, backend, endpoint }: ExchangeRecord): readonly string[] {
  // The id of an endpoint is another one when the agent comes back; the name stays.
  if (endpoint !== '') return [keyOf('endpoint', endpoint)];
  if (!site.startsWith('edg')) return [];
  const keys = [keyOf('edge', site)];
  if (route !== '' && route !== site) keys.push(keyOf('route', route));
  if (backend.startsWith('bkd')) keys.push(keyOf('backend', backend));
  return keys;
}
