/** The hostports of TCP edges: reserved addresses (open points, decision 10 and part B 1.12). */
import type { HostPort } from '../core/names/hostport.ts';
import { isTcpName } from '../core/service-names.ts';
import type { AddressHostport, StoredDocument, TcpEdgeDocument } from '../documents/index.ts';
import { hostportClaim, portClaim } from '../documents/name-claims.ts';
import { Problem, type ProblemDetails } from '../errors/problem.ts';
import type { Reference, RuleContext } from './definition.ts';
import { isConfigured, onAddresses } from './endpoint-configurations.ts';
import { formatHostport, hostportsField, parseHostportText, resolveEach } from './hostports.ts';
import { patterns } from './patterns.ts';

const form = '<N>.tcp[.<region>].<domain>:<port>';

export const addressHostportsField = hostportsField('Its reserved addresses, all of one region.', {
  pattern: patterns.addressHostport,
});

/** Binding: a reserved address cannot be deleted while a hostport uses it. */
export const addressReference: Reference = {
  field: 'hostports.*.address_id',
  prefixes: ['ra'],
  wrongPrefix: 'addressNotReserved',
  unknown: 'addressNotReserved',
  binding: true,
};

/** Works like `resolveEach`. */
export function resolveAddresses(
  texts: readonly string[],
  current: readonly AddressHostport[],
  context: RuleContext,
): Promise<readonly AddressHostport[]> {
  return resolveEach(texts, current, {
    parse: (text, at) => parseHostportText(text, form, at),
    attach: (place, at) => attach(place, context, at),
    repeated: 'addressRepeated',
  });
}

/** An edge is served in one region. Raises Problem, and names the first address elsewhere. */
export function requireOneRegion({ hostports }: TcpEdgeDocument): void {
  const region = hostports[0]?.region ?? '';
  const at = hostports.findIndex((hostport) => hostport.region !== region);
  if (at === -1) return;
  const elsewhere = hostports[at]!;
  const values = { value: formatHostport(elsewhere), actual: elsewhere.region, region };
  throw new Problem('hostportRegionsDiffer', values, { field: `/hostports/${at}` });
}

async function attach(
  place: HostPort,
  { store, principal, settings }: RuleContext,
  at: ProblemDetails,
): Promise<AddressHostport> {
  const value = formatHostport(place);
  const address = await findAddress(place, store);
  if (address === null) {
    const name = isTcpName(place.hostname, settings) ? 'addressNotReserved' : 'hostportIsDomain';
    throw new Problem(name, { value, form }, at);
  }
  if (address.account !== principal.account) throw new Problem('addressReservedElsewhere', { value }, at);
  if (isConfigured(onAddresses, address.body)) throw new Problem('hostportAddressConfigured', { value }, at);
  if ((await store.findName(hostportClaim(place))) !== null)
    throw new Problem('hostportTaken', { value }, at);
  const { region } = address.body;
  return { ...place, endpoint_id: '', created_at: '', region, address_id: address.id };
}

/** A port has one reservation; the host must be the one that came with it. */
async function findAddress(
  { hostname, port }: HostPort,
  store: RuleContext['store'],
): Promise<StoredDocument<'reserved_addr'> | null> {
  const holder = await store.findName(portClaim(port));
  const address = holder === null ? null : await store.get(holder.id);
  return address?.kind === 'reserved_addr' && address.body.hostname === hostname ? address : null;
}
