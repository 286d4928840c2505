/** The hostports of TLS edges: reserved domains at the front door (open points, decision 10 and part B 1.12). */
import type { HostPattern } from '../core/hostname.ts';
import { isHostPortFault, parseHostPort } from '../core/hostport.ts';
import { createdAt } from '../core/id.ts';
import { Problem, type ProblemDetails } from '../errors/problem.ts';
import type { NameClaim } from '../store/store.ts';
import type { NewId, RuleContext } from './definition.ts';
import type { EdgeHostport } from './documents.ts';
import { nearestHolder } from './domain-owners.ts';
import { shorten } from './pointer.ts';
import { formatTime } from './schema.ts';

/** The port that stands for the front door, whatever the port of the base URL is. */
const frontDoor = 443;

export function formatHostport({ hostname, port }: Pick<EdgeHostport, 'hostname' | 'port'>): string {
  return `${hostname}:${port}`;
}

export function hostportClaim(hostport: EdgeHostport): NameClaim {
  return { kind: 'hostport', value: formatHostport(hostport) };
}

/**
 * What an edge is to be bound to. Those of `current` that stay keep their endpoint; new ones get theirs in
 * `assignEndpoints`. Raises Problem, and names the element.
 */
export async function resolveHostports(
  texts: readonly string[],
  current: readonly EdgeHostport[],
  context: RuleContext,
): Promise<readonly EdgeHostport[]> {
  const resolved = new Map<HostPattern, EdgeHostport>();
  for (const [index, text] of texts.entries()) {
    const at = { field: `/hostports/${index}` };
    const hostname = parse(text, context.settings.publicPort, at);
    if (resolved.has(hostname)) throw new Problem('hostportRepeated', { value: shorten(text) }, at);
    const kept = current.find((hostport) => hostport.hostname === hostname);
    resolved.set(hostname, kept ?? (await attach(hostname, context, at)));
  }
  return [...resolved.values()];
}

/** Gives each new hostport the endpoint that exists while it stands. */
export function assignEndpoints(hostports: readonly EdgeHostport[], newId: NewId): readonly EdgeHostport[] {
  return hostports.map((hostport) => {
    if (hostport.endpoint_id !== '') return hostport;
    const endpoint_id = newId('ep');
    return { ...hostport, endpoint_id, created_at: formatTime(createdAt(endpoint_id)) };
  });
}

function parse(text: string, publicPort: number, at: ProblemDetails): HostPattern {
  const value = shorten(text);
  const hostport = parseHostPort(text);
  if (isHostPortFault(hostport)) {
    if (hostport.fault === 'port' && /:\d+$/.test(text)) throw new Problem('hostportPort', { value }, at);
    const reason = hostport.fault === 'port' ? 'it has no port' : 'its host is no domain';
    throw new Problem('hostportMalformed', { value, reason }, at);
  }
  const served = [...new Set([frontDoor, publicPort])];
  if (!served.includes(hostport.port)) {
    const allowed = served.map((port) => `${hostport.hostname}:${port}`);
    throw new Problem('hostportPortNotServed', { value, allowed: allowed.join(', ') }, { ...at, allowed });
  }
  return hostport.hostname;
}

async function attach(
  hostname: HostPattern,
  context: RuleContext,
  at: ProblemDetails,
): Promise<EdgeHostport> {
  const { store, online, principal } = context;
  const hostport = { hostname, port: frontDoor, endpoint_id: '', created_at: '' };
  const value = formatHostport(hostport);
  const domain = await nearestHolder(store, hostname);
  if (domain === null) throw new Problem('hostportNotReserved', { value }, at);
  if (domain.account !== principal.account) throw new Problem('hostportReservedElsewhere', { value }, at);
  if ((await store.findName({ kind: 'hostport', value })) !== null)
    throw new Problem('hostportTaken', { value }, at);
  if (online.byName(hostname) !== undefined) throw new Problem('hostportOnline', { value }, at);
  return { ...hostport, domain_id: domain.id };
}
