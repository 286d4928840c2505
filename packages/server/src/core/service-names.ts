/**
 * The names that the service keeps for itself.
 * In: the operator's settings. Out: names. What may change here: a label may be added, which takes its name from tunnels and reservations alike.
 */
import type { Hostname } from './hostname.ts';
import { defaultRegion, type Region, regions } from './region.ts';
import type { Settings } from './settings.ts';

/** Labels below the shared domain that the service uses itself, or will: `N.tcp[.<region>].<domain>` addresses, SAML's `idp.<domain>`. */
const labels = ['api', 'connect', 'cname', 'idp', 'tcp'];

type Place = Pick<Settings, 'domain' | 'baseUrl'>;

/** Where the API is served: at the host of its public URL, and always below the shared domain. */
export function apiNames({ domain, baseUrl }: Place): readonly Hostname[] {
  return [new URL(baseUrl).hostname as Hostname, `api.${domain}` as Hostname];
}

/** Where agents connect. */
export function connectName({ domain }: Pick<Settings, 'domain'>): Hostname {
  return `connect.${domain}` as Hostname;
}

/** Where SAML identity providers send users back to. */
export function idpName({ domain }: Pick<Settings, 'domain'>): Hostname {
  return `idp.${domain}` as Hostname;
}

/** Where agents connect, as they are told: `host:port`. */
export function connectAddress(settings: Pick<Settings, 'domain' | 'publicPort'>): string {
  return `${connectName(settings)}:${settings.publicPort}`;
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

/** Every name that nobody can reserve or bind, the shared domain itself first. */
export function serviceNames(place: Place): ReadonlySet<Hostname> {
  const below = labels.map((label) => `${label}.${place.domain}` as Hostname);
  return new Set([place.domain, ...apiNames(place), ...below]);
}
