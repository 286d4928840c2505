/**
 * The names that belong to the service.
 * Invariant: such a name, or a wildcard over it, is never reserved, bound or on an edge.
 */

import { baseOf, covers, type Hostname, type HostPattern, parentOf } from './names/hostname.ts';
import { defaultRegion, type Region, regions } from './names/region.ts';
import type { Settings } from './settings.ts';

/**
 * Labels of the shared domain that the service uses or will use, with everything below them. Reserved addresses are
 * `N.tcp[.<region>].<domain>`, and CNAME targets are `<opaque>.cname.<region>.<domain>`.
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

export type ServiceAddress = Pick<Settings, 'domain' | 'baseUrl' | 'consoleHost'>;

/** Returns the names of the API: the host of its public URL, and a name below the shared domain. */
export function apiNames({
  domain,
  baseUrl,
}: Pick<ServiceAddress, 'domain' | 'baseUrl'>): readonly Hostname[] {
  return [new URL(baseUrl).hostname as Hostname, `api.${domain}` as Hostname];
}

/** Returns the URL of the service that has the console at `/ui/`, without a slash at its end. */
export function consoleUrl({
  baseUrl,
  consoleHost,
  publicPort,
}: Pick<Settings, 'baseUrl' | 'consoleHost' | 'publicPort'>): string {
  if (consoleHost === null) return baseUrl;
  return `https://${consoleHost}${publicPort === 443 ? '' : `:${publicPort}`}`;
}

/** Returns the hosts that are neither the shared domain nor right below it: no certificate of the domain is valid there. */
export function hostsOutside({ domain, baseUrl, consoleHost }: ServiceAddress): readonly Hostname[] {
  const hosts = new Set([
    new URL(baseUrl).hostname as Hostname,
    ...(consoleHost === null ? [] : [consoleHost]),
  ]);
  return [...hosts].filter((host) => host !== domain && parentOf(host) !== domain);
}

/** Returns the name that agents connect to. */
export function connectName({ domain }: Pick<Settings, 'domain'>): Hostname {
  return `connect.${domain}` as Hostname;
}

/** Returns the name to which identity providers send users back, one for all names. */
export function idpName({ domain }: Pick<Settings, 'domain'>): Hostname {
  return `idp.${domain}` as Hostname;
}

/** Returns the URL of that name, without a slash at its end. */
export function idpUrl(settings: Pick<Settings, 'domain' | 'publicPort'>): string {
  const { publicPort } = settings;
  return `https://${idpName(settings)}${publicPort === 443 ? '' : `:${publicPort}`}`;
}

/** Returns the `host:port` for agents. */
export function connectAddress(settings: Pick<Settings, 'domain' | 'publicPort'>): string {
  return `${connectName(settings)}:${settings.publicPort}`;
}

/** Returns the `host:port` that SSH clients connect to; null if SSH is off. */
export function sshAddress({ domain, sshListen }: Pick<Settings, 'domain' | 'sshListen'>): string | null {
  return sshListen === null ? null : `${connectName({ domain })}:${sshListen.port}`;
}

/**
 * Returns the host of a reserved address, with its region unless it is the default. All hosts are this service, and the
 * port distinguishes addresses.
 */
export function tcpName(number: number, region: Region, { domain }: Pick<Settings, 'domain'>): Hostname {
  return `${number}${tcpSuffix(region, domain)}` as Hostname;
}

/** Returns true if the name has the form of a reserved address, not of a domain. */
export function isTcpName(name: string, { domain }: Pick<Settings, 'domain'>): boolean {
  return regions.some((region) => name.endsWith(tcpSuffix(region, domain)));
}

function tcpSuffix(region: Region, domain: Hostname): string {
  return region === defaultRegion ? `.tcp.${domain}` : `.tcp.${region}.${domain}`;
}

/**
 * Returns the service's name that excludes `pattern`: it is that name, lies below it, or covers it. Returns null if the
 * pattern is free. The shared domain itself belongs to the service, and names below it only under the service's labels.
 */
export function serviceNameIn(pattern: HostPattern, service: ServiceAddress): Hostname | null {
  const { domain } = service;
  const base = baseOf(pattern);
  if (base === domain || covers(pattern, domain)) return domain;
  const kept = labelled(base, domain);
  if (kept !== null) return kept;
  const { consoleHost } = service;
  const [api] = apiNames(service);
  const names = [api, ...(consoleHost === null ? [] : [consoleHost])];
  return names.find((name) => name !== undefined && excludes(name, pattern, domain)) ?? null;
}

function excludes(name: Hostname, pattern: HostPattern, domain: Hostname): boolean {
  const base = baseOf(pattern);
  // A name at or above the shared domain does not exclude the users' names below it.
  const isBelow = isAtOrBelow(base, name) && !isAtOrBelow(domain, name);
  return base === name || isBelow || covers(pattern, name);
}

/**
 * Returns true if agents could get the name right below the shared domain, where one certificate is valid for all. A
 * certificate for each name would let visitors cause endless signing.
 */
export function isSharedName(hostname: Hostname, service: ServiceAddress): boolean {
  const { domain } = service;
  // Clients accept no wildcard over a single label.
  const hasWildcard = domain.includes('.');
  return hasWildcard && parentOf(hostname) === domain && serviceNameIn(hostname, service) === null;
}

/** Returns `api.<domain>` for itself and all names below it, and likewise for each label of the service. */
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
