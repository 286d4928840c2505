/** The places whose IP policies decide about the visitors of a request. */
import type {
  Endpoint,
  EndpointIPPolicy,
  IPRestriction,
  IPRestrictionList,
  ReservedAddr,
  ReservedDomain,
} from '@underpass/client';
import { ApiError, send } from '../api/http.ts';

export interface Place {
  readonly title: string;
  /** Ids of the policies that decide there together. */
  readonly policies: readonly string[];
  /** False if the module is off, or if the restriction only logs. */
  readonly isOn: boolean;
  /** Path of the module, where a policy is attached; null where that is not possible. */
  readonly path: string | null;
}

export interface Places {
  /** The restrictions of the account first, as for a request. */
  readonly places: readonly Place[];
  /** A reason why the request has no place of its own; '' for none. */
  readonly remark: string;
}

/** `site` and `route`: ids from the record of a request. Rejects with ApiError. */
export async function loadPlaces(site: string, route: string): Promise<Places> {
  const shared = await restrictions();
  const own = await ownPlace(site, route);
  return typeof own === 'string' ? { places: shared, remark: own } : { places: [...shared, own], remark: '' };
}

async function restrictions(): Promise<readonly Place[]> {
  const filter = new URLSearchParams({ limit: '100', filter: 'type = endpoints' });
  const { ip_restrictions: all } = await read<IPRestrictionList>(`/ip_restrictions?${filter}`);
  return all.map(({ enforced, ip_policies }: IPRestriction) => ({
    title: 'all endpoints and edges',
    policies: ip_policies.map(({ id }) => id),
    ...{ isOn: enforced, path: null },
  }));
}

const GONE = 'What served the request is gone.';

async function ownPlace(site: string, route: string): Promise<Place | string> {
  try {
    if (site.startsWith('edghts_')) {
      if (!route.startsWith('edghtsrt_')) return 'The request reached no route.';
      return await placeAt(`/edges/https/${encodeURIComponent(site)}/routes/${encodeURIComponent(route)}`);
    }
    if (site.startsWith('edgtls_')) return await placeAt(`/edges/tls/${encodeURIComponent(site)}`);
    if (site.startsWith('edgtcp_')) return await placeAt(`/edges/tcp/${encodeURIComponent(site)}`);
    if (site.startsWith('ep_')) return await placeOfAgent(site);
    return site === '' ? '' : 'Nothing served the request.';
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return GONE;
    throw error;
  }
}

interface Carrier {
  readonly match?: string;
  readonly description: string;
  readonly ip_restriction?: EndpointIPPolicy | null;
  readonly ip_policy?: EndpointIPPolicy | null;
}

async function placeAt(
  path: string,
  name: 'ip_restriction' | 'ip_policy' = 'ip_restriction',
): Promise<Place> {
  const { match, description, [name]: module } = await read<Carrier>(path);
  return {
    title: match === undefined ? description || 'the edge' : `route ${match}`,
    policies: module?.ip_policies.map(({ id }) => id) ?? [],
    isOn: module == null || module.enabled,
    path: `${path}/${name}`,
  };
}

const AGENT =
  'An agent serves the name. Its own list has the flags --cidr-allow and --cidr-deny. A policy needs an endpoint configuration on the reserved domain or address.';

async function placeOfAgent(site: string): Promise<Place | string> {
  const endpoint = await read<Endpoint>(`/endpoints/${encodeURIComponent(site)}`);
  const configuration = await configurationOf(endpoint);
  if (configuration === null) return AGENT;
  const place = await placeAt(`/endpoint_configurations/${configuration}`, 'ip_policy');
  return { ...place, title: `endpoint configuration of ${endpoint.host}` };
}

async function configurationOf({ domain, tcp_addr, proto }: Endpoint): Promise<string | null> {
  if (tcp_addr !== null) {
    const { endpoint_configuration: ref } = await read<ReservedAddr>(`/reserved_addrs/${tcp_addr.id}`);
    return ref?.id ?? null;
  }
  if (domain === null) return null;
  const reserved = await read<ReservedDomain>(`/reserved_domains/${domain.id}`);
  const ref = proto === 'http' ? reserved.http_endpoint_configuration : reserved.https_endpoint_configuration;
  return ref?.id ?? null;
}

async function read<T>(path: string): Promise<T> {
  return (await send<T>({ method: 'GET', path })).data;
}
