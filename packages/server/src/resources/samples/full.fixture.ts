/**
 * Bodies in which every field of every kind is given a value that is not the zero one, for tests that leave them out one by one. That
 * no field is missing is a test.
 */

import { oauthProviders } from '../../core/modules/oauth-providers.ts';
import { idpMetadata } from '../../pki/idp-metadata.fixture.ts';
import { keptChain } from '../../pki/kept-chain.fixture.ts';
import type { JsonObject } from '../../store/store.ts';
import { newSshKey } from '../ssh-keys.fixture.ts';
import type { SampleTarget } from './sample.fixture.ts';

/** Bodies for one kind. Several, because some fields exclude each other. */
export interface FullSample {
  readonly kind: string;
  /** Creates the parent of a kind that lives below another. */
  readonly parent?: (on: SampleTarget) => Promise<string>;
  readonly bodies: (on: SampleTarget & { readonly owner: string }) => Promise<
    readonly {
      readonly create: JsonObject;
      /** Fields that only a PATCH has. */
      readonly update?: JsonObject;
      /** The one field that it is for, because making it is slow. */
      readonly only?: string;
    }[]
  >;
}

const texts = { description: 'for people', metadata: 'for machines' };
const chain = keptChain('full.example.com');
const past = '2030-01-01T00:00:00Z';
const future = '2031-01-01T00:00:00Z';

async function idOf(on: SampleTarget, kind: string, body: JsonObject = {}): Promise<string> {
  return (await on.create(kind, body)).id;
}

async function modules(on: SampleTarget) {
  const policies = [await idOf(on, 'ip_policy')];
  const authorities = [await idOf(on, 'certificate_authority', { ca_pem: chain.root })];
  const headers = { enabled: true, add: { 'x-a': '1' }, remove: ['x-b'] };
  return {
    backend: { enabled: true, backend_id: await idOf(on, 'http_response_backend') },
    ip_restriction: { enabled: true, ip_policy_ids: policies },
    mutual_tls: { enabled: true, certificate_authority_ids: authorities },
    tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.3' },
    basic_auth: { enabled: true, auth_provider_id: 'agent', realm: 'r', allow_options: true },
    circuit_breaker: {
      enabled: true,
      tripped_duration: 1,
      rolling_window: 2,
      num_buckets: 3,
      volume_threshold: 4,
      error_threshold_percentage: 0.5,
    },
    compression: { enabled: true },
    request_headers: headers,
    response_headers: headers,
    saml: {
      enabled: true,
      options_passthrough: true,
      cookie_prefix: 'mine.',
      inactivity_timeout: 1,
      maximum_duration: 2,
      idp_metadata: idpMetadata(),
      force_authn: true,
      allow_idp_initiated: true,
      authorized_groups: ['admins'],
      group_attributes: ['department'],
      nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
    },
    oidc: {
      enabled: true,
      options_passthrough: true,
      cookie_prefix: 'mine.',
      inactivity_timeout: 1,
      maximum_duration: 2,
      issuer: 'https://accounts.example.com',
      client_id: 'shop',
      client_secret: 's3cret',
      scopes: ['email'],
    },
    webhook_verification: { enabled: true, provider: 'stripe', secret: 'whsec_1' },
    websocket_tcp_converter: { enabled: true },
    user_agent_filter: { enabled: true, allow: ['a'], deny: ['b'] },
  };
}

/** One for each provider: they exclude each other. */
const oauths: readonly JsonObject[] = oauthProviders.map((name) => ({
  enabled: true,
  options_passthrough: true,
  cookie_prefix: 'mine.',
  inactivity_timeout: 1,
  maximum_duration: 2,
  auth_check_interval: 3,
  provider: {
    [name]: {
      client_id: 'shop',
      client_secret: 's3cret',
      scopes: ['email'],
      email_addresses: ['ada@example.com'],
      email_domains: ['example.com'],
      ...(name === 'github' ? { teams: ['acme/staff'], organizations: ['acme'] } : {}),
    },
  },
}));

const role = { role: { role_identifier: 'arn:aws:iam::123456789012:role/events' } };
const creds = { creds: { cloud_access_key_id: 'AKIA1', cloud_secret_access_key: 's3cret' } };
const place = 'us-east-1:123456789012';

