/**
 * Chooses the name of a bind (agent protocol, section 5; open points, part B 3.11), as pure decisions on values. The
 * caller claims the name in the same turn, so that concurrent binds for one name see each other.
 */

import { type BindTarget, patternsAbove } from '../core/names/bind-target.ts';
import {
  type Hostname,
  type HostnameFault,
  type HostPattern,
  isFault,
  isWildcard,
  parentPatterns,
  parseHostPattern,
} from '../core/names/hostname.ts';
import { serviceNameIn } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { TunnelProtocol } from '../online/tunnel-facts.ts';
import { shown } from './options/fields.ts';
import { protocols } from './options/protocols.ts';

/** The requested name of a bind; '' for absent fields. */
export interface RequestedName {
  readonly proto: TunnelProtocol;
  readonly url: string;
  readonly domain: string;
  readonly hostname: string;
  readonly subdomain: string;
  /** Address of a TCP bind. */
  readonly addr: string;
}

export interface Requester {
  readonly account: string;
  readonly credential: string;
  /** The credential's bind rules. */
  readonly permits: (name: HostPattern) => boolean;
}

/** Public address of the service. */
export type PublicAddress = Pick<Settings, 'domain' | 'publicPort' | 'plainPort' | 'baseUrl' | 'consoleHost'>;

/** Exact look-ups: the account that reserved a name, and the account whose edge it is attached to. */
export interface NameOwners {
  reservedBy(name: HostPattern): string | undefined;
  edgeAccount(name: HostPattern): string | undefined;
}

const randomDraws = 16;
/** Suffix by which newer agents request an endpoint that is not public, whatever `Bindings` contains. */
const internalSuffix = '.internal';
/** `user:password@` before the host. */
const userInfo = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i;
const urlShape = /^(?:([a-z]+):\/\/)?([^/:?#@\\\s]*)(?::(\d{1,5}))?\/?$/i;

/**
 * Returns the requested name in canonical form; null for a random one. Raises Problem. `proven`: the agent's earlier
 * name, with the port of that time.
 */
export function wantedName(
  requested: RequestedName,
  service: PublicAddress,
  proven: string | null = null,
): HostPattern | null {
  const given: string[] = [];
  if (requested.domain !== '') given.push(requested.domain);
  if (requested.hostname !== '') given.push(requested.hostname);
  const urlHost = requested.url === '' ? '' : hostOfUrl(requested, service, proven);
  if (urlHost !== '') given.push(urlHost);
  if (requested.subdomain !== '') given.push(`${requested.subdomain}.${service.domain}`);
  const names = new Set(given.map(parseName));
  if (names.size > 1) throw new Problem('bindNamesContradict', { names: [...names].join(', ') });
  for (const name of names) return name;
  return null;
}

/** Returns a random free name. `draw` returns 12 lower-case hexadecimal digits. Raises Problem. */
export function randomName(
  requester: Requester,
  service: PublicAddress,
  owners: NameOwners,
  isFree: (name: HostPattern) => boolean,
  draw: () => string,
): HostPattern {
  for (let count = 0; count < randomDraws; count++) {
    const name = `${draw()}.${service.domain}` as HostPattern;
    if (isFree(name) && denial(name, requester, service, owners) === null) return name;
  }
  throw new Problem('bindRandomNameUnavailable', {
    credential: requester.credential,
    domain: service.domain,
  });
}

/**
 * Returns the reason why a credential may not have a name, regardless of other tunnels; null if it may. Applies to
 * new and to existing binds.
 */
export function denial(
  name: HostPattern,
  requester: Requester,
  service: PublicAddress,
  owners: NameOwners,
): Problem | null {
  if (serviceNameIn(name, service) !== null) return new Problem('bindNameOfService', { name });
  if (!requester.permits(name)) {
    return new Problem('bindNameNotPermitted', { name, credential: requester.credential });
  }
  const edge = owners.edgeAccount(name);
  if (edge === requester.account) return new Problem('bindNameOfEdge', { name });
  const exact = owners.reservedBy(name);
  const nearest = exact ?? nearestReservation(name, owners);
  if (edge !== undefined || (nearest !== undefined && nearest !== requester.account)) {
    return new Problem('bindNameReservedElsewhere', { name });
  }
  if (exact !== undefined) return null;
  if (isWildcard(name)) {
    return new Problem(nearest === undefined ? 'bindWildcardNotReserved' : 'bindWildcardNotExact', { name });
  }
  if (nearest !== undefined) return null;
  return denialOfUnreserved(name, service.domain);
}

function denialOfUnreserved(name: HostPattern, domain: Hostname): Problem | null {
  if (!name.endsWith(`.${domain}`)) {
    return name.endsWith(internalSuffix)
      ? new Problem('bindNameInternal', { name })
      : new Problem('bindNameNotReserved', { name, domain });
  }
  const below = name.slice(0, -domain.length - 1);
  return below.includes('.') ? new Problem('bindNameNested', { name, domain }) : null;
}

/** Returns true if a name or port is reserved, itself or by a wildcard above it. */
export function isReserved(
  target: BindTarget,
  owners: { reservedBy(name: BindTarget): string | undefined },
): boolean {
  return [target, ...patternsAbove(target)].some((one) => owners.reservedBy(one) !== undefined);
}

/** The account of the longest reserved wildcard above a name. */
function nearestReservation(name: HostPattern, owners: NameOwners): string | undefined {
  for (const wildcard of parentPatterns(name as Hostname)) {
    if (wildcard === name) continue;
    const account = owners.reservedBy(wildcard);
    if (account !== undefined) return account;
  }
  return undefined;
}

/** Returns the host of `https://host[:port]`, with or without scheme; '' if it has none, which requests a random name. */
function hostOfUrl({ url, proto }: RequestedName, service: PublicAddress, proven: string | null): string {
  if (userInfo.test(url)) throw new Problem('bindUrlUserInfo');
  const match = urlShape.exec(url);
  const { schemes } = protocols[proto];
  const scheme = match?.[1]?.toLowerCase() ?? null;
  if (match === null || (scheme !== null && !schemes.includes(scheme))) {
    throw new Problem('bindUrlMalformed', { url: shown(url), scheme: schemes[0]! });
  }
  const [, , host = '', port] = match;
  if (port === undefined || host.toLowerCase() === proven) return host;
  const served = [443, service.publicPort];
  if (scheme === 'http') served.push(80, service.plainPort ?? 80);
  if (host === '' || !served.includes(Number(port))) {
    throw new Problem('bindUrlPort', { url: shown(url), port, served: [...new Set(served)].join(' or ') });
  }
  return host;
}

function parseName(text: string): HostPattern {
  const name = parseHostPattern(text);
  if (isFault(name)) throw new Problem(syntaxErrors[name.fault], { name: shown(text) });
  return name;
}

const syntaxErrors = {
  empty: 'bindNameFirst',
  character: 'bindNameCharacter',
  underscore: 'bindNameUnderscore',
  first: 'bindNameFirst',
  last: 'bindNameLast',
  'double-dot': 'bindNameDots',
  'double-hyphen': 'bindNameHyphens',
  'label-length': 'bindLabelTooLong',
  length: 'bindNameTooLong',
  punycode: 'bindNamePunycode',
  tld: 'bindNameTopLevel',
  wildcard: 'bindNameWildcardMisplaced',
  'ip-address': 'bindNameIsAddress',
} as const satisfies Record<HostnameFault['fault'], ErrorNeeding<'name'>>;
