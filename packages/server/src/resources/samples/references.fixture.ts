/** Puts each reference of each kind into a request. A test shows that none is missing. */
import type { JsonObject } from '../../store/store.ts';
import { newSshKey } from '../ssh-keys.fixture.ts';

export interface ReferenceSample {
  readonly kind: string;
  readonly field: string;
  /** A kind that the field accepts. */
  readonly target: string;
  /** Fields that the target needs beside its own sample. */
  readonly targetBody?: JsonObject;
  /** A body of the kind that refers to an id and to nothing else that could be wrong. */
  readonly body: (id: string) => JsonObject;
  /** True for fields of PATCH only. */
  readonly patch?: true;
}

const backend = (id: string): JsonObject => ({ backend: { backend_id: id } });
const restriction = (id: string): JsonObject => ({ ip_restriction: { ip_policy_ids: [id] } });
const mutualTls = (id: string): JsonObject => ({
  mutual_tls: { certificate_authority_ids: [id] },
});
const terminated: JsonObject = { tls_termination: { terminate_at: 'edge' } };
const https: JsonObject = { type: 'https' };
const route: JsonObject = { match_type: 'path_prefix', match: '/' };

export const referenceSamples: readonly ReferenceSample[] = [
  { kind: 'tls_edge', field: 'backend.backend_id', target: 'http_response_backend', body: backend },
  { kind: 'tls_edge', field: 'ip_restriction.ip_policy_ids.*', target: 'ip_policy', body: restriction },
  {
    kind: 'tls_edge',
    field: 'mutual_tls.certificate_authority_ids.*',
    target: 'certificate_authority',
    body: (id) => ({ ...terminated, ...mutualTls(id) }),
  },
  {
    kind: 'https_edge',
    field: 'mutual_tls.certificate_authority_ids.*',
    target: 'certificate_authority',
    body: mutualTls,
  },
  {
    kind: 'https_edge_route',
    field: 'backend.backend_id',
    target: 'tunnel_group_backend',
    body: (id) => ({ ...route, ...backend(id) }),
  },
  {
    kind: 'https_edge_route',
    field: 'ip_restriction.ip_policy_ids.*',
    target: 'ip_policy',
    body: (id) => ({ ...route, ...restriction(id) }),
  },
  { kind: 'tcp_edge', field: 'backend.backend_id', target: 'tunnel_group_backend', body: backend },
  { kind: 'tcp_edge', field: 'ip_restriction.ip_policy_ids.*', target: 'ip_policy', body: restriction },
  {
    kind: 'endpoint_configuration',
    field: 'backend.backend_id',
    target: 'static_backend',
    body: (id) => ({ ...https, ...backend(id) }),
  },
  {
    kind: 'endpoint_configuration',
    field: 'ip_policy.ip_policy_ids.*',
    target: 'ip_policy',
    body: (id) => ({ ...https, ip_policy: { ip_policy_ids: [id] } }),
  },
  {
    kind: 'endpoint_configuration',
    field: 'mutual_tls.certificate_authority_ids.*',
    target: 'certificate_authority',
    body: (id) => ({ ...https, ...terminated, ...mutualTls(id) }),
  },
  {
    kind: 'failover_backend',
    field: 'backends.*',
    target: 'http_response_backend',
    body: (id) => ({ backends: [id] }),
  },
  {
    kind: 'weighted_backend',
    field: 'backends.~',
    target: 'http_response_backend',
    body: (id) => ({ backends: { [id]: 1 } }),
  },
  {
    kind: 'reserved_domain',
    field: 'certificate_id',
    target: 'tls_certificate',
    body: (id) => ({ name: 'sample.example.com', certificate_id: id }),
  },
  {
    kind: 'reserved_domain',
    field: 'http_endpoint_configuration_id',
    target: 'endpoint_configuration',
    targetBody: { type: 'http' },
    body: (id) => ({ http_endpoint_configuration_id: id }),
    patch: true,
  },
  {
    kind: 'reserved_domain',
    field: 'https_endpoint_configuration_id',
    target: 'endpoint_configuration',
    targetBody: https,
    body: (id) => ({ https_endpoint_configuration_id: id }),
    patch: true,
  },
  {
    kind: 'reserved_addr',
    field: 'endpoint_configuration_id',
    target: 'endpoint_configuration',
    targetBody: { type: 'tcp' },
    body: (id) => ({ endpoint_configuration_id: id }),
    patch: true,
  },
  {
    kind: 'ip_policy_rule',
    field: 'ip_policy_id',
    target: 'ip_policy',
    body: (id) => ({ ip_policy_id: id, cidr: '10.0.0.0/8', action: 'allow' }),
  },
  {
    kind: 'ip_restriction',
    field: 'ip_policy_ids.*',
    target: 'ip_policy',
    body: (id) => ({ type: 'dashboard', ip_policy_ids: [id] }),
  },
  {
    kind: 'ssh_host_certificate',
    field: 'ssh_certificate_authority_id',
    target: 'ssh_certificate_authority',
    body: (id) => ({ ssh_certificate_authority_id: id, public_key: newSshKey() }),
  },
  {
    kind: 'ssh_user_certificate',
    field: 'ssh_certificate_authority_id',
    target: 'ssh_certificate_authority',
    body: (id) => ({ ssh_certificate_authority_id: id, public_key: newSshKey() }),
  },
  {
    kind: 'event_subscription',
    field: 'destination_ids.*',
    target: 'event_destination',
    body: (id) => ({ destination_ids: [id] }),
  },
];

/** References that are not an id in the request: a hostport names its reservation, the path the edge; owners have tests of their own. */
export const otherReferences: readonly string[] = [
  'hostports.*.domain_id',
  'hostports.*.address_id',
  'edge_id',
  'owner_id',
];