const targets: readonly JsonObject[] = [
  ...[role, creds].flatMap((auth) => [
    { delivery_stream: { auth, delivery_stream_identifier: `arn:aws:firehose:${place}:deliverystream/a` } },
    { stream: { auth, stream_identifier: `arn:aws:kinesis:${place}:stream/a` } },
    { log_group: { auth, log_group_identifier: `arn:aws:logs:${place}:log-group:a` } },
    {
      s3: {
        ...{ auth, bucket_identifier: 'arn:aws:s3:::events', object_prefix: 'edge/', compression: true },
        ...{ max_file_size: 1_048_576, max_file_age: 60 },
      },
    },
  ]),
  { monitoring: { api_key: 'k3y', tags: 'a:b', service: 'edge', site: 'us3' } },
  {
    azure_logs_ingestion: {
      tenant_id: 't',
      client_id: 'c',
      client_secret: 's3cret',
      logs_ingestion_uri: 'https://ingest.example.com',
      data_collection_rule_id: 'r',
      data_collection_stream_name: 's',
    },
  },
];

let counter = 0;

async function hostportOfDomain(on: SampleTarget): Promise<string> {
  const { domain } = await on.create('reserved_domain', { name: `full-${++counter}` });
  return `${domain}:443`;
}

async function sshSubject(on: SampleTarget): Promise<JsonObject> {
  return {
    ...texts,
    ssh_certificate_authority_id: await idOf(on, 'ssh_certificate_authority'),
    public_key: newSshKey(),
    principals: ['host.example.com'],
    valid_after: past,
    valid_until: future,
  };
}

