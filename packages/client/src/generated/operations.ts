// Written by scripts/write-client.ts from the OpenAPI document; do not edit.

import type { ResourceTable } from '../operation.ts';

export const resourceTables: readonly ResourceTable[] = [
  {
    name: 'httpResponseBackends',
    summary: 'HTTP response backends',
    verbs: [
      {
        name: 'list',
        summary: 'List HTTP response backends',
        parameters: [],
        fields: null,
        list: { key: 'backends', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an HTTP response backend',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'body',
            type: 'string',
            required: false,
            description: 'The content that is answered. At most 65536 bytes.',
          },
          {
            name: 'headers',
            type: 'map',
            required: false,
            description:
              'Headers that are answered. Not possible: those that frame the message or belong to the connection.',
          },
          {
            name: 'status_code',
            type: 'integer',
            required: false,
            description: 'The status that is answered. Default: 200.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an HTTP response backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdhr_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an HTTP response backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdhr_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'body',
            type: 'string',
            required: false,
            description: 'The content that is answered. At most 65536 bytes.',
          },
          {
            name: 'headers',
            type: 'map',
            required: false,
            description:
              'Headers that are answered. Not possible: those that frame the message or belong to the connection.',
          },
          {
            name: 'status_code',
            type: 'integer',
            required: false,
            description: 'The status that is answered.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an HTTP response backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdhr_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'tunnelGroupBackends',
    summary: 'Tunnel group backends',
    verbs: [
      {
        name: 'list',
        summary: 'List tunnel group backends',
        parameters: [],
        fields: null,
        list: { key: 'backends', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a tunnel group backend',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'labels',
            type: 'map',
            required: true,
            description:
              'Labels, at least one. A tunnel belongs to the group when it carries every one of them.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a tunnel group backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdtg_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a tunnel group backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdtg_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'labels',
            type: 'map',
            required: false,
            description:
              'Labels, at least one. A tunnel belongs to the group when it carries every one of them.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a tunnel group backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdtg_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'failoverBackends',
    summary: 'Failover backends',
    verbs: [
      {
        name: 'list',
        summary: 'List failover backends',
        parameters: [],
        fields: null,
        list: { key: 'backends', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a failover backend',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'backends',
            type: 'strings',
            required: true,
            description:
              'The backends, in the order in which they are tried: at least one, at most 32, none of them failover.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a failover backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdfo_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a failover backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdfo_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'backends',
            type: 'strings',
            required: false,
            description:
              'The backends, in the order in which they are tried: at least one, at most 32, none of them failover.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a failover backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdfo_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'weightedBackends',
    summary: 'Weighted backends',
    verbs: [
      {
        name: 'list',
        summary: 'List weighted backends',
        parameters: [],
        fields: null,
        list: { key: 'backends', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a weighted backend',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'backends',
            type: 'object',
            required: true,
            description:
              'Weights by the id of the backend: at least one, at most 32; none of the backends failover or weighted. A backend of weight 0 gets no traffic; when all have that, nothing is served.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a weighted backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdwd_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a weighted backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdwd_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'backends',
            type: 'object',
            required: false,
            description:
              'Weights by the id of the backend: at least one, at most 32; none of the backends failover or weighted. A backend of weight 0 gets no traffic; when all have that, nothing is served.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a weighted backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdwd_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'staticBackends',
    summary: 'Static backends',
    verbs: [
      {
        name: 'list',
        summary: 'List static backends',
        parameters: [],
        fields: null,
        list: { key: 'backends', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a static backend',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'address',
            type: 'string',
            required: true,
            description:
              'Where it is dialled: host:port; the host is a name or a public IP address, IPv6 in brackets. What a name resolves to is judged when it is dialled.',
          },
          { name: 'tls', type: 'object', required: false, description: 'How it is spoken with.' },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a static backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdsc_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a static backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdsc_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'address',
            type: 'string',
            required: false,
            description:
              'Where it is dialled: host:port; the host is a name or a public IP address, IPv6 in brackets. What a name resolves to is judged when it is dialled.',
          },
          { name: 'tls', type: 'object', required: false, description: 'How it is spoken with.' },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a static backend',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bkdsc_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'tlsEdges',
    summary: 'TLS edges',
    verbs: [
      {
        name: 'list',
        summary: 'List TLS edges',
        parameters: [],
        fields: null,
        list: { key: 'tls_edges', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a TLS edge',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description:
              'Where it is served: reserved domains with port 443 or the port of the base URL, which mean the same.',
          },
          { name: 'backend', type: 'object', required: false, description: 'What answers.' },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'From which addresses visitors are served.',
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Which certificates visitors must show.',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: 'Who ends the TLS of visitors: the edge, or what is behind it.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description:
              'Where it is served: reserved domains with port 443 or the port of the base URL, which mean the same.',
          },
          { name: 'backend', type: 'object', required: false, description: 'What answers.' },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'From which addresses visitors are served.',
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Which certificates visitors must show.',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: 'Who ends the TLS of visitors: the edge, or what is behind it.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getBackend',
        summary: 'Get the backend of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putBackend',
        summary: 'Replace the backend of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          { name: 'backend_id', type: 'string', required: true, description: 'The backend.' },
        ],
        list: null,
      },
      {
        name: 'deleteBackend',
        summary: 'Remove the backend of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getIpRestriction',
        summary: 'Get the IP restriction of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putIpRestriction',
        summary: 'Replace the IP restriction of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: true,
            description: 'The IP policies, at least one. All of their rules count together.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteIpRestriction',
        summary: 'Remove the IP restriction of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getMutualTls',
        summary: 'Get the mutual TLS of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putMutualTls',
        summary: 'Replace the mutual TLS of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'certificate_authority_ids',
            type: 'strings',
            required: false,
            description: 'The authorities that may have signed them. Without any, none is accepted.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteMutualTls',
        summary: 'Remove the mutual TLS of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getTlsTermination',
        summary: 'Get the TLS termination of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putTlsTermination',
        summary: 'Replace the TLS termination of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'terminate_at',
            type: 'string',
            required: false,
            description: '"edge": the edge ends TLS. "upstream": it is passed through. Default: "upstream".',
            values: ['edge', 'upstream'],
          },
          {
            name: 'min_version',
            type: 'string',
            required: false,
            description:
              'The oldest version of TLS that is accepted; empty for a safe default. Only with terminate_at "edge".',
            values: ['', '1.0', '1.1', '1.2', '1.3'],
          },
        ],
        list: null,
      },
      {
        name: 'deleteTlsTermination',
        summary: 'Remove the TLS termination of a TLS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtls_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'httpsEdges',
    summary: 'HTTPS edges',
    verbs: [
      {
        name: 'list',
        summary: 'List HTTPS edges',
        parameters: [],
        fields: null,
        list: { key: 'https_edges', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an HTTPS edge',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description:
              'Where it is served: reserved domains with port 443 or the port of the base URL, which mean the same.',
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Which certificates visitors must show.',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: 'How the edge ends the TLS of visitors.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an HTTPS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edghts_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an HTTPS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edghts_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description:
              'Where it is served: reserved domains with port 443 or the port of the base URL, which mean the same.',
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Which certificates visitors must show.',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: 'How the edge ends the TLS of visitors.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an HTTPS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edghts_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getMutualTls',
        summary: 'Get the mutual TLS of an HTTPS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edghts_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putMutualTls',
        summary: 'Replace the mutual TLS of an HTTPS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edghts_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'certificate_authority_ids',
            type: 'strings',
            required: false,
            description: 'The authorities that may have signed them. Without any, none is accepted.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteMutualTls',
        summary: 'Remove the mutual TLS of an HTTPS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edghts_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getTlsTermination',
        summary: 'Get the TLS termination of an HTTPS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edghts_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putTlsTermination',
        summary: 'Replace the TLS termination of an HTTPS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edghts_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'terminate_at',
            type: 'string',
            required: false,
            description: 'Cannot be given: an HTTPS edge always ends TLS itself.',
          },
          {
            name: 'min_version',
            type: 'string',
            required: false,
            description: 'The oldest version of TLS that is accepted; empty for a safe default.',
            values: ['', '1.0', '1.1', '1.2', '1.3'],
          },
        ],
        list: null,
      },
      {
        name: 'deleteTlsTermination',
        summary: 'Remove the TLS termination of an HTTPS edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edghts_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'httpsEdgeRoutes',
    summary: 'Routes of HTTPS edges',
    verbs: [
      {
        name: 'create',
        summary: 'Create a route of an HTTPS edge',
        parameters: [{ name: 'edge_id', description: 'The id of the resource that it belongs to.' }],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'match_type',
            type: 'string',
            required: true,
            description:
              'How paths are compared: exact_path goes before path_prefix, a longer prefix before a shorter one. A prefix is one of characters, not of segments: "/admin" matches "/administrator", "/admin/" does not.',
            values: ['exact_path', 'path_prefix'],
          },
          {
            name: 'match',
            type: 'string',
            required: true,
            description:
              'The path of a request, or its beginning, percent-decoded and without dot segments. Unique within the edge. The service refuses a path (60251) if a server could read it as one of a route with a guard that the matching route lacks. At most 512 bytes.',
          },
          { name: 'backend', type: 'object', required: false, description: 'What answers.' },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'From which addresses visitors are served.',
          },
          {
            name: 'circuit_breaker',
            type: 'object',
            required: false,
            description: 'Stops sending requests to a backend that keeps failing, for a while.',
          },
          {
            name: 'compression',
            type: 'object',
            required: false,
            description: 'Compresses answers for visitors who take that.',
          },
          {
            name: 'request_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to requests, and taken off them, before the backend gets them.',
          },
          {
            name: 'response_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to answers, and taken off them, before the visitor gets them.',
          },
          {
            name: 'webhook_verification',
            type: 'object',
            required: false,
            description:
              'Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately.',
          },
          {
            name: 'saml',
            type: 'object',
            required: false,
            description: 'Serves only users whom an identity provider vouches for.',
          },
          {
            name: 'oidc',
            type: 'object',
            required: false,
            description: 'Serves only users whom an OpenID Connect provider vouches for.',
          },
          {
            name: 'oauth',
            type: 'object',
            required: false,
            description: 'Serves only users whom a provider that is known by its name vouches for.',
          },
          {
            name: 'websocket_tcp_converter',
            type: 'object',
            required: false,
            description:
              'Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones.',
          },
          {
            name: 'user_agent_filter',
            type: 'object',
            required: false,
            description: 'Which programs are served, by what they call themselves.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'match_type',
            type: 'string',
            required: false,
            description:
              'How paths are compared: exact_path goes before path_prefix, a longer prefix before a shorter one. A prefix is one of characters, not of segments: "/admin" matches "/administrator", "/admin/" does not.',
            values: ['exact_path', 'path_prefix'],
          },
          {
            name: 'match',
            type: 'string',
            required: false,
            description:
              'The path of a request, or its beginning, percent-decoded and without dot segments. Unique within the edge. The service refuses a path (60251) if a server could read it as one of a route with a guard that the matching route lacks. At most 512 bytes.',
          },
          { name: 'backend', type: 'object', required: false, description: 'What answers.' },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'From which addresses visitors are served.',
          },
          {
            name: 'circuit_breaker',
            type: 'object',
            required: false,
            description: 'Stops sending requests to a backend that keeps failing, for a while.',
          },
          {
            name: 'compression',
            type: 'object',
            required: false,
            description: 'Compresses answers for visitors who take that.',
          },
          {
            name: 'request_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to requests, and taken off them, before the backend gets them.',
          },
          {
            name: 'response_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to answers, and taken off them, before the visitor gets them.',
          },
          {
            name: 'webhook_verification',
            type: 'object',
            required: false,
            description:
              'Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately.',
          },
          {
            name: 'saml',
            type: 'object',
            required: false,
            description: 'Serves only users whom an identity provider vouches for.',
          },
          {
            name: 'oidc',
            type: 'object',
            required: false,
            description: 'Serves only users whom an OpenID Connect provider vouches for.',
          },
          {
            name: 'oauth',
            type: 'object',
            required: false,
            description: 'Serves only users whom a provider that is known by its name vouches for.',
          },
          {
            name: 'websocket_tcp_converter',
            type: 'object',
            required: false,
            description:
              'Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones.',
          },
          {
            name: 'user_agent_filter',
            type: 'object',
            required: false,
            description: 'Which programs are served, by what they call themselves.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getBackend',
        summary: 'Get the backend of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putBackend',
        summary: 'Replace the backend of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          { name: 'backend_id', type: 'string', required: true, description: 'The backend.' },
        ],
        list: null,
      },
      {
        name: 'deleteBackend',
        summary: 'Remove the backend of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getIpRestriction',
        summary: 'Get the IP restriction of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putIpRestriction',
        summary: 'Replace the IP restriction of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: true,
            description: 'The IP policies, at least one. All of their rules count together.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteIpRestriction',
        summary: 'Remove the IP restriction of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getCircuitBreaker',
        summary: 'Get the circuit breaker of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putCircuitBreaker',
        summary: 'Replace the circuit breaker of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'tripped_duration',
            type: 'integer',
            required: false,
            description: 'Seconds until an open circuit is tried again; 0 for 10. Default: 0.',
          },
          {
            name: 'rolling_window',
            type: 'integer',
            required: false,
            description: 'Seconds over which answers are counted; 0 for 10. Default: 0.',
          },
          {
            name: 'num_buckets',
            type: 'integer',
            required: false,
            description: 'Parts of the window; 0 for 10. Default: 0.',
          },
          {
            name: 'volume_threshold',
            type: 'integer',
            required: false,
            description: 'Requests in the window below which the circuit stays closed; 0 for 20. Default: 0.',
          },
          {
            name: 'error_threshold_percentage',
            type: 'number',
            required: false,
            description:
              'Share of answers with a status of 500 or above from which on the circuit opens; 0: it never does. Default: 0.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteCircuitBreaker',
        summary: 'Remove the circuit breaker of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getCompression',
        summary: 'Get the compression of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putCompression',
        summary: 'Replace the compression of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteCompression',
        summary: 'Remove the compression of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getRequestHeaders',
        summary: 'Get the request headers of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putRequestHeaders',
        summary: 'Replace the request headers of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'add',
            type: 'map',
            required: false,
            description: 'Up to 5 headers to add; one that is also removed is replaced.',
          },
          {
            name: 'remove',
            type: 'strings',
            required: false,
            description: 'Names of headers to remove, in any case.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteRequestHeaders',
        summary: 'Remove the request headers of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getResponseHeaders',
        summary: 'Get the response headers of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putResponseHeaders',
        summary: 'Replace the response headers of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'add',
            type: 'map',
            required: false,
            description: 'Up to 5 headers to add; one that is also removed is replaced.',
          },
          {
            name: 'remove',
            type: 'strings',
            required: false,
            description: 'Names of headers to remove, in any case.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteResponseHeaders',
        summary: 'Remove the response headers of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getWebhookVerification',
        summary: 'Get the webhook verification of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putWebhookVerification',
        summary: 'Replace the webhook verification of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'provider',
            type: 'string',
            required: true,
            description: 'Who sends the requests.',
            values: [
              'aftership',
              'airship',
              'alchemy',
              'autodesk',
              'bitbucket',
              'bolt',
              'box',
              'brex',
              'buildkite',
              'calendly',
              'castle',
              'chargify',
              'circleci',
              'clearbit',
              'clerk',
              'coinbase',
              'contentful',
              'docusign',
              'dropbox',
              'facebook_graph_api',
              'facebook_messenger',
              'frameio',
              'github',
              'gitlab',
              'heroku',
              'hubspot',
              'instagram',
              'intercom',
              'launch_darkly',
              'microsoft_teams',
              'modern_treasury',
              'mongodb',
              'mux',
              'orb',
              'pagerduty',
              'pinwheel',
              'pusher',
              'sentry',
              'shopify',
              'slack',
              'sonatype',
              'square',
              'stripe',
              'svix',
              'terraform',
              'tiktok',
              'twilio',
              'twitter',
              'typeform',
              'webex',
              'whatsapp',
              'worldline',
              'xero',
              'zendesk',
              'zoom',
              'AFTERSHIP',
              'AIRSHIP',
              'ALCHEMY',
              'AUTODESK',
              'BITBUCKET',
              'BOLT',
              'BOX',
              'BREX',
              'BUILDKITE',
              'CALENDLY',
              'CASTLE',
              'CHARGIFY',
              'CIRCLECI',
              'CLEARBIT',
              'CLERK',
              'COINBASE',
              'CONTENTFUL',
              'DOCUSIGN',
              'DROPBOX',
              'FACEBOOK_GRAPH_API',
              'FACEBOOK_MESSENGER',
              'FRAMEIO',
              'GITHUB',
              'GITLAB',
              'HEROKU',
              'HUBSPOT',
              'INSTAGRAM',
              'INTERCOM',
              'LAUNCH_DARKLY',
              'MICROSOFT_TEAMS',
              'MODERN_TREASURY',
              'MONGODB',
              'MUX',
              'ORB',
              'PAGERDUTY',
              'PINWHEEL',
              'PUSHER',
              'SENTRY',
              'SHOPIFY',
              'SLACK',
              'SONATYPE',
              'SQUARE',
              'STRIPE',
              'SVIX',
              'TERRAFORM',
              'TIKTOK',
              'TWILIO',
              'TWITTER',
              'TYPEFORM',
              'WEBEX',
              'WHATSAPP',
              'WORLDLINE',
              'XERO',
              'ZENDESK',
              'ZOOM',
            ],
          },
          {
            name: 'secret',
            type: 'string',
            required: false,
            description:
              'Needed: what the sender signs with. Shown as "". A change that leaves it out keeps it, as long as the provider stays. At most 512 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteWebhookVerification',
        summary: 'Remove the webhook verification of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getSaml',
        summary: 'Get the SAML of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putSaml',
        summary: 'Replace the SAML of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'Whether OPTIONS requests are served to everybody, as CORS needs it. Default: false.',
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              'What the name of the session cookie begins with: letters, digits and dots. Empty for the default, which alone has browsers take the cookie from no other name below the domain. At most 64 bytes.',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
          },
          {
            name: 'idp_metadata',
            type: 'string',
            required: false,
            description:
              'The XML document EntityDescriptor of the identity provider; this or idp_metadata_url. Shown as "" where that is given. At most 131072 bytes.',
          },
          {
            name: 'idp_metadata_url',
            type: 'string',
            required: false,
            description:
              'The https URL of that document, which is asked for now and about once an hour; what was good stays until there is something better. At most 2048 bytes.',
          },
          {
            name: 'force_authn',
            type: 'boolean',
            required: false,
            description: 'True if users must log in again even if the provider knows them. Default: false.',
          },
          {
            name: 'allow_idp_initiated',
            type: 'boolean',
            required: false,
            description: 'True if a login may begin at the identity provider. Default: true.',
          },
          {
            name: 'authorized_groups',
            type: 'strings',
            required: false,
            description:
              'Groups whose members are served, by the attributes of group_attributes. Empty for every user who can log in.',
          },
          {
            name: 'group_attributes',
            type: 'strings',
            required: false,
            description:
              'The attributes of the assertion that name the groups of a user. Empty for the usual ones: groups, memberOf, member, role, roles and group in any case, the group and role claims of Microsoft and ADFS, and the object identifiers of isMemberOf and eduPersonEntitlement.',
          },
          {
            name: 'nameid_format',
            type: 'string',
            required: false,
            description:
              'How users have to be named, "unspecified" for in any way; empty for the default. Default: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent".',
            values: [
              '',
              'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
              'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
              'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
              'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
            ],
          },
        ],
        list: null,
      },
      {
        name: 'deleteSaml',
        summary: 'Remove the SAML of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getOidc',
        summary: 'Get the openID Connect of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putOidc',
        summary: 'Replace the openID Connect of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'Whether OPTIONS requests are served to everybody, as CORS needs it. Default: false.',
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              'What the name of the session cookie begins with: letters, digits and dots. Empty for the default, which alone has browsers take the cookie from no other name below the domain. At most 64 bytes.',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
          },
          {
            name: 'issuer',
            type: 'string',
            required: false,
            description:
              'Needed. The https URL of the provider, below which its metadata is (/.well-known/openid-configuration). It is compared with that metadata at each write, and refused if no login can succeed. One that cannot be reached then is accepted. At most 255 bytes.',
          },
          {
            name: 'client_id',
            type: 'string',
            required: false,
            description:
              'Needed. The client id of this service at the provider. Its redirect URI is "https://<name>/underpass/callback", and that after a logout "https://<name>/underpass/logout". At most 255 bytes.',
          },
          {
            name: 'client_secret',
            type: 'string',
            required: false,
            description:
              'Needed. Shown as "". A change that leaves it out keeps it, as long as issuer and client_id stay. At most 512 bytes.',
          },
          {
            name: 'scopes',
            type: 'strings',
            required: false,
            description: 'Scopes that the service requests beside "openid"; empty for "profile" and "email".',
          },
        ],
        list: null,
      },
      {
        name: 'deleteOidc',
        summary: 'Remove the openID Connect of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getOauth',
        summary: 'Get the OAuth of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putOauth',
        summary: 'Replace the OAuth of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'Whether OPTIONS requests are served to everybody, as CORS needs it. Default: false.',
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              'What the name of the session cookie begins with: letters, digits and dots. Empty for the default, which alone has browsers take the cookie from no other name below the domain. At most 64 bytes.',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
          },
          { name: 'provider', type: 'object', required: false, description: 'Needed. Exactly one of these.' },
          {
            name: 'auth_check_interval',
            type: 'integer',
            required: false,
            description:
              'Seconds after which the provider is asked again about a user who is logged in; 0 for never. Default: 0.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteOauth',
        summary: 'Remove the OAuth of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getWebsocketTcpConverter',
        summary: 'Get the webSocket to TCP converter of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putWebsocketTcpConverter',
        summary: 'Replace the webSocket to TCP converter of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteWebsocketTcpConverter',
        summary: 'Remove the webSocket to TCP converter of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getUserAgentFilter',
        summary: 'Get the user agent filter of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putUserAgentFilter',
        summary: 'Replace the user agent filter of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'allow',
            type: 'strings',
            required: false,
            description: 'Served even when a pattern of "deny" is found too.',
          },
          { name: 'deny', type: 'strings', required: false, description: 'Not served.' },
        ],
        list: null,
      },
      {
        name: 'deleteUserAgentFilter',
        summary: 'Remove the user agent filter of a route of an HTTPS edge',
        parameters: [
          { name: 'edge_id', description: 'The id of the resource that it belongs to.' },
          { name: 'id', description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'tcpEdges',
    summary: 'TCP edges',
    verbs: [
      {
        name: 'list',
        summary: 'List TCP edges',
        parameters: [],
        fields: null,
        list: { key: 'tcp_edges', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a TCP edge',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description: 'Where it is served: reserved addresses, all of one region.',
          },
          { name: 'backend', type: 'object', required: false, description: 'What answers.' },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'From which addresses visitors are served.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a TCP edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtcp_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a TCP edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtcp_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description: 'Where it is served: reserved addresses, all of one region.',
          },
          { name: 'backend', type: 'object', required: false, description: 'What answers.' },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'From which addresses visitors are served.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a TCP edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtcp_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getBackend',
        summary: 'Get the backend of a TCP edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtcp_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putBackend',
        summary: 'Replace the backend of a TCP edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtcp_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          { name: 'backend_id', type: 'string', required: true, description: 'The backend.' },
        ],
        list: null,
      },
      {
        name: 'deleteBackend',
        summary: 'Remove the backend of a TCP edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtcp_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getIpRestriction',
        summary: 'Get the IP restriction of a TCP edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtcp_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putIpRestriction',
        summary: 'Replace the IP restriction of a TCP edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtcp_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: true,
            description: 'The IP policies, at least one. All of their rules count together.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteIpRestriction',
        summary: 'Remove the IP restriction of a TCP edge',
        parameters: [
          { name: 'id', description: 'The id of the resource: "edgtcp_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'reservedDomains',
    summary: 'Reserved domains',
    verbs: [
      {
        name: 'list',
        summary: 'List reserved domains',
        parameters: [],
        fields: null,
        list: { key: 'reserved_domains', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a reserved domain',
        parameters: [],
        fields: [
          {
            name: 'name',
            type: 'string',
            required: false,
            description:
              'A whole name such as "app.example.com" or "*.example.com", or one label below the shared domain.',
          },
          {
            name: 'domain',
            type: 'string',
            required: false,
            description: 'A whole name; instead of "name".',
          },
          {
            name: 'region',
            type: 'string',
            required: false,
            description: 'Where it is served. Default: "us".',
            values: ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'],
          },
          {
            name: 'resolves_to',
            type: 'list',
            required: false,
            description:
              'Regions to whose addresses the name should resolve; empty for all. It has no effect with one region.',
          },
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'certificate_id',
            type: 'string',
            required: false,
            description:
              'The certificate that it is served with: one that was uploaded, for the names that it covers; not for names below the shared domain. "" removes it.',
          },
          {
            name: 'certificate_management_policy',
            type: 'object',
            required: false,
            description:
              'A certificate that the service gets and renews; what is served before stays until it is there. Given again while DNS_ERROR stands it is tried at once.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a reserved domain',
        parameters: [{ name: 'id', description: 'The id of the resource: "rd_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a reserved domain',
        parameters: [{ name: 'id', description: 'The id of the resource: "rd_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'region',
            type: 'string',
            required: false,
            description: 'Where it is served.',
            values: ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'],
          },
          {
            name: 'resolves_to',
            type: 'list',
            required: false,
            description:
              'Regions to whose addresses the name should resolve; empty for all. It has no effect with one region.',
          },
          {
            name: 'certificate_id',
            type: 'string',
            required: false,
            description:
              'The certificate that it is served with: one that was uploaded, for the names that it covers; not for names below the shared domain. "" removes it.',
          },
          {
            name: 'certificate_management_policy',
            type: 'object',
            required: false,
            description:
              'A certificate that the service gets and renews; what is served before stays until it is there. Given again while DNS_ERROR stands it is tried at once.',
          },
          {
            name: 'http_endpoint_configuration_id',
            type: 'string',
            required: false,
            description: 'The endpoint configuration, of type http, for HTTP. "" detaches it.',
          },
          {
            name: 'https_endpoint_configuration_id',
            type: 'string',
            required: false,
            description: 'The endpoint configuration, of type https, for HTTPS. "" detaches it.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a reserved domain',
        parameters: [{ name: 'id', description: 'The id of the resource: "rd_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'deleteCertificate',
        summary: 'Detach the certificate of a reserved domain',
        parameters: [{ name: 'id', description: 'The id of the resource: "rd_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'deleteCertificateManagementPolicy',
        summary: 'Detach the managed certificate of a reserved domain',
        parameters: [{ name: 'id', description: 'The id of the resource: "rd_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'deleteHttpEndpointConfiguration',
        summary: 'Detach the HTTP endpoint configuration of a reserved domain',
        parameters: [{ name: 'id', description: 'The id of the resource: "rd_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'deleteHttpsEndpointConfiguration',
        summary: 'Detach the HTTPS endpoint configuration of a reserved domain',
        parameters: [{ name: 'id', description: 'The id of the resource: "rd_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'proof',
        summary: 'Get what proves that a reserved domain belongs to its account',
        parameters: [{ name: 'id', description: 'The id of the resource: "rd_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'reservedAddrs',
    summary: 'Reserved addresses',
    verbs: [
      {
        name: 'list',
        summary: 'List reserved addresses',
        parameters: [],
        fields: null,
        list: { key: 'reserved_addrs', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a reserved address',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'region',
            type: 'string',
            required: false,
            description: 'Where it is served. Default: "us".',
            values: ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'],
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a reserved address',
        parameters: [{ name: 'id', description: 'The id of the resource: "ra_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a reserved address',
        parameters: [{ name: 'id', description: 'The id of the resource: "ra_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'region',
            type: 'string',
            required: false,
            description: 'Where it is served.',
            values: ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'],
          },
          {
            name: 'endpoint_configuration_id',
            type: 'string',
            required: false,
            description: 'The endpoint configuration, of type tcp. "" detaches it.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a reserved address',
        parameters: [{ name: 'id', description: 'The id of the resource: "ra_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'deleteEndpointConfiguration',
        summary: 'Detach the endpoint configuration of a reserved address',
        parameters: [{ name: 'id', description: 'The id of the resource: "ra_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'endpointConfigurations',
    summary: 'Endpoint configurations',
    verbs: [
      {
        name: 'list',
        summary: 'List endpoint configurations',
        parameters: [],
        fields: null,
        list: { key: 'endpoint_configurations', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an endpoint configuration',
        parameters: [],
        fields: [
          {
            name: 'type',
            type: 'string',
            required: true,
            description: 'What it can be attached to.',
            values: ['http', 'https', 'tcp'],
          },
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'basic_auth',
            type: 'object',
            required: false,
            description:
              'Asks visitors to log in with a name and a password that the agent was started with.',
          },
          {
            name: 'circuit_breaker',
            type: 'object',
            required: false,
            description: 'Stops sending requests to a backend that keeps failing, for a while.',
          },
          {
            name: 'compression',
            type: 'object',
            required: false,
            description: 'Compresses answers for visitors who take that.',
          },
          {
            name: 'request_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to requests, and taken off them, before the backend gets them.',
          },
          {
            name: 'response_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to answers, and taken off them, before the visitor gets them.',
          },
          {
            name: 'ip_policy',
            type: 'object',
            required: false,
            description: 'From which addresses visitors are served.',
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Which certificates visitors must show.',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: 'Who ends the TLS of visitors: the edge, or what is behind it.',
          },
          {
            name: 'webhook_validation',
            type: 'object',
            required: false,
            description:
              'Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately.',
          },
          {
            name: 'saml',
            type: 'object',
            required: false,
            description: 'Serves only users whom an identity provider vouches for.',
          },
          {
            name: 'oidc',
            type: 'object',
            required: false,
            description: 'Serves only users whom an OpenID Connect provider vouches for.',
          },
          {
            name: 'oauth',
            type: 'object',
            required: false,
            description: 'Serves only users whom a provider that is known by its name vouches for.',
          },
          {
            name: 'websocket_tcp_converter',
            type: 'object',
            required: false,
            description:
              'Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones.',
          },
          {
            name: 'user_agent_filter',
            type: 'object',
            required: false,
            description: 'Which programs are served, by what they call themselves.',
          },
          { name: 'backend', type: 'object', required: false, description: 'What answers.' },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'basic_auth',
            type: 'object',
            required: false,
            description:
              'Asks visitors to log in with a name and a password that the agent was started with.',
          },
          {
            name: 'circuit_breaker',
            type: 'object',
            required: false,
            description: 'Stops sending requests to a backend that keeps failing, for a while.',
          },
          {
            name: 'compression',
            type: 'object',
            required: false,
            description: 'Compresses answers for visitors who take that.',
          },
          {
            name: 'request_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to requests, and taken off them, before the backend gets them.',
          },
          {
            name: 'response_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to answers, and taken off them, before the visitor gets them.',
          },
          {
            name: 'ip_policy',
            type: 'object',
            required: false,
            description: 'From which addresses visitors are served.',
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Which certificates visitors must show.',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: 'Who ends the TLS of visitors: the edge, or what is behind it.',
          },
          {
            name: 'webhook_validation',
            type: 'object',
            required: false,
            description:
              'Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately.',
          },
          {
            name: 'saml',
            type: 'object',
            required: false,
            description: 'Serves only users whom an identity provider vouches for.',
          },
          {
            name: 'oidc',
            type: 'object',
            required: false,
            description: 'Serves only users whom an OpenID Connect provider vouches for.',
          },
          {
            name: 'oauth',
            type: 'object',
            required: false,
            description: 'Serves only users whom a provider that is known by its name vouches for.',
          },
          {
            name: 'websocket_tcp_converter',
            type: 'object',
            required: false,
            description:
              'Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones.',
          },
          {
            name: 'user_agent_filter',
            type: 'object',
            required: false,
            description: 'Which programs are served, by what they call themselves.',
          },
          { name: 'backend', type: 'object', required: false, description: 'What answers.' },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getBasicAuth',
        summary: 'Get the basic authentication of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putBasicAuth',
        summary: 'Replace the basic authentication of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'auth_provider_id',
            type: 'string',
            required: false,
            description: 'Who knows the names and passwords: the agent. Default: "agent".',
            values: ['', 'agent'],
          },
          {
            name: 'realm',
            type: 'string',
            required: false,
            description:
              'What visitors log in to, as browsers show it. Empty for the default. At most 128 bytes.',
          },
          {
            name: 'allow_options',
            type: 'boolean',
            required: false,
            description:
              'Whether OPTIONS requests are served to everybody, as CORS needs it. Default: false.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteBasicAuth',
        summary: 'Remove the basic authentication of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getCircuitBreaker',
        summary: 'Get the circuit breaker of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putCircuitBreaker',
        summary: 'Replace the circuit breaker of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'tripped_duration',
            type: 'integer',
            required: false,
            description: 'Seconds until an open circuit is tried again; 0 for 10. Default: 0.',
          },
          {
            name: 'rolling_window',
            type: 'integer',
            required: false,
            description: 'Seconds over which answers are counted; 0 for 10. Default: 0.',
          },
          {
            name: 'num_buckets',
            type: 'integer',
            required: false,
            description: 'Parts of the window; 0 for 10. Default: 0.',
          },
          {
            name: 'volume_threshold',
            type: 'integer',
            required: false,
            description: 'Requests in the window below which the circuit stays closed; 0 for 20. Default: 0.',
          },
          {
            name: 'error_threshold_percentage',
            type: 'number',
            required: false,
            description:
              'Share of answers with a status of 500 or above from which on the circuit opens; 0: it never does. Default: 0.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteCircuitBreaker',
        summary: 'Remove the circuit breaker of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getCompression',
        summary: 'Get the compression of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putCompression',
        summary: 'Replace the compression of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteCompression',
        summary: 'Remove the compression of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getRequestHeaders',
        summary: 'Get the request headers of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putRequestHeaders',
        summary: 'Replace the request headers of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'add',
            type: 'map',
            required: false,
            description: 'Up to 5 headers to add; one that is also removed is replaced.',
          },
          {
            name: 'remove',
            type: 'strings',
            required: false,
            description: 'Names of headers to remove, in any case.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteRequestHeaders',
        summary: 'Remove the request headers of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getResponseHeaders',
        summary: 'Get the response headers of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putResponseHeaders',
        summary: 'Replace the response headers of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'add',
            type: 'map',
            required: false,
            description: 'Up to 5 headers to add; one that is also removed is replaced.',
          },
          {
            name: 'remove',
            type: 'strings',
            required: false,
            description: 'Names of headers to remove, in any case.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteResponseHeaders',
        summary: 'Remove the response headers of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getIpPolicy',
        summary: 'Get the IP policy of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putIpPolicy',
        summary: 'Replace the IP policy of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: true,
            description: 'The IP policies, at least one. All of their rules count together.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteIpPolicy',
        summary: 'Remove the IP policy of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getMutualTls',
        summary: 'Get the mutual TLS of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putMutualTls',
        summary: 'Replace the mutual TLS of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'certificate_authority_ids',
            type: 'strings',
            required: false,
            description: 'The authorities that may have signed them. Without any, none is accepted.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteMutualTls',
        summary: 'Remove the mutual TLS of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getTlsTermination',
        summary: 'Get the TLS termination of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putTlsTermination',
        summary: 'Replace the TLS termination of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'terminate_at',
            type: 'string',
            required: false,
            description: '"edge": the edge ends TLS. "upstream": it is passed through. Default: "upstream".',
            values: ['edge', 'upstream'],
          },
          {
            name: 'min_version',
            type: 'string',
            required: false,
            description:
              'The oldest version of TLS that is accepted; empty for a safe default. Only with terminate_at "edge".',
            values: ['', '1.0', '1.1', '1.2', '1.3'],
          },
        ],
        list: null,
      },
      {
        name: 'deleteTlsTermination',
        summary: 'Remove the TLS termination of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getWebhookValidation',
        summary: 'Get the webhook verification of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putWebhookValidation',
        summary: 'Replace the webhook verification of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'provider',
            type: 'string',
            required: true,
            description: 'Who sends the requests.',
            values: [
              'aftership',
              'airship',
              'alchemy',
              'autodesk',
              'bitbucket',
              'bolt',
              'box',
              'brex',
              'buildkite',
              'calendly',
              'castle',
              'chargify',
              'circleci',
              'clearbit',
              'clerk',
              'coinbase',
              'contentful',
              'docusign',
              'dropbox',
              'facebook_graph_api',
              'facebook_messenger',
              'frameio',
              'github',
              'gitlab',
              'heroku',
              'hubspot',
              'instagram',
              'intercom',
              'launch_darkly',
              'microsoft_teams',
              'modern_treasury',
              'mongodb',
              'mux',
              'orb',
              'pagerduty',
              'pinwheel',
              'pusher',
              'sentry',
              'shopify',
              'slack',
              'sonatype',
              'square',
              'stripe',
              'svix',
              'terraform',
              'tiktok',
              'twilio',
              'twitter',
              'typeform',
              'webex',
              'whatsapp',
              'worldline',
              'xero',
              'zendesk',
              'zoom',
              'AFTERSHIP',
              'AIRSHIP',
              'ALCHEMY',
              'AUTODESK',
              'BITBUCKET',
              'BOLT',
              'BOX',
              'BREX',
              'BUILDKITE',
              'CALENDLY',
              'CASTLE',
              'CHARGIFY',
              'CIRCLECI',
              'CLEARBIT',
              'CLERK',
              'COINBASE',
              'CONTENTFUL',
              'DOCUSIGN',
              'DROPBOX',
              'FACEBOOK_GRAPH_API',
              'FACEBOOK_MESSENGER',
              'FRAMEIO',
              'GITHUB',
              'GITLAB',
              'HEROKU',
              'HUBSPOT',
              'INSTAGRAM',
              'INTERCOM',
              'LAUNCH_DARKLY',
              'MICROSOFT_TEAMS',
              'MODERN_TREASURY',
              'MONGODB',
              'MUX',
              'ORB',
              'PAGERDUTY',
              'PINWHEEL',
              'PUSHER',
              'SENTRY',
              'SHOPIFY',
              'SLACK',
              'SONATYPE',
              'SQUARE',
              'STRIPE',
              'SVIX',
              'TERRAFORM',
              'TIKTOK',
              'TWILIO',
              'TWITTER',
              'TYPEFORM',
              'WEBEX',
              'WHATSAPP',
              'WORLDLINE',
              'XERO',
              'ZENDESK',
              'ZOOM',
            ],
          },
          {
            name: 'secret',
            type: 'string',
            required: false,
            description:
              'Needed: what the sender signs with. Shown as "". A change that leaves it out keeps it, as long as the provider stays. At most 512 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteWebhookValidation',
        summary: 'Remove the webhook verification of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getSaml',
        summary: 'Get the SAML of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putSaml',
        summary: 'Replace the SAML of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'Whether OPTIONS requests are served to everybody, as CORS needs it. Default: false.',
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              'What the name of the session cookie begins with: letters, digits and dots. Empty for the default, which alone has browsers take the cookie from no other name below the domain. At most 64 bytes.',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
          },
          {
            name: 'idp_metadata',
            type: 'string',
            required: false,
            description:
              'The XML document EntityDescriptor of the identity provider; this or idp_metadata_url. Shown as "" where that is given. At most 131072 bytes.',
          },
          {
            name: 'idp_metadata_url',
            type: 'string',
            required: false,
            description:
              'The https URL of that document, which is asked for now and about once an hour; what was good stays until there is something better. At most 2048 bytes.',
          },
          {
            name: 'force_authn',
            type: 'boolean',
            required: false,
            description: 'True if users must log in again even if the provider knows them. Default: false.',
          },
          {
            name: 'allow_idp_initiated',
            type: 'boolean',
            required: false,
            description: 'True if a login may begin at the identity provider. Default: true.',
          },
          {
            name: 'authorized_groups',
            type: 'strings',
            required: false,
            description:
              'Groups whose members are served, by the attributes of group_attributes. Empty for every user who can log in.',
          },
          {
            name: 'group_attributes',
            type: 'strings',
            required: false,
            description:
              'The attributes of the assertion that name the groups of a user. Empty for the usual ones: groups, memberOf, member, role, roles and group in any case, the group and role claims of Microsoft and ADFS, and the object identifiers of isMemberOf and eduPersonEntitlement.',
          },
          {
            name: 'nameid_format',
            type: 'string',
            required: false,
            description:
              'How users have to be named, "unspecified" for in any way; empty for the default. Default: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent".',
            values: [
              '',
              'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
              'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
              'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
              'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
            ],
          },
        ],
        list: null,
      },
      {
        name: 'deleteSaml',
        summary: 'Remove the SAML of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getOidc',
        summary: 'Get the openID Connect of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putOidc',
        summary: 'Replace the openID Connect of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'Whether OPTIONS requests are served to everybody, as CORS needs it. Default: false.',
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              'What the name of the session cookie begins with: letters, digits and dots. Empty for the default, which alone has browsers take the cookie from no other name below the domain. At most 64 bytes.',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
          },
          {
            name: 'issuer',
            type: 'string',
            required: false,
            description:
              'Needed. The https URL of the provider, below which its metadata is (/.well-known/openid-configuration). It is compared with that metadata at each write, and refused if no login can succeed. One that cannot be reached then is accepted. At most 255 bytes.',
          },
          {
            name: 'client_id',
            type: 'string',
            required: false,
            description:
              'Needed. The client id of this service at the provider. Its redirect URI is "https://<name>/underpass/callback", and that after a logout "https://<name>/underpass/logout". At most 255 bytes.',
          },
          {
            name: 'client_secret',
            type: 'string',
            required: false,
            description:
              'Needed. Shown as "". A change that leaves it out keeps it, as long as issuer and client_id stay. At most 512 bytes.',
          },
          {
            name: 'scopes',
            type: 'strings',
            required: false,
            description: 'Scopes that the service requests beside "openid"; empty for "profile" and "email".',
          },
        ],
        list: null,
      },
      {
        name: 'deleteOidc',
        summary: 'Remove the openID Connect of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getOauth',
        summary: 'Get the OAuth of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putOauth',
        summary: 'Replace the OAuth of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'Whether OPTIONS requests are served to everybody, as CORS needs it. Default: false.',
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              'What the name of the session cookie begins with: letters, digits and dots. Empty for the default, which alone has browsers take the cookie from no other name below the domain. At most 64 bytes.',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
          },
          { name: 'provider', type: 'object', required: false, description: 'Needed. Exactly one of these.' },
          {
            name: 'auth_check_interval',
            type: 'integer',
            required: false,
            description:
              'Seconds after which the provider is asked again about a user who is logged in; 0 for never. Default: 0.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteOauth',
        summary: 'Remove the OAuth of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getWebsocketTcpConverter',
        summary: 'Get the webSocket to TCP converter of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putWebsocketTcpConverter',
        summary: 'Replace the webSocket to TCP converter of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
        ],
        list: null,
      },
      {
        name: 'deleteWebsocketTcpConverter',
        summary: 'Remove the webSocket to TCP converter of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getUserAgentFilter',
        summary: 'Get the user agent filter of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putUserAgentFilter',
        summary: 'Replace the user agent filter of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          {
            name: 'allow',
            type: 'strings',
            required: false,
            description: 'Served even when a pattern of "deny" is found too.',
          },
          { name: 'deny', type: 'strings', required: false, description: 'Not served.' },
        ],
        list: null,
      },
      {
        name: 'deleteUserAgentFilter',
        summary: 'Remove the user agent filter of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'getBackend',
        summary: 'Get the backend of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'putBackend',
        summary: 'Replace the backend of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
          },
          { name: 'backend_id', type: 'string', required: true, description: 'The backend.' },
        ],
        list: null,
      },
      {
        name: 'deleteBackend',
        summary: 'Remove the backend of an endpoint configuration',
        parameters: [{ name: 'id', description: 'The id of the resource: "ec_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'ipPolicies',
    summary: 'IP policies',
    verbs: [
      {
        name: 'list',
        summary: 'List IP policies',
        parameters: [],
        fields: null,
        list: { key: 'ip_policies', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an IP policy',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an IP policy',
        parameters: [
          { name: 'id', description: 'The id of the resource: "ipp_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an IP policy',
        parameters: [
          { name: 'id', description: 'The id of the resource: "ipp_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an IP policy',
        parameters: [
          { name: 'id', description: 'The id of the resource: "ipp_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'ipPolicyRules',
    summary: 'IP policy rules',
    verbs: [
      {
        name: 'list',
        summary: 'List IP policy rules',
        parameters: [],
        fields: null,
        list: { key: 'ip_policy_rules', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an IP policy rule',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'cidr',
            type: 'string',
            required: true,
            description: 'An IPv4 or IPv6 range in CIDR notation, without host bits.',
          },
          {
            name: 'ip_policy_id',
            type: 'string',
            required: true,
            description: 'The policy that it belongs to.',
          },
          {
            name: 'action',
            type: 'string',
            required: true,
            description: 'Whether it lets in or keeps out.',
            values: ['allow', 'deny'],
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an IP policy rule',
        parameters: [
          { name: 'id', description: 'The id of the resource: "ipr_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an IP policy rule',
        parameters: [
          { name: 'id', description: 'The id of the resource: "ipr_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'cidr',
            type: 'string',
            required: false,
            description: 'An IPv4 or IPv6 range in CIDR notation, without host bits.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an IP policy rule',
        parameters: [
          { name: 'id', description: 'The id of the resource: "ipr_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'ipRestrictions',
    summary: 'IP restrictions',
    verbs: [
      {
        name: 'list',
        summary: 'List IP restrictions',
        parameters: [],
        fields: null,
        list: { key: 'ip_restrictions', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an IP restriction',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'enforced',
            type: 'boolean',
            required: false,
            description: 'Whether it refuses; else what it would refuse is only logged. Default: false.',
          },
          {
            name: 'type',
            type: 'string',
            required: true,
            description:
              'What it restricts: the API, what agents connect to, or all endpoints and edges of the account, for their visitors. The dashboard is not there yet.',
            values: ['dashboard', 'api', 'agent', 'endpoints'],
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: true,
            description: 'The IP policies, at least one. All of their rules count together.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an IP restriction',
        parameters: [
          { name: 'id', description: 'The id of the resource: "ipx_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an IP restriction',
        parameters: [
          { name: 'id', description: 'The id of the resource: "ipx_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'enforced',
            type: 'boolean',
            required: false,
            description: 'Whether it refuses; else what it would refuse is only logged.',
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: false,
            description: 'The IP policies, at least one. All of their rules count together.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an IP restriction',
        parameters: [
          { name: 'id', description: 'The id of the resource: "ipx_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'certificateAuthorities',
    summary: 'Certificate authorities',
    verbs: [
      {
        name: 'list',
        summary: 'List certificate authorities',
        parameters: [],
        fields: null,
        list: { key: 'certificate_authorities', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a certificate authority',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'ca_pem',
            type: 'string',
            required: true,
            description:
              'One certificate in PEM, of a CA; an RSA key has at most 4096 bits. PKCS#7 and base64 without PEM are stored as PEM. At most 16384 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a certificate authority',
        parameters: [{ name: 'id', description: 'The id of the resource: "ca_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a certificate authority',
        parameters: [{ name: 'id', description: 'The id of the resource: "ca_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a certificate authority',
        parameters: [{ name: 'id', description: 'The id of the resource: "ca_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'tlsCertificates',
    summary: 'TLS certificates',
    verbs: [
      {
        name: 'list',
        summary: 'List TLS certificates',
        parameters: [],
        fields: null,
        list: { key: 'tls_certificates', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a TLS certificate',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'certificate_pem',
            type: 'string',
            required: true,
            description:
              'The leaf, then its intermediates, in PEM. PKCS#7 and base64 without PEM are stored as PEM. At most 65536 bytes.',
          },
          {
            name: 'private_key_pem',
            type: 'string',
            required: true,
            description:
              'The private key, unencrypted, in PEM: ECDSA, Ed25519, or RSA of at most 4096 bits. Never shown. At most 65536 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a TLS certificate',
        parameters: [
          { name: 'id', description: 'The id of the resource: "cert_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a TLS certificate',
        parameters: [
          { name: 'id', description: 'The id of the resource: "cert_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a TLS certificate',
        parameters: [
          { name: 'id', description: 'The id of the resource: "cert_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'credentials',
    summary: 'Tunnel credentials',
    verbs: [
      {
        name: 'list',
        summary: 'List tunnel credentials',
        parameters: [],
        fields: null,
        list: { key: 'credentials', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a tunnel credential',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'acl',
            type: 'strings',
            required: false,
            description: 'Bind rules: what may be bound. An empty list permits everything.',
          },
          {
            name: 'owner_id',
            type: 'string',
            required: false,
            description:
              'The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name somebody else.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a tunnel credential',
        parameters: [{ name: 'id', description: 'The id of the resource: "cr_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a tunnel credential',
        parameters: [{ name: 'id', description: 'The id of the resource: "cr_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'acl',
            type: 'strings',
            required: false,
            description: 'Bind rules: what may be bound. An empty list permits everything.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a tunnel credential',
        parameters: [{ name: 'id', description: 'The id of the resource: "cr_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'sshCredentials',
    summary: 'SSH credentials',
    verbs: [
      {
        name: 'list',
        summary: 'List SSH credentials',
        parameters: [],
        fields: null,
        list: { key: 'ssh_credentials', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an SSH credential',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'acl',
            type: 'strings',
            required: false,
            description: 'Bind rules: what may be bound. An empty list permits everything.',
          },
          {
            name: 'public_key',
            type: 'string',
            required: true,
            description:
              'The key: the line of a ".pub" file, PEM, or RFC 4716; also of a security key (sk-). Comes back as it was sent. No two credentials share a key. At most 8192 bytes.',
          },
          {
            name: 'owner_id',
            type: 'string',
            required: false,
            description:
              'The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name somebody else.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an SSH credential',
        parameters: [
          { name: 'id', description: 'The id of the resource: "sshcr_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an SSH credential',
        parameters: [
          { name: 'id', description: 'The id of the resource: "sshcr_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'acl',
            type: 'strings',
            required: false,
            description: 'Bind rules: what may be bound. An empty list permits everything.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an SSH credential',
        parameters: [
          { name: 'id', description: 'The id of the resource: "sshcr_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'sshCertificateAuthorities',
    summary: 'SSH certificate authorities',
    verbs: [
      {
        name: 'list',
        summary: 'List SSH certificate authorities',
        parameters: [],
        fields: null,
        list: { key: 'ssh_certificate_authorities', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an SSH certificate authority',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'private_key_type',
            type: 'string',
            required: false,
            description: 'The type of its key. Default: "ed25519".',
            values: ['rsa', 'ecdsa', 'ed25519'],
          },
          {
            name: 'elliptic_curve',
            type: 'string',
            required: false,
            description:
              'The curve, for ecdsa only; nistp256 unless another is given. The short names mean the same curves.',
            values: ['nistp256', 'nistp384', 'nistp521', 'p256', 'p384', 'p521'],
          },
          {
            name: 'key_size',
            type: 'integer',
            required: false,
            description: 'Bits of the key, for rsa only; 2048 unless another is given.',
            values: ['2048', '4096'],
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an SSH certificate authority',
        parameters: [
          { name: 'id', description: 'The id of the resource: "sshca_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an SSH certificate authority',
        parameters: [
          { name: 'id', description: 'The id of the resource: "sshca_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an SSH certificate authority',
        parameters: [
          { name: 'id', description: 'The id of the resource: "sshca_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'sshHostCertificates',
    summary: 'SSH host certificates',
    verbs: [
      {
        name: 'list',
        summary: 'List SSH host certificates',
        parameters: [],
        fields: null,
        list: { key: 'ssh_host_certificates', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an SSH host certificate',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'ssh_certificate_authority_id',
            type: 'string',
            required: true,
            description: 'The authority that signs.',
          },
          {
            name: 'public_key',
            type: 'string',
            required: true,
            description:
              'The key that is signed: the line of a ".pub" file, PEM, or RFC 4716. Comes back as it was sent.',
          },
          {
            name: 'valid_after',
            type: 'string',
            required: false,
            description: 'From when on it is valid. RFC 3339. Default: now.',
          },
          {
            name: 'principals',
            type: 'strings',
            required: false,
            description:
              'Host names and IP addresses that the server may have, certified in lower case as ssh compares them; none: all. At most 256.',
          },
          {
            name: 'valid_until',
            type: 'string',
            required: false,
            description: 'Until when it is valid. RFC 3339. Default: a year from now.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an SSH host certificate',
        parameters: [
          { name: 'id', description: 'The id of the resource: "shcrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an SSH host certificate',
        parameters: [
          { name: 'id', description: 'The id of the resource: "shcrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an SSH host certificate',
        parameters: [
          { name: 'id', description: 'The id of the resource: "shcrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'sshUserCertificates',
    summary: 'SSH user certificates',
    verbs: [
      {
        name: 'list',
        summary: 'List SSH user certificates',
        parameters: [],
        fields: null,
        list: { key: 'ssh_user_certificates', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an SSH user certificate',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'ssh_certificate_authority_id',
            type: 'string',
            required: true,
            description: 'The authority that signs.',
          },
          {
            name: 'public_key',
            type: 'string',
            required: true,
            description:
              'The key that is signed: the line of a ".pub" file, PEM, or RFC 4716. Comes back as it was sent.',
          },
          {
            name: 'valid_after',
            type: 'string',
            required: false,
            description: 'From when on it is valid. RFC 3339. Default: now.',
          },
          {
            name: 'principals',
            type: 'strings',
            required: false,
            description:
              'User names that may log in with it; none: all, which TrustedUserCAKeys of sshd does not accept. At most 256.',
          },
          {
            name: 'critical_options',
            type: 'map',
            required: false,
            description: 'What a server must know and enforce, such as force-command and source-address.',
          },
          {
            name: 'extensions',
            type: 'map',
            required: false,
            description: 'What the certificate permits; permit-pty and permit-user-rc when it is left out.',
          },
          {
            name: 'valid_until',
            type: 'string',
            required: false,
            description: 'Until when it is valid. RFC 3339. Default: 24 hours from now.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an SSH user certificate',
        parameters: [
          { name: 'id', description: 'The id of the resource: "sucrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an SSH user certificate',
        parameters: [
          { name: 'id', description: 'The id of the resource: "sucrt_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an SSH user certificate',
        parameters: [
          { name: 'id', description: 'The id of the resource: "sucrt_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'eventDestinations',
    summary: 'Event destinations',
    verbs: [
      {
        name: 'list',
        summary: 'List event destinations',
        parameters: [],
        fields: null,
        list: { key: 'event_destinations', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an event destination',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'format',
            type: 'string',
            required: true,
            description: 'How events are written.',
            values: ['json'],
          },
          {
            name: 'target',
            type: 'object',
            required: true,
            description: 'Where events are sent: exactly one of these.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an event destination',
        parameters: [{ name: 'id', description: 'The id of the resource: "ed_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an event destination',
        parameters: [{ name: 'id', description: 'The id of the resource: "ed_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'format',
            type: 'string',
            required: false,
            description: 'How events are written.',
            values: ['json'],
          },
          {
            name: 'target',
            type: 'object',
            required: false,
            description: 'Where events are sent: exactly one of these.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an event destination',
        parameters: [{ name: 'id', description: 'The id of the resource: "ed_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'status',
        summary: 'Get how delivery to an event destination stands',
        parameters: [{ name: 'id', description: 'The id of the resource: "ed_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'test',
        summary: 'Send a test event to an event destination',
        parameters: [{ name: 'id', description: 'The id of the resource: "ed_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'eventSubscriptions',
    summary: 'Event subscriptions',
    verbs: [
      {
        name: 'list',
        summary: 'List event subscriptions',
        parameters: [],
        fields: null,
        list: { key: 'event_subscriptions', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an event subscription',
        parameters: [],
        fields: [
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 characters.',
          },
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 characters.',
          },
          {
            name: 'sources',
            type: 'list',
            required: false,
            description: 'The types of events that are sent, each at most once.',
          },
          {
            name: 'destination_ids',
            type: 'strings',
            required: false,
            description: 'Where they are sent, each at most once.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an event subscription',
        parameters: [
          { name: 'id', description: 'The id of the resource: "esb_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an event subscription',
        parameters: [
          { name: 'id', description: 'The id of the resource: "esb_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 characters.',
          },
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 characters.',
          },
          {
            name: 'sources',
            type: 'list',
            required: false,
            description: 'The types of events that are sent, each at most once.',
          },
          {
            name: 'destination_ids',
            type: 'strings',
            required: false,
            description: 'Where they are sent, each at most once.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an event subscription',
        parameters: [
          { name: 'id', description: 'The id of the resource: "esb_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'eventSubscriptionSources',
    summary: 'Sources of an event subscription',
    verbs: [
      {
        name: 'list',
        summary: 'List sources of an event subscription',
        parameters: [
          {
            name: 'subscription_id',
            description: 'The id of the resource: "esb_" and 27 letters and digits.',
          },
        ],
        fields: null,
        list: { key: 'sources', isPaged: false },
      },
      {
        name: 'create',
        summary: 'Add a source of an event subscription',
        parameters: [
          {
            name: 'subscription_id',
            description: 'The id of the resource: "esb_" and 27 letters and digits.',
          },
        ],
        fields: [
          {
            name: 'type',
            type: 'string',
            required: true,
            description: 'The type of events.',
            values: [
              'api_key_created.v0',
              'api_key_updated.v0',
              'api_key_deleted.v0',
              'certificate_authority_created.v0',
              'certificate_authority_updated.v0',
              'certificate_authority_deleted.v0',
              'domain_created.v0',
              'domain_updated.v0',
              'domain_deleted.v0',
              'event_destination_created.v0',
              'event_destination_updated.v0',
              'event_destination_deleted.v0',
              'event_subscription_created.v0',
              'event_subscription_updated.v0',
              'event_subscription_deleted.v0',
              'ip_policy_created.v0',
              'ip_policy_updated.v0',
              'ip_policy_deleted.v0',
              'ip_policy_rule_created.v0',
              'ip_policy_rule_updated.v0',
              'ip_policy_rule_deleted.v0',
              'ip_restriction_created.v0',
              'ip_restriction_updated.v0',
              'ip_restriction_deleted.v0',
              'ssh_certificate_authority_created.v0',
              'ssh_certificate_authority_updated.v0',
              'ssh_certificate_authority_deleted.v0',
              'ssh_host_certificate_created.v0',
              'ssh_host_certificate_updated.v0',
              'ssh_host_certificate_deleted.v0',
              'ssh_public_key_created.v0',
              'ssh_public_key_updated.v0',
              'ssh_public_key_deleted.v0',
              'ssh_user_certificate_created.v0',
              'ssh_user_certificate_updated.v0',
              'ssh_user_certificate_deleted.v0',
              'tcp_address_created.v0',
              'tcp_address_updated.v0',
              'tcp_address_deleted.v0',
              'tls_certificate_created.v0',
              'tls_certificate_updated.v0',
              'tls_certificate_deleted.v0',
              'tunnel_credential_created.v0',
              'tunnel_credential_updated.v0',
              'tunnel_credential_deleted.v0',
              'agent_session_start.v0',
              'agent_session_stop.v0',
              'http_request_complete.v0',
              'tcp_connection_closed.v0',
            ],
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a source of an event subscription',
        parameters: [
          {
            name: 'subscription_id',
            description: 'The id of the resource: "esb_" and 27 letters and digits.',
          },
          { name: 'type', description: 'Which one of the list.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a source of an event subscription',
        parameters: [
          {
            name: 'subscription_id',
            description: 'The id of the resource: "esb_" and 27 letters and digits.',
          },
          { name: 'type', description: 'Which one of the list.' },
        ],
        fields: [],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Remove a source of an event subscription',
        parameters: [
          {
            name: 'subscription_id',
            description: 'The id of the resource: "esb_" and 27 letters and digits.',
          },
          { name: 'type', description: 'Which one of the list.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'apiKeys',
    summary: 'API keys',
    verbs: [
      {
        name: 'list',
        summary: 'List API keys',
        parameters: [],
        fields: null,
        list: { key: 'keys', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create an API key',
        parameters: [],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
          {
            name: 'owner_id',
            type: 'string',
            required: false,
            description:
              'The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name somebody else.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an API key',
        parameters: [{ name: 'id', description: 'The id of the resource: "ak_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an API key',
        parameters: [{ name: 'id', description: 'The id of the resource: "ak_" and 27 letters and digits.' }],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'For people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'For machines; any text of the user. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an API key',
        parameters: [{ name: 'id', description: 'The id of the resource: "ak_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'users',
    summary: 'Users',
    verbs: [
      {
        name: 'list',
        summary: 'List users',
        parameters: [],
        fields: null,
        list: { key: 'users', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a user',
        parameters: [],
        fields: [
          { name: 'name', type: 'string', required: true, description: 'For people. At most 255 bytes.' },
          {
            name: 'email',
            type: 'string',
            required: false,
            description: 'The mail address: unique in the account, whatever its case; "" for none.',
          },
          {
            name: 'role',
            type: 'string',
            required: false,
            description: 'Whether they may manage users and what is of others. Default: "member".',
            values: ['admin', 'member'],
          },
          {
            name: 'active',
            type: 'boolean',
            required: false,
            description: 'false stops their API keys and credentials at once. Default: true.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a user',
        parameters: [
          { name: 'id', description: 'The id of the resource: "usr_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a user',
        parameters: [
          { name: 'id', description: 'The id of the resource: "usr_" and 27 letters and digits.' },
        ],
        fields: [
          { name: 'name', type: 'string', required: false, description: 'For people. At most 255 bytes.' },
          {
            name: 'email',
            type: 'string',
            required: false,
            description: 'The mail address: unique in the account, whatever its case; "" for none.',
          },
          {
            name: 'role',
            type: 'string',
            required: false,
            description: 'Whether they may manage users and what is of others.',
            values: ['admin', 'member'],
          },
          {
            name: 'active',
            type: 'boolean',
            required: false,
            description: 'false stops their API keys and credentials at once.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a user',
        parameters: [
          { name: 'id', description: 'The id of the resource: "usr_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'botUsers',
    summary: 'Bot users',
    verbs: [
      {
        name: 'list',
        summary: 'List bot users',
        parameters: [],
        fields: null,
        list: { key: 'bot_users', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a bot user',
        parameters: [],
        fields: [
          {
            name: 'name',
            type: 'string',
            required: true,
            description: 'What it is for. Unique in the account. At most 255 bytes.',
          },
          {
            name: 'active',
            type: 'boolean',
            required: false,
            description: 'false stops its API keys and credentials at once. Default: true.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a bot user',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bot_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a bot user',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bot_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'name',
            type: 'string',
            required: false,
            description: 'What it is for. Unique in the account. At most 255 bytes.',
          },
          {
            name: 'active',
            type: 'boolean',
            required: false,
            description: 'false stops its API keys and credentials at once.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a bot user',
        parameters: [
          { name: 'id', description: 'The id of the resource: "bot_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'serviceUsers',
    summary: 'Service users',
    verbs: [
      {
        name: 'list',
        summary: 'List service users',
        parameters: [],
        fields: null,
        list: { key: 'service_users', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Create a service user',
        parameters: [],
        fields: [
          {
            name: 'name',
            type: 'string',
            required: true,
            description: 'What it is for. Unique in the account. At most 255 bytes.',
          },
          {
            name: 'active',
            type: 'boolean',
            required: false,
            description: 'false stops its API keys and credentials at once. Default: true.',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a service user',
        parameters: [
          { name: 'id', description: 'The id of the resource: "service_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a service user',
        parameters: [
          { name: 'id', description: 'The id of the resource: "service_" and 27 letters and digits.' },
        ],
        fields: [
          {
            name: 'name',
            type: 'string',
            required: false,
            description: 'What it is for. Unique in the account. At most 255 bytes.',
          },
          {
            name: 'active',
            type: 'boolean',
            required: false,
            description: 'false stops its API keys and credentials at once.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a service user',
        parameters: [
          { name: 'id', description: 'The id of the resource: "service_" and 27 letters and digits.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'tunnels',
    summary: 'Tunnels that are online',
    verbs: [
      {
        name: 'list',
        summary: 'List tunnels that are online',
        parameters: [],
        fields: null,
        list: { key: 'tunnels', isPaged: true },
      },
      {
        name: 'get',
        summary: 'Get a tunnel that is online',
        parameters: [{ name: 'id', description: 'The id of the resource: "tn_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'tunnelSessions',
    summary: 'Sessions of agents that are connected',
    verbs: [
      {
        name: 'list',
        summary: 'List sessions of agents that are connected',
        parameters: [],
        fields: null,
        list: { key: 'tunnel_sessions', isPaged: true },
      },
      {
        name: 'get',
        summary: 'Get a session of an agent',
        parameters: [{ name: 'id', description: 'The id of the resource: "ts_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'restart',
        summary: 'Have the agent start anew: it comes back with a new session and the same tunnels',
        parameters: [{ name: 'id', description: 'The id of the resource: "ts_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'stop',
        summary: 'Have the agent end',
        parameters: [{ name: 'id', description: 'The id of the resource: "ts_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Have the agent update itself to the newest version of its major one, and start anew',
        parameters: [{ name: 'id', description: 'The id of the resource: "ts_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'endpoints',
    summary: 'Endpoints that are active',
    verbs: [
      {
        name: 'list',
        summary: 'List endpoints that are active',
        parameters: [],
        fields: null,
        list: { key: 'endpoints', isPaged: true },
      },
      {
        name: 'get',
        summary: 'Get an endpoint that is active',
        parameters: [{ name: 'id', description: 'The id of the resource: "ep_" and 27 letters and digits.' }],
        fields: null,
        list: null,
      },
    ],
  },
];
