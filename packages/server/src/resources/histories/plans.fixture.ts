/**
 * Operations of random histories on each kind of resource. Refused bodies are as useful as accepted ones.
 * A body is JSON with some forms of its own. `%` is a number that is part of this history's names. `{$id: Reference}`
 * is an id, and `{$addr: Reference}` an assigned address. `{$map: [[key, value], …]}` is an object with such keys.
 */
import fc from 'fast-check';
import { keptChain } from '../../pki/kept-chain.fixture.ts';
import { reference } from './references.fixture.ts';

type Body = fc.Arbitrary<unknown>;

const id = (...of: string[]): Body => reference(...of).map(($id) => ({ $id }));
const one = (...values: unknown[]): Body => fc.constantFrom(...values);
/** The first, six times out of seven. */
const mostly = (good: Body, other: Body): Body =>
  fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: other });
/** Null, which means not given, three times out of four. */
const rarely = (body: Body): Body =>
  fc.oneof({ weight: 3, arbitrary: one(null) }, { weight: 1, arbitrary: body });
const ids = (...of: string[]): Body => mostly(fc.tuple(id(...of)), fc.array(id(...of), { maxLength: 3 }));
/** Fields of which any may be left out. */
const some = (model: Record<string, Body>): Body => fc.record(model, { requiredKeys: [] });

const text = mostly(one('', 'x', 'ü🦊', '\0', '\ud800', null), one('€'.repeat(85), '€'.repeat(86)));
const described = { description: text, metadata: text };
const enabled = fc.boolean();
const chain = keptChain('a.example.com');

const leaves = ['http_response_backend', 'tunnel_group_backend', 'static_backend'];
const backends = [...leaves, 'failover_backend', 'weighted_backend'];
const backend = fc.record({ enabled, backend_id: id(...backends) });
const restriction = fc.record({ enabled, ip_policy_ids: ids('ip_policy') });
const mutualTls = fc.record({ enabled, certificate_authority_ids: ids('certificate_authority') });
const termination = some({ terminate_at: one('edge', 'edge', 'upstream'), min_version: one('', '1.3') });
const httpsTermination = some({ enabled, min_version: mostly(one('', '1.2'), one('9')) });
const compression = some({ enabled });
const names = mostly(
  one('shop%', 'a%.example.com', '*.a%.example.com', 'b.a%.example.com'),
  one('A%.Example.com.', 'x_y%', 'a%.example.com\0'),
);
const hostports = mostly(
  fc.array(one('a%.example.com:443', 'b.a%.example.com:8443', 'shop%.underpass.localhost:443'), {
    maxLength: 1,
  }),
  fc.array(one('a%.example.com:443', 'b.a%.example.com:80'), { maxLength: 2 }),
);
const address = mostly(
  reference('reserved_addr').map(($addr) => ({ $addr })),
  one('0.tcp.underpass.localhost:1', 'a%.example.com:443'),
);
const labels = mostly(
  one({ app: 'web' }, { app: 'web', zone: 'a' }, JSON.parse('{"__proto__": "x"}')),
  one({}),
);
const owner = { owner_id: id('user', 'bot_user') };
const weight = mostly(one(1, 10_000), one(0, 10_001));
const weights = fc.array(fc.tuple(id(...leaves), weight), { minLength: 1, maxLength: 3 });
const source = mostly(
  one({ type: 'ip_policy_created.v0' }, { type: 'domain_deleted.v0' }),
  one({ type: 'x.v0' }, {}),
);

export interface Plan {
  readonly create: Body;
  readonly update?: Body;
  readonly parent?: string;
  readonly modules?: Readonly<Record<string, Body>>;
  readonly detachments?: readonly string[];
  readonly elements?: { readonly body: Body; readonly keys: readonly string[] };
  /** Relative frequency of the kind, default 1: higher for kinds that others refer to. */
  readonly weight?: number;
}

const tlsModules = {
  backend,
  ip_restriction: restriction,
  mutual_tls: mutualTls,
  tls_termination: termination,
};
const httpsModules = { mutual_tls: mutualTls, tls_termination: httpsTermination };
const l4Modules = { backend, ip_restriction: restriction };
const routeModules = { ...l4Modules, compression };
const configurationModules = {
  ...httpsModules,
  tls_termination: termination,
  ip_policy: restriction,
  backend,
};
/** Most of them come one by one. */
const atOnce = (modules: Record<string, Body>) =>
  Object.fromEntries(Object.entries(modules).map(([name, body]) => [name, rarely(body)]));

