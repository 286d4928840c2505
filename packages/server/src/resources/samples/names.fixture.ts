/** A good body of each kind that stands for names, addresses and their certificates. */
import { keptChain } from '../../pki/kept-chain.fixture.ts';
import { type Sample, text, unset } from './sample.fixture.ts';

let counter = 0;
const chain = keptChain('sample.example.com');

export const nameSamples: readonly Sample[] = [
  {
    kind: 'reserved_domain',
    body: () => ({ name: `sample-${++counter}` }),
    shown: {
      ...unset,
      domain: undefined,
      region: 'us',
      cname_target: null,
      http_endpoint_configuration: null,
      https_endpoint_configuration: null,
      certificate: null,
      certificate_management_policy: null,
      certificate_management_status: null,
      acme_challenge_cname_target: null,
      resolves_to: [],
    },
    patches: {
      ...text,
      region: { send: 'us', shown: 'us' },
      resolves_to: { send: [{ value: 'eu' }], shown: [{ value: 'eu' }] },
    },
    tooLong: { description: 'domainDescriptionTooLong', metadata: 'domainMetadataTooLong' },
    wrongTypes: { name: 1, region: [], resolves_to: {}, certificate_management_policy: 'public_ca' },
  },
  {
    kind: 'reserved_addr',
    body: () => ({}),
    shown: { ...unset, addr: undefined, region: 'us', endpoint_configuration: null },
    patches: { ...text, region: { send: 'us', shown: 'us' } },
    tooLong: { description: 'addressDescriptionTooLong', metadata: 'addressMetadataTooLong' },
    wrongTypes: { region: [], description: 1, metadata: {} },
  },
  {
    kind: 'endpoint_configuration',
    body: () => ({ type: 'https' }),
    shown: {
      ...unset,
      type: 'https',
      circuit_breaker: null,
      compression: null,
      request_headers: null,
      response_headers: null,
      ip_policy: null,
      mutual_tls: null,
      tls_termination: null,
      webhook_validation: null,
      saml: null,
      oidc: null,
      oauth: null,
      websocket_tcp_converter: null,
      user_agent_filter: null,
      basic_auth: null,
      backend: null,
    },
    patches: {
      ...text,
      compression: { send: { enabled: false }, shown: { enabled: false } },
      request_headers: {
        send: { add: { 'X-A': '1' } },
        shown: { enabled: true, add: { 'x-a': '1' }, remove: [] },
      },
      tls_termination: {
        send: { terminate_at: 'edge', min_version: '1.3' },
        shown: { enabled: true, terminate_at: 'edge', min_version: '1.3' },
      },
      mutual_tls: { send: {}, shown: { enabled: true, certificate_authorities: [] } },
    },
    tooLong: { description: 'configurationDescriptionTooLong', metadata: 'configurationMetadataTooLong' },
    wrongTypes: { type: ['https'], saml: '<xml/>', compression: true, circuit_breaker: [] },
  },
  {
    kind: 'certificate_authority',
    body: () => ({ ca_pem: chain.root }),
    shown: { ...unset, ca_pem: chain.root, subject_common_name: 'Test Root' },
    patches: text,
    tooLong: { description: 'caDescriptionTooLong', metadata: 'caMetadataTooLong' },
    wrongTypes: { ca_pem: [chain.root] },
  },
  {
    kind: 'tls_certificate',
    body: () => ({ certificate_pem: chain.leaf, private_key_pem: chain.key }),
    shown: { ...unset, certificate_pem: chain.leaf, private_key_type: 'ecdsa', issued_at: null },
    patches: text,
    tooLong: { description: 'certificateDescriptionTooLong', metadata: 'certificateMetadataTooLong' },
    wrongTypes: { certificate_pem: 1, private_key_pem: {} },
  },
];
