/** Finds the names and backends that only one session of an agent serves. Pure. */
import type { Tunnel } from '@underpass/client';

export interface Affected {
  /** Names and addresses without a server after the end of the session, sorted. */
  readonly names: readonly string[];
  /** Ids of tunnel group backends without an agent after it. */
  readonly backends: readonly string[];
}

/** `tunnels`: all that are online, those of the session included. */
export function affectedBy(session: string, tunnels: readonly Tunnel[]): Affected {
  const own = new Set<string>();
  const others = new Set<string>();
  for (const tunnel of tunnels)
    for (const key of keysOf(tunnel)) (tunnel.tunnel_session.id === session ? own : others).add(key);
  const alone = [...own].filter((key) => !others.has(key)).sort();
  const pick = (kind: string) =>
    alone.flatMap((key) => (key.startsWith(kind) ? [key.slice(kind.length)] : []));
  return { names: pick('name '), backends: pick('backend ') };
}

/** The name of a public URL as in the list of names: with its port for TCP. */
export function nameOfUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  return parsed.protocol === 'tcp:' ? parsed.host : parsed.hostname;
}

/** The text by which people know a tunnel: its name, or its labels. */
export function nameOfTunnel({ public_url = '', labels, forwards_to, id }: Tunnel): string {
  if (public_url !== '') return nameOfUrl(public_url);
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return pairs.join(', ') || forwards_to || id;
}

function keysOf({ public_url = '', backends }: Tunnel): readonly string[] {
  const names = public_url === '' ? [] : [`name ${nameOfUrl(public_url)}`];
  return [...names, ...backends.map(({ id }) => `backend ${id}`)];
}
