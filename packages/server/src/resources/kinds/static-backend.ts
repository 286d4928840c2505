/** Static backends: a public TCP address that is dialled (open points, part B 1.13 and decision 20). */

import { mayDial } from '../../core/ip/special-addresses.ts';
import { formatDialAddress, isDialAddressFault, parseDialAddress } from '../../core/names/dial-address.ts';
import type { Settings } from '../../core/settings.ts';
import { Type } from '../../core/type.ts';
import type { StaticBackendDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredKind } from '../definition.ts';
import { patterns } from '../patterns.ts';
import { body, common, describedWrite, type Input, optional, required } from '../schema.ts';

const described = describedWrite('backendDescriptionTooLong', 'backendMetadataTooLong');
const address = Type.String({
  pattern: patterns.address,
  description:
    'The address to dial: host:port; the host is a name or a public IP address, IPv6 in brackets. The addresses of a name are checked when it is dialled.',
});
const tlsText = 'True if the service connects to it with TLS.';
const tls = optional(
  body(
    { enabled: optional(Type.Boolean({ default: false, description: tlsText })) },
    { description: 'The encryption of its connections.' },
  ),
);
const examples = [{ address: 'www.example.com:443', tls: { enabled: true } }];

const create = body({ ...described, address: required(address, 'staticAddressMissing'), tls }, { examples });
const update = body({ ...described, address: optional(address), tls }, { examples });

type Create = Input<typeof create>;
type Update = Input<typeof update>;

export const staticBackend: StoredKind<StaticBackendDocument, Create, Update> = {
  source: 'stored',
  name: 'static_backend',
  eventStem: null,
  prefix: 'bkdsc',
  path: '/backends/static',
  listKey: 'backends',
  schemaName: 'StaticBackend',
  summary: 'Static backends',
  description: 'A public address that the edge dials by itself, without an agent.',
  group: 'Backends',
  one: 'a static backend',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    address: Type.String(),
    tls: Type.Object({ enabled: Type.Boolean({ description: tlsText }) }),
  }),
  modules: [],
  references: [],
  inUse: 'backendInUse',

  parse({ description = '', metadata = '', address, tls }, { settings }) {
    const place = placeOf(address, settings);
    return { body: { description, metadata, ...place, tls: { enabled: tls?.enabled ?? false } } };
  },

  merge({ body: current }, { address, tls, ...texts }, { settings }) {
    const place = address === undefined ? {} : placeOf(address, settings);
    const secured = tls === undefined ? {} : { tls: { enabled: tls.enabled ?? false } };
    return { body: { ...current, ...texts, ...place, ...secured } };
  },

  show({ body: { host, port, tls } }) {
    return { address: formatDialAddress({ host, port }), tls };
  },
};

/** Raises Problem for what is no address, and for a literal one that may not be dialled. */
function placeOf(
  given: string,
  { allowPrivate }: Pick<Settings, 'allowPrivate'>,
): Pick<StaticBackendDocument, 'host' | 'port'> {
  const at = { field: '/address' };
  const value = given.trim();
  if (value === '') throw new Problem('staticAddressMissing', {}, at);
  const parsed = parseDialAddress(value);
  if (isDialAddressFault(parsed)) {
    throw new Problem(parsed.fault === 'host' ? 'staticAddressHost' : 'staticAddressPort', { value }, at);
  }
  const { host, ip, port } = parsed;
  if (ip !== null && !mayDial(ip, allowPrivate)) throw new Problem('staticAddressSpecial', { value }, at);
  return { host, port };
}
