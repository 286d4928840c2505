/**
 * The names that the service keeps for itself: never that one of them, or a wildcard over one, is reserved, bound or on an edge.
 */
import { baseOf, covers, type Hostname, type HostPattern, parentOf } from './hostname.ts';
import { defaultRegion, type Region, regions } from './region.ts';
import type { Settings } from './settings.ts';

/**
 * Labels of the shared domain that the service uses itself, or will, with everything below them: reserved addresses are
 * `N.tcp[.<region>].<domain>`, CNAME targets `<opaque>.cname.<region>.<domain>`.
 */
const labels: ReadonlySet<string> = new Set([
  'api',
  'connect',
  'cname',
  'tcp',
  'idp',
  'acme',
  'internal',
  ...regions,
]);

export type ServiceAddress = Pick<Settings, 'domain' | 'baseUrl'>;

/** Where the API is served: at the host of its public URL, and always below the shared domain. */
export function apiNames({ domain, baseUrl }: ServiceAddress): readonly Hostname[] {
  return [new URL(baseUrl).hostname as Hostname, `api.${domain}` as Hostname];
}

/** Where agents connect. */
export function connectName({ domain }: Pick<Settings, 'domain'>): Hostname {
  return `connect.${domain}` as Hostname;
}

/** Where identity providers send users back to who come back to one address for all names. */
export function idpName({ domain }: Pick<Settings, 'domain'>): Hostname {
  return `idp.${domain}` as Hostname;
}

/** The same, as the beginning of a URL, without a slash at its end. */
export function idpUrl(settings: Pick<Settings, 'domain' | 'publicPort'>): string {
  const { publicPort } = settings;
  return `https://${idpName(settings)}${publicPort === 443 ? '' : `:${publicPort}`}`;
}

/** Where agents connect, as they are told: `host:port`. */
export function connectAddress(settings: Pick<Settings, 'domain' | 'publicPort'>): string {
  return `${connectName(settings)}:${settings.publicPort}`;
}

/** Where SSH clients connect, as they are told: `host:port`; null when they cannot. */
export function sshAddress({ domain, sshListen }: Pick<Settings, 'domain' | 'sshListen'>): string | null {
  return sshListen === null ? null : `${connectName({ domain })}:${sshListen.port}`;
}

/**
 * The host of a reserved address, which says the region unless that is the default one; all of them are this service, and what
 * tells addresses apart is the port.
 */
export function tcpName(number: number, region: Region, { domain }: Pick<Settings, 'domain'>): Hostname {
  return `${number}${tcpSuffix(region, domain)}` as Hostname;
}

/** Whether a name is one that reserved addresses have, rather than a domain. */
export function isTcpName(name: string, { domain }: Pick<Settings, 'domain'>): boolean {
  return regions.some((region) => name.endsWith(tcpSuffix(region, domain)));
}

function tcpSuffix(region: Region, domain: Hostname): string {
  return region === defaultRegion ? `.tcp.${domain}` : `.tcp.${region}.${domain}`;
}

/**
 * The name of the service because of which nobody can have `pattern`: it is that name, lies below it, or covers it. Null when
 * it is free. The shared domain itself is the service's, and what lies below it only under the service's labels.
 */
export function serviceNameIn(pattern: HostPattern, service: ServiceAddress): Hostname | null {
  const { domain } = service;
  const base = baseOf(pattern);
  if (base === domain || covers(pattern, domain)) return domain;
  const kept = labelled(base, domain);
  if (kept !== null) return kept;
  const [api] = apiNames(service);
  if (api === undefined) return null;
  // An API above the shared domain, or at it, does not take the shared domain from its users.
  const isBelow = isAtOrBelow(base, api) && !isAtOrBelow(domain, api);
  return base === api || isBelow || covers(pattern, api) ? api : null;
}

/**
 * Whether a name is one that agents could be given right below the shared domain, where one certificate is valid for all: with a
 * certificate for each of them, whoever makes names up would have the service sign without end.
 */
export function isSharedName(hostname: Hostname, service: ServiceAddress): boolean {
  const { domain } = service;
  // Clients take no wildcard over a single label.
  const hasWildcard = domain.includes('.');
  return hasWildcard && parentOf(hostname) === domain && serviceNameIn(hostname, service) === null;
}

/** `api.<domain>` for it and all below it, and so on with each label of the service. */
function labelled(name: Hostname, domain: Hostname): Hostname | null {
  if (!name.endsWith(`.${domain}`)) return null;
  const label =
    name
      .slice(0, -domain.length - 1)
      .split('.')
      .at(-1) ?? '';
  return labels.has(label) ? (`${label}.${domain}` as Hostname) : null;
}

function isAtOrBelow(name: Hostname, parent: Hostname): boolean {
  return name === parent || name.endsWith(`.${parent}`);
}
