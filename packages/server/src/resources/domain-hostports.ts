/** The hostports of TLS and HTTPS edges: reserved domains at the front door (open points, decision 10 and part B 1.12). */

import type { HostPort } from '../core/names/hostport.ts';
import { isTcpName, serviceNameIn } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import type { EdgeHostport } from '../documents/index.ts';
import { frontDoor, hostportClaim } from '../documents/name-claims.ts';
import { cut } from '../errors/echo.ts';
import { Problem, type ProblemDetails } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { Reference, RuleContext } from './definition.ts';
import { nearestHolder } from './domain-owners.ts';
import { isConfigured, onDomains } from './endpoint-configurations.ts';
import { formatHostport, hostportsField, parseHostportText, resolveEach } from './hostports.ts';
import { patterns } from './patterns.ts';

export const domainHostportsField = hostportsField(
  'Its reserved domains with port 443 or the port of the base URL, which mean the same.',
  // The OpenAPI document of a daemon names the ports.
  { pattern: patterns.hostport, 'x-served-ports': true },
);

/** Binding: a reserved domain cannot be deleted while a hostport uses it. */
export const domainReference: Reference = {
  field: 'hostports.*.domain_id',
  prefixes: ['rd'],
  wrongPrefix: 'hostportNotReserved',
  unknown: 'hostportNotReserved',
  binding: true,
};

/** Works like `resolveEach`. `isAddress` is raised for reserved addresses, which only TCP edges accept. */
export function resolveDomains(
  texts: readonly string[],
  current: readonly EdgeHostport[],
  context: RuleContext,
  isAddress: ErrorNeeding<'value'>,
): Promise<readonly EdgeHostport[]> {
  return resolveEach(texts, current, {
    parse: (text, at) => parse(text, context.settings, isAddress, at),
    attach: (place, at) => attach(place, context, at),
    repeated: 'hostportRepeated',
  });
}

function parse(
  value: string,
  settings: Settings,
  isAddress: ErrorNeeding<'value'>,
  at: ProblemDetails,
): HostPort {
  const { hostname, port } = parseHostportText(value, '<domain>:443', at);
  if (isTcpName(hostname, settings)) throw new Problem(isAddress, { value }, at);
  if (serviceNameIn(hostname, settings) !== null) throw new Problem('hostportOfService', { value }, at);
  const served = [...new Set([frontDoor, settings.publicPort])];
  if (!served.includes(port)) {
    const allowed = served.map((one) => `${cut(hostname)}:${one}`);
    throw new Problem('hostportPortNotServed', { value, allowed: allowed.join(', ') }, { ...at, allowed });
  }
  return { hostname, port: frontDoor };
}

async function attach(place: HostPort, context: RuleContext, at: ProblemDetails): Promise<EdgeHostport> {
  const { store, principal } = context;
  const value = formatHostport(place);
  const domain = await nearestHolder(store, place.hostname);
  if (domain === null) throw new Problem('hostportNotReserved', { value }, at);
  if (domain.account !== principal.account) throw new Problem('hostportReservedElsewhere', { value }, at);
  const reservation = await store.get(domain.id);
  if (reservation !== null && isConfigured(onDomains, reservation.body))
    throw new Problem('hostportDomainConfigured', { value }, at);
  if ((await store.findName(hostportClaim(place))) !== null)
    throw new Problem('hostportTaken', { value }, at);
  return { ...place, endpoint_id: '', created_at: '', domain_id: domain.id };
}
