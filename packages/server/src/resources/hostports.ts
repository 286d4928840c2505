/** The hostports of edges: what those at domains and those at reserved addresses have in common (open points, part B 1.12). */

import { createdAt } from '../core/id.ts';
import type { BindTarget } from '../core/names/bind-target.ts';
import { type HostPort, isHostPortFault, parseHostPort } from '../core/names/hostport.ts';
import { formatTime } from '../core/time-text.ts';
import { Type } from '../core/type.ts';
import type { EdgeDocument, Hostport } from '../documents/index.ts';
import { hostportClaim } from '../documents/name-claims.ts';
import { Problem, type ProblemDetails } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { NameClaim } from '../store/store.ts';
import type { Draft, NewId, Place } from './definition.ts';
import { optional } from './schema.ts';

/** `shape`: the pattern of one, and other keywords of its schema. */
export function hostportsField(
  description: string,
  shape: { readonly pattern: string; readonly 'x-served-ports'?: true },
) {
  const hostport = Type.String({ ...shape, description: 'host:port' });
  return optional(
    Type.Array(hostport, { maxItems: 100, default: [], 'x-error': 'hostportCount', description }),
  );
}

export function formatHostport({ hostname, port }: HostPort): string {
  return `${hostname}:${port}`;
}

/** A hostport belongs to one edge, of any kind; the claims of the endpoints let an endpoint be found by its id. */
export function hostportClaims({ hostports }: EdgeDocument<Hostport>): readonly NameClaim[] {
  return hostports.flatMap((hostport) => [
    hostportClaim(hostport),
    { kind: 'endpoint', value: hostport.endpoint_id },
  ]);
}

/** Returns the places of hostports that agents may have. `nameOf`: how claims of agents name one. */
export function hostportPlaces<One extends Hostport>(
  { hostports }: EdgeDocument<One>,
  nameOf: (hostport: One) => BindTarget,
): readonly Place[] {
  return hostports.map((hostport, index) => ({
    name: nameOf(hostport),
    includesOwn: true,
    occupied: (how) =>
      new Problem(
        how === 'online' ? 'hostportOnline' : 'hostportHeld',
        { value: formatHostport(hostport) },
        { field: `/hostports/${index}` },
      ),
  }));
}

export function hostportTaken({ value }: NameClaim): Problem {
  return new Problem('hostportTaken', { value }, { field: '/hostports' });
}

/**
 * Rules that parse hostports of one kind, and find the resources that they depend on. Both raise Problem with the
 * given details.
 */
interface HostportRules<One extends Hostport> {
  parse(text: string, at: ProblemDetails): HostPort;
  attach(place: HostPort, at: ProblemDetails): Promise<One>;
  readonly repeated: ErrorNeeding<'value'>;
}

/**
 * Resolves the hostports that an edge is to be bound to. Unchanged hostports of `current` keep their endpoint; new
 * ones get theirs in `withEndpoints`. Raises Problem, and names the element.
 */
export async function resolveEach<One extends Hostport>(
  texts: readonly string[],
  current: readonly One[],
  { parse, attach, repeated }: HostportRules<One>,
): Promise<readonly One[]> {
  const resolved = new Map<string, One>();
  for (const [index, text] of texts.entries()) {
    const at = { field: `/hostports/${index}` };
    const place = parse(text, at);
    const name = formatHostport(place);
    if (resolved.has(name)) throw new Problem(repeated, { value: text }, at);
    const kept = current.find((hostport) => formatHostport(hostport) === name);
    resolved.set(name, kept ?? (await attach(place, at)));
  }
  return [...resolved.values()];
}

/** `form` is how hostports of this sort are written. Raises Problem. */
export function parseHostportText(value: string, form: string, at: ProblemDetails): HostPort {
  const hostport = parseHostPort(value.trim());
  if (!isHostPortFault(hostport)) return hostport;
  if (hostport.fault === 'port' && /:\d+\s*$/.test(value))
    throw new Problem('hostportPort', { value, form }, at);
  const reason = hostport.fault === 'port' ? 'it has no port' : 'its host is no host name';
  throw new Problem('hostportMalformed', { value, reason, form }, at);
}

/** Returns a body whose new hostports have their endpoint, which exists as long as they do. */
export function withEndpoints<Body extends EdgeDocument<Hostport>>(body: Body): Draft<Body> {
  return {
    body,
    complete: (_id, newId) => ({ body: { ...body, hostports: assignEndpoints(body.hostports, newId) } }),
  };
}

function assignEndpoints(hostports: readonly Hostport[], newId: NewId): readonly Hostport[] {
  return hostports.map((hostport) => {
    if (hostport.endpoint_id !== '') return hostport;
    const endpoint_id = newId('ep');
    return { ...hostport, endpoint_id, created_at: formatTime(createdAt(endpoint_id)) };
  });
}
