/** Names in place of ids: finds the resources that a text means. Pure. */
import type { KindTable } from '@underpass/client/operations';
import { mostSimilar } from '@underpass/wire/similar';
import type { Row } from './resources.ts';

/** Fields with a hostname, which people write with or without scheme, port and upper case. */
const HOSTS = new Set(['domain', 'addr', 'hostports', 'public_url', 'address']);

/** The items that a text names: by the surest field that matches any. More than one: the text is ambiguous. */
export function named(kind: KindTable, items: readonly Row[], text: string): readonly Row[] {
  for (const field of kind.namedBy) {
    const tests = HOSTS.has(field) ? [isSameHostport, isHostOf] : [isSameText];
    for (const test of field === 'labels' ? [isSameLabels] : tests) {
      const found = items.filter((item) => textsOf(item[field]).some((it) => test(it, text)));
      if (found.length > 0) return found;
    }
    const labelled =
      field === 'domain' ? items.filter((item) => sharedLabel(item) === text.toLowerCase()) : [];
    if (labelled.length > 0) return labelled;
  }
  return [];
}

/** The text that people know an item by; '' for an item without a name. */
export function nameOf(kind: KindTable, item: Row): string {
  return kind.namedBy.map((field) => textsOf(item[field])[0] ?? '').find((it) => it !== '') ?? '';
}

/** The name that is nearly the text; null if none is. */
export function nearName(kind: KindTable, items: readonly Row[], text: string): string | null {
  const names = items.flatMap((item) => [
    ...kind.namedBy.flatMap((field) => textsOf(item[field])),
    ...textsOf(sharedLabel(item)),
  ]);
  return mostSimilar(text, names);
}

/** `domain, description` as `by domain or description`. */
export function namingText({ namedBy }: KindTable): string {
  return namedBy.length === 0 ? '' : `, or its ${namedBy.join(' or ').replaceAll('_', ' ')}`;
}

/** The texts of a field that can name an item. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.filter((it): it is string => typeof it === 'string');
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value).map(([key, it]) => `${key}=${String(it)}`);
  return entries.length === 0 ? [] : [entries.join(',')];
}

/** The first label of a domain below the shared domain of the server, which has no CNAME target. */
function sharedLabel({ domain, cname_target: target }: Row): string | null {
  return typeof domain === 'string' && target === null ? (domain.split('.')[0] ?? null) : null;
}

function isSameText(one: string, other: string): boolean {
  return one === other;
}

function isSameLabels(one: string, other: string): boolean {
  const sorted = (text: string) => text.split(/,\s*/).sort().join();
  return sorted(one) === sorted(other);
}

/** Returns true if two texts mean the same host and port. */
export function isSameHostport(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

function isHostOf(hostport: string, host: string): boolean {
  return canonical(hostport).replace(/:\d+$/, '') === canonical(host);
}

function canonical(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/\/$/, '')
    .replace(/\.?:443$|\.$/, '');
}