/** All stored kinds but those whose answers hold keys that are made at random, and SSH keys, which only one account can have. */
export const plans: Readonly<Record<string, Plan>> = {
  http_response_backend: {
    create: some({
      ...described,
      status_code: mostly(one(200, 404), one(99)),
      headers: mostly(one({ 'X-A': '1' }, {}), one({ a: '', A: '' })),
    }),
    weight: 3,
  },
  tunnel_group_backend: { create: fc.record({ ...described, labels }) },
  static_backend: {
    create: fc.record({ address: mostly(one('up.example.com:80'), one('10.0.0.1:80', 'x')) }),
  },
  failover_backend: {
    create: fc.record({ ...described, backends: ids(...leaves, 'weighted_backend') }),
    weight: 2,
  },
  weighted_backend: { create: fc.record({ backends: weights.map(($map) => ({ $map })) }) },
  reserved_domain: {
    create: fc.record({ ...described, name: names, certificate_id: rarely(id('tls_certificate')) }),
    update: some({
      ...described,
      certificate_id: fc.oneof(id('tls_certificate'), one('')),
      https_endpoint_configuration_id: fc.oneof(id('endpoint_configuration'), one('')),
    }),
    detachments: ['certificate', 'https_endpoint_configuration'],
    weight: 5,
  },
  reserved_addr: {
    create: some({ ...described, region: mostly(one('us', 'eu'), one('xx')) }),
    update: some({ ...described, endpoint_configuration_id: id('endpoint_configuration') }),
    detachments: ['endpoint_configuration'],
  },
  tls_certificate: {
    create: fc.constant({ certificate_pem: chain.leaf + chain.intermediate, private_key_pem: chain.key }),
    update: some(described),
  },
  certificate_authority: { create: fc.constant({ ca_pem: chain.root }), update: some(described) },
  ip_policy: { create: some(described), weight: 2 },
  ip_policy_rule: {
    create: fc.record({
      cidr: mostly(one('127.0.0.0/8', '10.0.0.0/8', '2001:DB8::/32'), one('10.0.0.1/8')),
      action: one('allow', 'deny'),
      ip_policy_id: id('ip_policy'),
    }),
    update: some({ ...described, cidr: one('10.0.0.0/8', '192.168.0.0/16', '') }),
    weight: 2,
  },
  ip_restriction: {
    create: fc.record({
      type: mostly(one('api', 'agent'), one('x')),
      enforced: enabled,
      ip_policy_ids: ids('ip_policy'),
    }),
    update: some({ ...described, enforced: enabled, ip_policy_ids: ids('ip_policy') }),
  },
  tls_edge: {
    create: some({ ...described, hostports, ...atOnce(tlsModules) }),
    modules: tlsModules,
    weight: 5,
  },
  https_edge: {
    create: some({ ...described, hostports, ...atOnce(httpsModules) }),
    modules: httpsModules,
    weight: 3,
  },
  https_edge_route: {
    parent: 'https_edge',
    create: fc.record({
      ...described,
      match: mostly(one('/a', '/b', '/c'), one('/a/../b')),
      match_type: one('exact_path', 'path_prefix'),
      ...atOnce(routeModules),
    }),
    modules: routeModules,
    weight: 3,
  },
  tcp_edge: {
    create: some({ ...described, hostports: fc.array(address, { maxLength: 2 }), ...atOnce(l4Modules) }),
    modules: l4Modules,
  },
  endpoint_configuration: {
    create: fc.record({
      type: one('http', 'https', 'https', 'tcp'),
      ...described,
      ...atOnce(configurationModules),
    }),
    update: some({ ...described, ...atOnce(configurationModules) }),
    modules: configurationModules,
  },
  user: {
    create: fc.record({
      name: mostly(one('x'), one('')),
      email: one('a@example.com', 'A@example.com', '', 'x'),
      role: one('admin', 'member'),
      active: mostly(one(true), one(false)),
    }),
    update: some({ email: one('b@example.com', ''), role: one('admin', 'member'), active: enabled }),
  },
  bot_user: { create: fc.record({ name: one('a', 'b', 'c'), active: mostly(one(true), one(false)) }) },
  credential: {
    create: some({ ...described, ...owner, acl: mostly(one(['*'], ['bind:a%.example.com']), one(['x'])) }),
    update: some(described),
  },
  api_key: { create: some({ ...described, ...owner }), update: some(described) },
  event_destination: {
    create: fc.record({
      format: one('json'),
      target: mostly(one({ monitoring: { api_key: 'k' } }), one({ monitoring: { tags: 'a' } }, {})),
    }),
  },
  event_subscription: {
    create: some({
      ...described,
      sources: fc.array(source, { maxLength: 2 }),
      destination_ids: ids('event_destination'),
    }),
    elements: { body: source, keys: ['ip_policy_created.v0', 'domain_deleted.v0', '\0'] },
    weight: 2,
  },
};
