/** A good body of each kind of edge and of what edges have below them. */
import { type Sample, text, unset } from './sample.fixture.ts';

let routes = 0;

export const edgeSamples: readonly Sample[] = [
  {
    kind: 'tcp_edge',
    body: () => ({}),
    shown: { ...unset, hostports: [], backend: null, ip_restriction: null },
    patches: text,
    tooLong: { description: 'edgeDescriptionTooLong', metadata: 'edgeMetadataTooLong' },
    wrongTypes: { hostports: '1.tcp.example.com:1', backend: [], ip_restriction: 'ipp_1' },
  },
  {
    kind: 'tls_edge',
    body: () => ({}),
    shown: {
      ...unset,
      hostports: [],
      backend: null,
      ip_restriction: null,
      mutual_tls: null,
      tls_termination: null,
    },
    patches: {
      ...text,
      tls_termination: {
        send: { terminate_at: 'edge', min_version: '1.3' },
        shown: { enabled: true, terminate_at: 'edge', min_version: '1.3' },
      },
    },
    tooLong: { description: 'edgeDescriptionTooLong', metadata: 'edgeMetadataTooLong' },
    wrongTypes: { hostports: 'a.example.com:443', backend: [], tls_termination: 'edge', mutual_tls: true },
  },
  {
    kind: 'https_edge',
    body: () => ({}),
    shown: { ...unset, hostports: [], mutual_tls: null, tls_termination: null, routes: [] },
    patches: {
      ...text,
      tls_termination: {
        send: { min_version: '1.3' },
        shown: { enabled: true, terminate_at: 'edge', min_version: '1.3' },
      },
    },
    tooLong: { description: 'edgeDescriptionTooLong', metadata: 'edgeMetadataTooLong' },
    wrongTypes: { hostports: {}, tls_termination: '1.3', mutual_tls: [] },
  },
  {
    kind: 'https_edge_route',
    parent: async ({ create }) => (await create('https_edge', {})).id,
    body: () => ({ match_type: 'path_prefix', match: `/${++routes}/` }),
    shown: {
      ...unset,
      match_type: 'path_prefix',
      backend: null,
      ip_restriction: null,
      circuit_breaker: null,
      compression: null,
      request_headers: null,
      response_headers: null,
      webhook_verification: null,
      saml: null,
      oidc: null,
      oauth: null,
      websocket_tcp_converter: null,
      user_agent_filter: null,
    },
    // Not the match: it is unique within the edge.
    patches: { ...text, match_type: { send: 'exact_path', shown: 'exact_path' } },
    tooLong: { description: 'routeDescriptionTooLong', metadata: 'routeMetadataTooLong' },
    wrongTypes: { match_type: 1, match: ['/'], backend: 'bkdhr', saml: true, compression: 'gzip' },
  },
];