export const fullSamples: readonly FullSample[] = [
  {
    kind: 'http_response_backend',
    bodies: async () => [{ create: { ...texts, body: 'hi', headers: { a: 'b' }, status_code: 404 } }],
  },
  {
    kind: 'failover_backend',
    bodies: async (on) => [{ create: { ...texts, backends: [await idOf(on, 'http_response_backend')] } }],
  },
  {
    kind: 'weighted_backend',
    bodies: async (on) => [
      { create: { ...texts, backends: { [await idOf(on, 'http_response_backend')]: 1 } } },
    ],
  },
  {
    kind: 'static_backend',
    bodies: async () => [{ create: { ...texts, address: 'example.com:443', tls: { enabled: true } } }],
  },
  { kind: 'tunnel_group_backend', bodies: async () => [{ create: { ...texts, labels: { app: 'web' } } }] },
  {
    kind: 'tcp_edge',
    bodies: async (on) => {
      const { backend, ip_restriction } = await modules(on);
      const { addr } = await on.create('reserved_addr', {});
      return [{ create: { ...texts, hostports: [addr ?? ''], backend, ip_restriction } }];
    },
  },
  {
    kind: 'tls_edge',
    bodies: async (on) => {
      const { backend, ip_restriction, mutual_tls, tls_termination } = await modules(on);
      const hostports = [await hostportOfDomain(on)];
      return [
        { create: { ...texts, hostports, backend, ip_restriction, tls_termination } },
        { create: { mutual_tls, tls_termination } },
      ];
    },
  },
  {
    kind: 'https_edge',
    bodies: async (on) => {
      const { mutual_tls, tls_termination } = await modules(on);
      const hostports = [await hostportOfDomain(on)];
      const { terminate_at: _, ...termination } = tls_termination;
      return [{ create: { ...texts, hostports, mutual_tls, tls_termination: termination } }];
    },
  },
  {
    kind: 'https_edge_route',
    parent: (on) => idOf(on, 'https_edge'),
    bodies: async (on) => {
      const { mutual_tls: _, tls_termination: __, basic_auth: ___, saml, ...others } = await modules(on);
      const matching = { match_type: 'exact_path', match: '/full' };
      return [
        { create: { ...texts, ...matching, ...others } },
        { create: { ...matching, saml }, only: 'saml' },
        ...oauths.map((oauth) => ({ create: { ...matching, oauth }, only: 'oauth' })),
      ];
    },
  },
  {
    kind: 'endpoint_configuration',
    bodies: async (on) => {
      const { ip_restriction, tls_termination, saml, webhook_verification, ...others } = await modules(on);
      return [
        {
          create: {
            ...{ type: 'https', ...texts, ...others },
            ...{ ip_policy: ip_restriction, webhook_validation: webhook_verification },
          },
        },
        { create: { type: 'https', tls_termination } },
        { create: { type: 'https', saml }, only: 'saml' },
        ...oauths.map((oauth) => ({ create: { type: 'https', oauth }, only: 'oauth' })),
      ];
    },
  },
  {
    kind: 'reserved_domain',
    bodies: async (on) => {
      const certificate_id = await idOf(on, 'tls_certificate', {
        certificate_pem: chain.leaf,
        private_key_pem: chain.key,
      });
      const resolves_to = [{ value: 'us' }];
      const update = {
        resolves_to,
        http_endpoint_configuration_id: await idOf(on, 'endpoint_configuration', { type: 'http' }),
        https_endpoint_configuration_id: await idOf(on, 'endpoint_configuration', { type: 'https' }),
      };
      return [
        { create: { ...texts, name: 'full', region: 'us', resolves_to }, update },
        { create: { domain: 'full.example.com', region: 'us', certificate_id } },
      ];
    },
  },
  {
    kind: 'reserved_addr',
    bodies: async (on) => [
      {
        create: { ...texts, region: 'us' },
        update: { endpoint_configuration_id: await idOf(on, 'endpoint_configuration', { type: 'tcp' }) },
      },
    ],
  },
  { kind: 'certificate_authority', bodies: async () => [{ create: { ...texts, ca_pem: chain.root } }] },
  {
    kind: 'tls_certificate',
    bodies: async () => [{ create: { ...texts, certificate_pem: chain.leaf, private_key_pem: chain.key } }],
  },
  {
    kind: 'event_destination',
    bodies: async () => targets.map((target) => ({ create: { ...texts, format: 'json', target } })),
  },
  {
    kind: 'event_subscription',
    bodies: async (on) => [
      {
        create: {
          ...texts,
          sources: [{ type: 'ip_policy_created.v0' }],
          destination_ids: [
            await idOf(on, 'event_destination', { format: 'json', target: { monitoring: { api_key: 'k' } } }),
          ],
        },
      },
    ],
  },
  {
    kind: 'credential',
    bodies: async ({ owner }) => [{ create: { ...texts, acl: ['bind:a.example.com'], owner_id: owner } }],
  },
  {
    kind: 'ssh_credential',
    bodies: async ({ owner }) => [
      { create: { ...texts, acl: ['bind:a.example.com'], public_key: newSshKey(), owner_id: owner } },
    ],
  },
  { kind: 'api_key', bodies: async ({ owner }) => [{ create: { ...texts, owner_id: owner } }] },
  { kind: 'ip_policy', bodies: async () => [{ create: texts }] },
  {
    kind: 'ip_policy_rule',
    bodies: async (on) => [
      { create: { ...texts, cidr: '10.0.0.0/8', action: 'deny', ip_policy_id: await idOf(on, 'ip_policy') } },
    ],
  },
  {
    kind: 'ip_restriction',
    bodies: async (on) => [
      {
        create: { ...texts, enforced: true, type: 'dashboard', ip_policy_ids: [await idOf(on, 'ip_policy')] },
      },
    ],
  },
  {
    kind: 'user',
    bodies: async () => [{ create: { name: 'Ada', email: 'full@example.com', role: 'admin', active: true } }],
  },
  { kind: 'bot_user', bodies: async () => [{ create: { name: 'deploy', active: true } }] },
  {
    kind: 'ssh_certificate_authority',
    bodies: async () => [
      { create: { ...texts, private_key_type: 'ecdsa', elliptic_curve: 'nistp384' } },
      { create: { private_key_type: 'rsa', key_size: 2048 } },
    ],
  },
  { kind: 'ssh_host_certificate', bodies: async (on) => [{ create: await sshSubject(on) }] },
  {
    kind: 'ssh_user_certificate',
    bodies: async (on) => [
      {
        create: {
          ...(await sshSubject(on)),
          critical_options: { 'force-command': 'ls' },
          extensions: { 'permit-pty': '' },
        },
      },
    ],
  },
];

/** Fields that no body can have: without a certificate authority, or beside another field, whatever they have. */
export const neverGiven: readonly string[] = [
  'reserved_domain certificate_management_policy',
  'reserved_domain certificate_management_policy.authority',
  'reserved_domain certificate_management_policy.private_key_type',
  'https_edge tls_termination.terminate_at',
  'https_edge_route saml.idp_metadata_url',
  'endpoint_configuration saml.idp_metadata_url',
];
