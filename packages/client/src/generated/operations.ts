// Written by scripts/write-client.ts from the OpenAPI document; do not edit.

import type { FieldTable, ResourceTable } from '../operation.ts';

export const resourceTables: readonly ResourceTable[] = [
  {
    name: 'httpResponseBackends',
    summary: 'HTTP response backends',
    kind: {
      name: 'http_response_backend',
      one: 'an HTTP response backend',
      prefix: 'bkdhr',
      namedBy: ['description'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List HTTP response backends',
        parameters: [],
        fields: null,
        list: { key: 'backends', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'body',
            type: 'string',
            required: false,
            description: 'The content that is answered. At most 65536 bytes.',
            default: '',
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
            default: 200,
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an HTTP response backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdhr_" and 27 letters and digits.',
            refersTo: ['http_response_backend'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an HTTP response backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdhr_" and 27 letters and digits.',
            refersTo: ['http_response_backend'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
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
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an HTTP response backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdhr_" and 27 letters and digits.',
            refersTo: ['http_response_backend'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an HTTP response backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdhr_" and 27 letters and digits.',
            refersTo: ['http_response_backend'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'tunnelGroupBackends',
    summary: 'Tunnel group backends',
    kind: {
      name: 'tunnel_group_backend',
      one: 'a tunnel group backend',
      prefix: 'bkdtg',
      namedBy: ['description', 'labels'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List tunnel group backends',
        parameters: [],
        fields: null,
        list: { key: 'backends', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'labels',
            type: 'map',
            required: true,
            description:
              'Labels, at least one. A tunnel belongs to the group when it carries every one of them.',
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a tunnel group backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdtg_" and 27 letters and digits.',
            refersTo: ['tunnel_group_backend'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a tunnel group backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdtg_" and 27 letters and digits.',
            refersTo: ['tunnel_group_backend'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'labels',
            type: 'map',
            required: false,
            description:
              'Labels, at least one. A tunnel belongs to the group when it carries every one of them.',
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a tunnel group backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdtg_" and 27 letters and digits.',
            refersTo: ['tunnel_group_backend'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a tunnel group backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdtg_" and 27 letters and digits.',
            refersTo: ['tunnel_group_backend'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'failoverBackends',
    summary: 'Failover backends',
    kind: { name: 'failover_backend', one: 'a failover backend', prefix: 'bkdfo', namedBy: ['description'] },
    verbs: [
      {
        name: 'list',
        summary: 'List failover backends',
        parameters: [],
        fields: null,
        list: { key: 'backends', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'backends',
            type: 'strings',
            required: true,
            description:
              'The backends, in the order in which they are tried: at least one, at most 32, none of them failover.',
            refersTo: ['http_response_backend', 'tunnel_group_backend', 'static_backend', 'weighted_backend'],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a failover backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdfo_" and 27 letters and digits.',
            refersTo: ['failover_backend'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a failover backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdfo_" and 27 letters and digits.',
            refersTo: ['failover_backend'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'backends',
            type: 'strings',
            required: false,
            description:
              'The backends, in the order in which they are tried: at least one, at most 32, none of them failover.',
            refersTo: ['http_response_backend', 'tunnel_group_backend', 'static_backend', 'weighted_backend'],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a failover backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdfo_" and 27 letters and digits.',
            refersTo: ['failover_backend'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a failover backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdfo_" and 27 letters and digits.',
            refersTo: ['failover_backend'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'weightedBackends',
    summary: 'Weighted backends',
    kind: { name: 'weighted_backend', one: 'a weighted backend', prefix: 'bkdwd', namedBy: ['description'] },
    verbs: [
      {
        name: 'list',
        summary: 'List weighted backends',
        parameters: [],
        fields: null,
        list: { key: 'backends', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'backends',
            type: 'object',
            required: true,
            description:
              'Weights by the id of the backend: at least one, at most 32; none of the backends failover or weighted. A backend of weight 0 gets no traffic; when all have that, nothing is served.',
            refersTo: ['http_response_backend', 'tunnel_group_backend', 'static_backend'],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a weighted backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdwd_" and 27 letters and digits.',
            refersTo: ['weighted_backend'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a weighted backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdwd_" and 27 letters and digits.',
            refersTo: ['weighted_backend'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'backends',
            type: 'object',
            required: false,
            description:
              'Weights by the id of the backend: at least one, at most 32; none of the backends failover or weighted. A backend of weight 0 gets no traffic; when all have that, nothing is served.',
            refersTo: ['http_response_backend', 'tunnel_group_backend', 'static_backend'],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a weighted backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdwd_" and 27 letters and digits.',
            refersTo: ['weighted_backend'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a weighted backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdwd_" and 27 letters and digits.',
            refersTo: ['weighted_backend'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'staticBackends',
    summary: 'Static backends',
    kind: {
      name: 'static_backend',
      one: 'a static backend',
      prefix: 'bkdsc',
      namedBy: ['description', 'address'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List static backends',
        parameters: [],
        fields: null,
        list: { key: 'backends', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'address',
            type: 'string',
            required: true,
            description:
              'The address to dial: host:port; the host is a name or a public IP address, IPv6 in brackets. The addresses of a name are checked when it is dialled.',
            isUnsetByZero: true,
          },
          {
            name: 'tls',
            type: 'object',
            required: false,
            description: 'The encryption of its connections.',
            object: 'StaticBackendTlsMutate',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a static backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdsc_" and 27 letters and digits.',
            refersTo: ['static_backend'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a static backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdsc_" and 27 letters and digits.',
            refersTo: ['static_backend'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'address',
            type: 'string',
            required: false,
            description:
              'The address to dial: host:port; the host is a name or a public IP address, IPv6 in brackets. The addresses of a name are checked when it is dialled.',
            isUnsetByZero: true,
          },
          {
            name: 'tls',
            type: 'object',
            required: false,
            description: 'The encryption of its connections.',
            object: 'StaticBackendTlsMutate',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a static backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdsc_" and 27 letters and digits.',
            refersTo: ['static_backend'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a static backend',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bkdsc_" and 27 letters and digits.',
            refersTo: ['static_backend'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'tlsEdges',
    summary: 'TLS edges',
    kind: { name: 'tls_edge', one: 'a TLS edge', prefix: 'edgtls', namedBy: ['hostports', 'description'] },
    verbs: [
      {
        name: 'list',
        summary: 'List TLS edges',
        parameters: [],
        fields: null,
        list: { key: 'tls_edges', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description:
              'Its reserved domains with port 443 or the port of the base URL, which mean the same.',
            default: [],
          },
          {
            name: 'backend',
            type: 'object',
            required: false,
            description: 'The backend that serves visitors.',
            object: 'EndpointBackendMutate',
          },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'Addresses of visitors that are served.',
            object: 'EndpointIPPolicyMutate',
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Client certificates that visitors must show.',
            object: 'EndpointMutualTLSMutate',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: "Termination of the visitors' TLS: by the edge, or behind it.",
            object: 'EndpointTLSTerminationMutate',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description:
              'Its reserved domains with port 443 or the port of the base URL, which mean the same.',
          },
          {
            name: 'backend',
            type: 'object',
            required: false,
            description: 'The backend that serves visitors.',
            object: 'EndpointBackendMutate',
          },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'Addresses of visitors that are served.',
            object: 'EndpointIPPolicyMutate',
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Client certificates that visitors must show.',
            object: 'EndpointMutualTLSMutate',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: "Termination of the visitors' TLS: by the edge, or behind it.",
            object: 'EndpointTLSTerminationMutate',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getBackend',
        summary: 'Get the backend of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putBackend',
        summary: 'Replace the backend of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'backend_id',
            type: 'string',
            required: true,
            description: 'The backend.',
            refersTo: [
              'http_response_backend',
              'tunnel_group_backend',
              'static_backend',
              'failover_backend',
              'weighted_backend',
            ],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteBackend',
        summary: 'Remove the backend of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getIpRestriction',
        summary: 'Get the IP restriction of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putIpRestriction',
        summary: 'Replace the IP restriction of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: true,
            description: 'The IP policies, at least one. All of their rules count together.',
            refersTo: ['ip_policy'],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteIpRestriction',
        summary: 'Remove the IP restriction of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getMutualTls',
        summary: 'Get the mutual TLS of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putMutualTls',
        summary: 'Replace the mutual TLS of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'certificate_authority_ids',
            type: 'strings',
            required: false,
            description: 'The authorities that may have signed them. Without any, none is accepted.',
            refersTo: ['certificate_authority'],
            default: [],
          },
        ],
        list: null,
      },
      {
        name: 'deleteMutualTls',
        summary: 'Remove the mutual TLS of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getTlsTermination',
        summary: 'Get the TLS termination of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putTlsTermination',
        summary: 'Replace the TLS termination of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'terminate_at',
            type: 'string',
            required: false,
            description: '"edge": the edge ends TLS. "upstream": it is passed through. Default: "upstream".',
            values: ['edge', 'upstream'],
            default: 'upstream',
            isUnsetByZero: true,
          },
          {
            name: 'min_version',
            type: 'string',
            required: false,
            description:
              'The oldest version of TLS that is accepted; empty for a safe default. Only with terminate_at "edge".',
            values: ['', '1.0', '1.1', '1.2', '1.3'],
            default: '',
          },
        ],
        list: null,
      },
      {
        name: 'deleteTlsTermination',
        summary: 'Remove the TLS termination of a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a TLS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtls_" and 27 letters and digits.',
            refersTo: ['tls_edge'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'httpsEdges',
    summary: 'HTTPS edges',
    kind: {
      name: 'https_edge',
      one: 'an HTTPS edge',
      prefix: 'edghts',
      namedBy: ['hostports', 'description'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List HTTPS edges',
        parameters: [],
        fields: null,
        list: { key: 'https_edges', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description:
              'Its reserved domains with port 443 or the port of the base URL, which mean the same.',
            default: [],
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Client certificates that visitors must show.',
            object: 'EndpointMutualTLSMutate',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: "Termination of the visitors' TLS by the edge.",
            object: 'EndpointTLSTerminationAtEdgeMutate',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an HTTPS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edghts_" and 27 letters and digits.',
            refersTo: ['https_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an HTTPS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edghts_" and 27 letters and digits.',
            refersTo: ['https_edge'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description:
              'Its reserved domains with port 443 or the port of the base URL, which mean the same.',
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Client certificates that visitors must show.',
            object: 'EndpointMutualTLSMutate',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: "Termination of the visitors' TLS by the edge.",
            object: 'EndpointTLSTerminationAtEdgeMutate',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an HTTPS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edghts_" and 27 letters and digits.',
            refersTo: ['https_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getMutualTls',
        summary: 'Get the mutual TLS of an HTTPS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edghts_" and 27 letters and digits.',
            refersTo: ['https_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putMutualTls',
        summary: 'Replace the mutual TLS of an HTTPS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edghts_" and 27 letters and digits.',
            refersTo: ['https_edge'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'certificate_authority_ids',
            type: 'strings',
            required: false,
            description: 'The authorities that may have signed them. Without any, none is accepted.',
            refersTo: ['certificate_authority'],
            default: [],
          },
        ],
        list: null,
      },
      {
        name: 'deleteMutualTls',
        summary: 'Remove the mutual TLS of an HTTPS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edghts_" and 27 letters and digits.',
            refersTo: ['https_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getTlsTermination',
        summary: 'Get the TLS termination of an HTTPS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edghts_" and 27 letters and digits.',
            refersTo: ['https_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putTlsTermination',
        summary: 'Replace the TLS termination of an HTTPS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edghts_" and 27 letters and digits.',
            refersTo: ['https_edge'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
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
            default: '',
          },
        ],
        list: null,
      },
      {
        name: 'deleteTlsTermination',
        summary: 'Remove the TLS termination of an HTTPS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edghts_" and 27 letters and digits.',
            refersTo: ['https_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an HTTPS edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edghts_" and 27 letters and digits.',
            refersTo: ['https_edge'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'httpsEdgeRoutes',
    summary: 'Routes of HTTPS edges',
    kind: {
      name: 'https_edge_route',
      one: 'a route of an HTTPS edge',
      prefix: 'edghtsrt',
      namedBy: ['match', 'description'],
      within: { kind: 'https_edge', key: 'routes' },
    },
    verbs: [
      {
        name: 'create',
        summary: 'Create a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'match_type',
            type: 'string',
            required: true,
            description:
              'The comparison of paths: exact_path goes before path_prefix, a longer prefix before a shorter one. A prefix is one of characters, not of segments: "/admin" matches "/administrator", "/admin/" does not.',
            values: ['exact_path', 'path_prefix'],
            isUnsetByZero: true,
          },
          {
            name: 'match',
            type: 'string',
            required: true,
            description:
              'The path of a request, or its beginning, percent-decoded and without dot segments. Unique within the edge. The service refuses a path (60251) if a server could read it as one of a route with a guard that the matching route lacks. At most 512 bytes.',
            isUnsetByZero: true,
          },
          {
            name: 'backend',
            type: 'object',
            required: false,
            description: 'The backend that serves visitors.',
            object: 'EndpointBackendMutate',
          },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'Addresses of visitors that are served.',
            object: 'EndpointIPPolicyMutate',
          },
          {
            name: 'circuit_breaker',
            type: 'object',
            required: false,
            description: 'Stops sending requests to a backend that keeps failing, for a while.',
            object: 'EndpointCircuitBreakerMutate',
          },
          {
            name: 'compression',
            type: 'object',
            required: false,
            description: 'Compresses answers for visitors who take that.',
            object: 'EndpointCompressionMutate',
          },
          {
            name: 'request_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to requests, and taken off them, before the backend gets them.',
            object: 'EndpointRequestHeadersMutate',
          },
          {
            name: 'response_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to answers, and taken off them, before the visitor gets them.',
            object: 'EndpointResponseHeadersMutate',
          },
          {
            name: 'webhook_verification',
            type: 'object',
            required: false,
            description:
              'Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately.',
            object: 'EndpointWebhookValidationMutate',
          },
          {
            name: 'saml',
            type: 'object',
            required: false,
            description: 'Serves only users whom an identity provider vouches for.',
            object: 'EndpointSAMLMutate',
            isUnsetByZero: true,
          },
          {
            name: 'oidc',
            type: 'object',
            required: false,
            description: 'Serves only users whom an OpenID Connect provider vouches for.',
            object: 'EndpointOIDCMutate',
            isUnsetByZero: true,
          },
          {
            name: 'oauth',
            type: 'object',
            required: false,
            description: 'Serves only users whom a provider that is known by its name vouches for.',
            object: 'EndpointOAuthMutate',
            isUnsetByZero: true,
          },
          {
            name: 'websocket_tcp_converter',
            type: 'object',
            required: false,
            description:
              'Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones.',
            object: 'EndpointWebsocketTCPConverterMutate',
          },
          {
            name: 'user_agent_filter',
            type: 'object',
            required: false,
            description: 'Programs that are served, by their User-Agent header.',
            object: 'EndpointUserAgentFilterMutate',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'match_type',
            type: 'string',
            required: false,
            description:
              'The comparison of paths: exact_path goes before path_prefix, a longer prefix before a shorter one. A prefix is one of characters, not of segments: "/admin" matches "/administrator", "/admin/" does not.',
            values: ['exact_path', 'path_prefix'],
            isUnsetByZero: true,
          },
          {
            name: 'match',
            type: 'string',
            required: false,
            description:
              'The path of a request, or its beginning, percent-decoded and without dot segments. Unique within the edge. The service refuses a path (60251) if a server could read it as one of a route with a guard that the matching route lacks. At most 512 bytes.',
            isUnsetByZero: true,
          },
          {
            name: 'backend',
            type: 'object',
            required: false,
            description: 'The backend that serves visitors.',
            object: 'EndpointBackendMutate',
          },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'Addresses of visitors that are served.',
            object: 'EndpointIPPolicyMutate',
          },
          {
            name: 'circuit_breaker',
            type: 'object',
            required: false,
            description: 'Stops sending requests to a backend that keeps failing, for a while.',
            object: 'EndpointCircuitBreakerMutate',
          },
          {
            name: 'compression',
            type: 'object',
            required: false,
            description: 'Compresses answers for visitors who take that.',
            object: 'EndpointCompressionMutate',
          },
          {
            name: 'request_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to requests, and taken off them, before the backend gets them.',
            object: 'EndpointRequestHeadersMutate',
          },
          {
            name: 'response_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to answers, and taken off them, before the visitor gets them.',
            object: 'EndpointResponseHeadersMutate',
          },
          {
            name: 'webhook_verification',
            type: 'object',
            required: false,
            description:
              'Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately.',
            object: 'EndpointWebhookValidationMutate',
          },
          {
            name: 'saml',
            type: 'object',
            required: false,
            description: 'Serves only users whom an identity provider vouches for.',
            object: 'EndpointSAMLMutate',
            isUnsetByZero: true,
          },
          {
            name: 'oidc',
            type: 'object',
            required: false,
            description: 'Serves only users whom an OpenID Connect provider vouches for.',
            object: 'EndpointOIDCMutate',
            isUnsetByZero: true,
          },
          {
            name: 'oauth',
            type: 'object',
            required: false,
            description: 'Serves only users whom a provider that is known by its name vouches for.',
            object: 'EndpointOAuthMutate',
            isUnsetByZero: true,
          },
          {
            name: 'websocket_tcp_converter',
            type: 'object',
            required: false,
            description:
              'Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones.',
            object: 'EndpointWebsocketTCPConverterMutate',
          },
          {
            name: 'user_agent_filter',
            type: 'object',
            required: false,
            description: 'Programs that are served, by their User-Agent header.',
            object: 'EndpointUserAgentFilterMutate',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getBackend',
        summary: 'Get the backend of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putBackend',
        summary: 'Replace the backend of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'backend_id',
            type: 'string',
            required: true,
            description: 'The backend.',
            refersTo: [
              'http_response_backend',
              'tunnel_group_backend',
              'static_backend',
              'failover_backend',
              'weighted_backend',
            ],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteBackend',
        summary: 'Remove the backend of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getIpRestriction',
        summary: 'Get the IP restriction of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putIpRestriction',
        summary: 'Replace the IP restriction of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: true,
            description: 'The IP policies, at least one. All of their rules count together.',
            refersTo: ['ip_policy'],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteIpRestriction',
        summary: 'Remove the IP restriction of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getCircuitBreaker',
        summary: 'Get the circuit breaker of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putCircuitBreaker',
        summary: 'Replace the circuit breaker of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'tripped_duration',
            type: 'integer',
            required: false,
            description: 'Seconds until an open circuit is tried again; 0 for 10. Default: 0.',
            default: 0,
          },
          {
            name: 'rolling_window',
            type: 'integer',
            required: false,
            description: 'Seconds over which answers are counted; 0 for 10. Default: 0.',
            default: 0,
          },
          {
            name: 'num_buckets',
            type: 'integer',
            required: false,
            description: 'Parts of the window; 0 for 10. Default: 0.',
            default: 0,
          },
          {
            name: 'volume_threshold',
            type: 'integer',
            required: false,
            description: 'Requests in the window below which the circuit stays closed; 0 for 20. Default: 0.',
            default: 0,
          },
          {
            name: 'error_threshold_percentage',
            type: 'number',
            required: false,
            description:
              'Share of answers with a status of 500 or above from which on the circuit opens; 0: it never does. Default: 0.',
            default: 0,
          },
        ],
        list: null,
      },
      {
        name: 'deleteCircuitBreaker',
        summary: 'Remove the circuit breaker of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getCompression',
        summary: 'Get the compression of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putCompression',
        summary: 'Replace the compression of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteCompression',
        summary: 'Remove the compression of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getRequestHeaders',
        summary: 'Get the request headers of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putRequestHeaders',
        summary: 'Replace the request headers of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'add',
            type: 'map',
            required: false,
            description: 'Headers to add, at most 5; one that is also removed is replaced.',
          },
          {
            name: 'remove',
            type: 'strings',
            required: false,
            description: 'Names of headers to remove, in any case.',
            default: [],
          },
        ],
        list: null,
      },
      {
        name: 'deleteRequestHeaders',
        summary: 'Remove the request headers of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getResponseHeaders',
        summary: 'Get the response headers of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putResponseHeaders',
        summary: 'Replace the response headers of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'add',
            type: 'map',
            required: false,
            description: 'Headers to add, at most 5; one that is also removed is replaced.',
          },
          {
            name: 'remove',
            type: 'strings',
            required: false,
            description: 'Names of headers to remove, in any case.',
            default: [],
          },
        ],
        list: null,
      },
      {
        name: 'deleteResponseHeaders',
        summary: 'Remove the response headers of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getWebhookVerification',
        summary: 'Get the webhook verification of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putWebhookVerification',
        summary: 'Replace the webhook verification of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'provider',
            type: 'string',
            required: true,
            description: 'The sender of the requests.',
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
            isUnsetByZero: true,
          },
          {
            name: 'secret',
            type: 'string',
            required: false,
            description:
              'Needed: what the sender signs with; of brex, clerk, microsoft_teams and svix base64. Shown as "". A change that leaves it out keeps it, as long as the provider stays. At most 512 bytes.',
            isSecret: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteWebhookVerification',
        summary: 'Remove the webhook verification of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getSaml',
        summary: 'Get the SAML of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putSaml',
        summary: 'Replace the SAML of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'True if OPTIONS requests are served without a login, as CORS needs it. Default: false.',
            default: false,
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              "Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes.",
            default: '',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
            default: 0,
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
            default: 0,
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
              'The https URL of that document. It is fetched now and about once an hour; the last valid document stays until there is a newer one. At most 2048 bytes.',
          },
          {
            name: 'force_authn',
            type: 'boolean',
            required: false,
            description: 'True if users must log in again even if the provider knows them. Default: false.',
            default: false,
          },
          {
            name: 'allow_idp_initiated',
            type: 'boolean',
            required: false,
            description: 'True if a login may begin at the identity provider. Default: true.',
            default: true,
          },
          {
            name: 'authorized_groups',
            type: 'strings',
            required: false,
            description:
              'Groups whose members are served, by the attributes of group_attributes. Empty for every user who can log in.',
            default: [],
          },
          {
            name: 'group_attributes',
            type: 'strings',
            required: false,
            description:
              'The attributes of the assertion that name the groups of a user. Empty for the usual ones. These are groups, memberOf, member, role, roles and group in any case, the group and role claims of Microsoft and ADFS, and the object identifiers of isMemberOf and eduPersonEntitlement.',
            default: [],
          },
          {
            name: 'nameid_format',
            type: 'string',
            required: false,
            description:
              'Format of the users\' names, "unspecified" for any; empty for the default. Default: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent".',
            values: [
              '',
              'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
              'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
              'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
              'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
            ],
            default: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
          },
        ],
        list: null,
      },
      {
        name: 'deleteSaml',
        summary: 'Remove the SAML of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getOidc',
        summary: 'Get the openID Connect of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putOidc',
        summary: 'Replace the openID Connect of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'True if OPTIONS requests are served without a login, as CORS needs it. Default: false.',
            default: false,
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              "Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes.",
            default: '',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
            default: 0,
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
            default: 0,
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
            isSecret: true,
          },
          {
            name: 'scopes',
            type: 'strings',
            required: false,
            description: 'Scopes that the service requests beside "openid"; empty for "profile" and "email".',
            default: [],
          },
        ],
        list: null,
      },
      {
        name: 'deleteOidc',
        summary: 'Remove the openID Connect of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getOauth',
        summary: 'Get the OAuth of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putOauth',
        summary: 'Replace the OAuth of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'True if OPTIONS requests are served without a login, as CORS needs it. Default: false.',
            default: false,
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              "Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes.",
            default: '',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
            default: 0,
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
            default: 0,
          },
          {
            name: 'provider',
            type: 'object',
            required: false,
            description: 'Needed. Exactly one of these.',
            object: 'EndpointOAuthProviderMutate',
            isUnsetByZero: true,
          },
          {
            name: 'auth_check_interval',
            type: 'integer',
            required: false,
            description:
              'Seconds until the provider is queried again about a logged-in user; 0 for never. Default: 0.',
            default: 0,
          },
        ],
        list: null,
      },
      {
        name: 'deleteOauth',
        summary: 'Remove the OAuth of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getWebsocketTcpConverter',
        summary: 'Get the webSocket to TCP converter of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putWebsocketTcpConverter',
        summary: 'Replace the webSocket to TCP converter of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteWebsocketTcpConverter',
        summary: 'Remove the webSocket to TCP converter of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getUserAgentFilter',
        summary: 'Get the user agent filter of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putUserAgentFilter',
        summary: 'Replace the user agent filter of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'allow',
            type: 'strings',
            required: false,
            description: 'Served even when a pattern of "deny" is found too.',
            default: [],
          },
          { name: 'deny', type: 'strings', required: false, description: 'Not served.', default: [] },
        ],
        list: null,
      },
      {
        name: 'deleteUserAgentFilter',
        summary: 'Remove the user agent filter of a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a route of an HTTPS edge',
        parameters: [
          {
            name: 'edge_id',
            description: 'The id of the resource that it belongs to.',
            refersTo: ['https_edge'],
          },
          {
            name: 'id',
            description: 'The id of the resource: "edghtsrt_" and 27 letters and digits.',
            refersTo: ['https_edge_route'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'tcpEdges',
    summary: 'TCP edges',
    kind: { name: 'tcp_edge', one: 'a TCP edge', prefix: 'edgtcp', namedBy: ['hostports', 'description'] },
    verbs: [
      {
        name: 'list',
        summary: 'List TCP edges',
        parameters: [],
        fields: null,
        list: { key: 'tcp_edges', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description: 'Its reserved addresses, all of one region.',
            default: [],
          },
          {
            name: 'backend',
            type: 'object',
            required: false,
            description: 'The backend that serves visitors.',
            object: 'EndpointBackendMutate',
          },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'Addresses of visitors that are served.',
            object: 'EndpointIPPolicyMutate',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a TCP edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtcp_" and 27 letters and digits.',
            refersTo: ['tcp_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a TCP edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtcp_" and 27 letters and digits.',
            refersTo: ['tcp_edge'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'hostports',
            type: 'strings',
            required: false,
            description: 'Its reserved addresses, all of one region.',
          },
          {
            name: 'backend',
            type: 'object',
            required: false,
            description: 'The backend that serves visitors.',
            object: 'EndpointBackendMutate',
          },
          {
            name: 'ip_restriction',
            type: 'object',
            required: false,
            description: 'Addresses of visitors that are served.',
            object: 'EndpointIPPolicyMutate',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a TCP edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtcp_" and 27 letters and digits.',
            refersTo: ['tcp_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getBackend',
        summary: 'Get the backend of a TCP edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtcp_" and 27 letters and digits.',
            refersTo: ['tcp_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putBackend',
        summary: 'Replace the backend of a TCP edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtcp_" and 27 letters and digits.',
            refersTo: ['tcp_edge'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'backend_id',
            type: 'string',
            required: true,
            description: 'The backend.',
            refersTo: [
              'http_response_backend',
              'tunnel_group_backend',
              'static_backend',
              'failover_backend',
              'weighted_backend',
            ],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteBackend',
        summary: 'Remove the backend of a TCP edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtcp_" and 27 letters and digits.',
            refersTo: ['tcp_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getIpRestriction',
        summary: 'Get the IP restriction of a TCP edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtcp_" and 27 letters and digits.',
            refersTo: ['tcp_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putIpRestriction',
        summary: 'Replace the IP restriction of a TCP edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtcp_" and 27 letters and digits.',
            refersTo: ['tcp_edge'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: true,
            description: 'The IP policies, at least one. All of their rules count together.',
            refersTo: ['ip_policy'],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteIpRestriction',
        summary: 'Remove the IP restriction of a TCP edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtcp_" and 27 letters and digits.',
            refersTo: ['tcp_edge'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a TCP edge',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "edgtcp_" and 27 letters and digits.',
            refersTo: ['tcp_edge'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'reservedDomains',
    summary: 'Reserved domains',
    kind: {
      name: 'reserved_domain',
      one: 'a reserved domain',
      prefix: 'rd',
      namedBy: ['domain', 'description'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List reserved domains',
        parameters: [],
        fields: null,
        list: { key: 'reserved_domains', isPaged: true, isSelected: true },
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
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'domain',
            type: 'string',
            required: false,
            description: 'A whole name; instead of "name".',
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'region',
            type: 'string',
            required: false,
            description: 'The region that serves it. Default: "us".',
            values: ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'],
            default: 'us',
            isUnsetByZero: true,
          },
          {
            name: 'resolves_to',
            type: 'list',
            required: false,
            description:
              'Regions to whose addresses the name should resolve; empty for all. It has no effect with one region.',
            object: 'ReservedDomainResolvesTo',
          },
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'certificate_id',
            type: 'string',
            required: false,
            description:
              'The certificate that it is served with: one that was uploaded, for the names that it covers; not for names below the shared domain. "" removes it.',
            refersTo: ['tls_certificate'],
          },
          {
            name: 'certificate_management_policy',
            type: 'object',
            required: false,
            description:
              'A certificate that the service gets and renews; what is served before stays until it is there. Writing it again during DNS_ERROR retries at once.',
            object: 'ReservedDomainCertificateManagementPolicyMutate',
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a reserved domain',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "rd_" and 27 letters and digits.',
            refersTo: ['reserved_domain'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a reserved domain',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "rd_" and 27 letters and digits.',
            refersTo: ['reserved_domain'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'region',
            type: 'string',
            required: false,
            description: 'The region that serves it.',
            values: ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'],
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'resolves_to',
            type: 'list',
            required: false,
            description:
              'Regions to whose addresses the name should resolve; empty for all. It has no effect with one region.',
            object: 'ReservedDomainResolvesTo',
          },
          {
            name: 'certificate_id',
            type: 'string',
            required: false,
            description:
              'The certificate that it is served with: one that was uploaded, for the names that it covers; not for names below the shared domain. "" removes it.',
            refersTo: ['tls_certificate'],
          },
          {
            name: 'certificate_management_policy',
            type: 'object',
            required: false,
            description:
              'A certificate that the service gets and renews; what is served before stays until it is there. Writing it again during DNS_ERROR retries at once.',
            object: 'ReservedDomainCertificateManagementPolicyMutate',
            isUnsetByZero: true,
          },
          {
            name: 'http_endpoint_configuration_id',
            type: 'string',
            required: false,
            description: 'The endpoint configuration, of type http, for HTTP. "" detaches it.',
            refersTo: ['endpoint_configuration'],
          },
          {
            name: 'https_endpoint_configuration_id',
            type: 'string',
            required: false,
            description: 'The endpoint configuration, of type https, for HTTPS. "" detaches it.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a reserved domain',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "rd_" and 27 letters and digits.',
            refersTo: ['reserved_domain'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'deleteCertificate',
        summary: 'Detach the certificate of a reserved domain',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "rd_" and 27 letters and digits.',
            refersTo: ['reserved_domain'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'deleteCertificateManagementPolicy',
        summary: 'Detach the managed certificate of a reserved domain',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "rd_" and 27 letters and digits.',
            refersTo: ['reserved_domain'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'deleteHttpEndpointConfiguration',
        summary: 'Detach the HTTP endpoint configuration of a reserved domain',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "rd_" and 27 letters and digits.',
            refersTo: ['reserved_domain'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'deleteHttpsEndpointConfiguration',
        summary: 'Detach the HTTPS endpoint configuration of a reserved domain',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "rd_" and 27 letters and digits.',
            refersTo: ['reserved_domain'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a reserved domain',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "rd_" and 27 letters and digits.',
            refersTo: ['reserved_domain'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
      {
        name: 'proof',
        summary: 'Get the proof that a reserved domain belongs to its account',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "rd_" and 27 letters and digits.',
            refersTo: ['reserved_domain'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'check',
        summary: 'Check the DNS of a reserved domain now',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "rd_" and 27 letters and digits.',
            refersTo: ['reserved_domain'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'renew',
        summary: 'Renew the managed certificate of a reserved domain now',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "rd_" and 27 letters and digits.',
            refersTo: ['reserved_domain'],
          },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'reservedAddrs',
    summary: 'Reserved addresses',
    kind: {
      name: 'reserved_addr',
      one: 'a reserved address',
      prefix: 'ra',
      namedBy: ['addr', 'description'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List reserved addresses',
        parameters: [],
        fields: null,
        list: { key: 'reserved_addrs', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'region',
            type: 'string',
            required: false,
            description: 'The region that serves it. Default: "us".',
            values: ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'],
            default: 'us',
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a reserved address',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ra_" and 27 letters and digits.',
            refersTo: ['reserved_addr'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a reserved address',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ra_" and 27 letters and digits.',
            refersTo: ['reserved_addr'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'region',
            type: 'string',
            required: false,
            description: 'The region that serves it.',
            values: ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'],
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'endpoint_configuration_id',
            type: 'string',
            required: false,
            description: 'The endpoint configuration, of type tcp. "" detaches it.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a reserved address',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ra_" and 27 letters and digits.',
            refersTo: ['reserved_addr'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'deleteEndpointConfiguration',
        summary: 'Detach the endpoint configuration of a reserved address',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ra_" and 27 letters and digits.',
            refersTo: ['reserved_addr'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a reserved address',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ra_" and 27 letters and digits.',
            refersTo: ['reserved_addr'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'endpointConfigurations',
    summary: 'Endpoint configurations',
    kind: {
      name: 'endpoint_configuration',
      one: 'an endpoint configuration',
      prefix: 'ec',
      namedBy: ['description'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List endpoint configurations',
        parameters: [],
        fields: null,
        list: { key: 'endpoint_configurations', isPaged: true, isSelected: true },
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
            description: 'The kind of resource that it can be attached to.',
            values: ['http', 'https', 'tcp'],
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'basic_auth',
            type: 'object',
            required: false,
            description: 'Requires a login with a name and a password of the agent.',
            object: 'EndpointBasicAuthMutate',
          },
          {
            name: 'circuit_breaker',
            type: 'object',
            required: false,
            description: 'Stops sending requests to a backend that keeps failing, for a while.',
            object: 'EndpointCircuitBreakerMutate',
          },
          {
            name: 'compression',
            type: 'object',
            required: false,
            description: 'Compresses answers for visitors who take that.',
            object: 'EndpointCompressionMutate',
          },
          {
            name: 'request_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to requests, and taken off them, before the backend gets them.',
            object: 'EndpointRequestHeadersMutate',
          },
          {
            name: 'response_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to answers, and taken off them, before the visitor gets them.',
            object: 'EndpointResponseHeadersMutate',
          },
          {
            name: 'ip_policy',
            type: 'object',
            required: false,
            description: 'Addresses of visitors that are served.',
            object: 'EndpointIPPolicyMutate',
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Client certificates that visitors must show.',
            object: 'EndpointMutualTLSMutate',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: "Termination of the visitors' TLS: by the edge, or behind it.",
            object: 'EndpointTLSTerminationMutate',
          },
          {
            name: 'webhook_validation',
            type: 'object',
            required: false,
            description:
              'Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately.',
            object: 'EndpointWebhookValidationMutate',
          },
          {
            name: 'saml',
            type: 'object',
            required: false,
            description: 'Serves only users whom an identity provider vouches for.',
            object: 'EndpointSAMLMutate',
            isUnsetByZero: true,
          },
          {
            name: 'oidc',
            type: 'object',
            required: false,
            description: 'Serves only users whom an OpenID Connect provider vouches for.',
            object: 'EndpointOIDCMutate',
            isUnsetByZero: true,
          },
          {
            name: 'oauth',
            type: 'object',
            required: false,
            description: 'Serves only users whom a provider that is known by its name vouches for.',
            object: 'EndpointOAuthMutate',
            isUnsetByZero: true,
          },
          {
            name: 'websocket_tcp_converter',
            type: 'object',
            required: false,
            description:
              'Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones.',
            object: 'EndpointWebsocketTCPConverterMutate',
          },
          {
            name: 'user_agent_filter',
            type: 'object',
            required: false,
            description: 'Programs that are served, by their User-Agent header.',
            object: 'EndpointUserAgentFilterMutate',
          },
          {
            name: 'backend',
            type: 'object',
            required: false,
            description: 'The backend that serves visitors.',
            object: 'EndpointBackendMutate',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'basic_auth',
            type: 'object',
            required: false,
            description: 'Requires a login with a name and a password of the agent.',
            object: 'EndpointBasicAuthMutate',
          },
          {
            name: 'circuit_breaker',
            type: 'object',
            required: false,
            description: 'Stops sending requests to a backend that keeps failing, for a while.',
            object: 'EndpointCircuitBreakerMutate',
          },
          {
            name: 'compression',
            type: 'object',
            required: false,
            description: 'Compresses answers for visitors who take that.',
            object: 'EndpointCompressionMutate',
          },
          {
            name: 'request_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to requests, and taken off them, before the backend gets them.',
            object: 'EndpointRequestHeadersMutate',
          },
          {
            name: 'response_headers',
            type: 'object',
            required: false,
            description:
              'Headers that are added to answers, and taken off them, before the visitor gets them.',
            object: 'EndpointResponseHeadersMutate',
          },
          {
            name: 'ip_policy',
            type: 'object',
            required: false,
            description: 'Addresses of visitors that are served.',
            object: 'EndpointIPPolicyMutate',
          },
          {
            name: 'mutual_tls',
            type: 'object',
            required: false,
            description: 'Client certificates that visitors must show.',
            object: 'EndpointMutualTLSMutate',
          },
          {
            name: 'tls_termination',
            type: 'object',
            required: false,
            description: "Termination of the visitors' TLS: by the edge, or behind it.",
            object: 'EndpointTLSTerminationMutate',
          },
          {
            name: 'webhook_validation',
            type: 'object',
            required: false,
            description:
              'Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately.',
            object: 'EndpointWebhookValidationMutate',
          },
          {
            name: 'saml',
            type: 'object',
            required: false,
            description: 'Serves only users whom an identity provider vouches for.',
            object: 'EndpointSAMLMutate',
            isUnsetByZero: true,
          },
          {
            name: 'oidc',
            type: 'object',
            required: false,
            description: 'Serves only users whom an OpenID Connect provider vouches for.',
            object: 'EndpointOIDCMutate',
            isUnsetByZero: true,
          },
          {
            name: 'oauth',
            type: 'object',
            required: false,
            description: 'Serves only users whom a provider that is known by its name vouches for.',
            object: 'EndpointOAuthMutate',
            isUnsetByZero: true,
          },
          {
            name: 'websocket_tcp_converter',
            type: 'object',
            required: false,
            description:
              'Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones.',
            object: 'EndpointWebsocketTCPConverterMutate',
          },
          {
            name: 'user_agent_filter',
            type: 'object',
            required: false,
            description: 'Programs that are served, by their User-Agent header.',
            object: 'EndpointUserAgentFilterMutate',
          },
          {
            name: 'backend',
            type: 'object',
            required: false,
            description: 'The backend that serves visitors.',
            object: 'EndpointBackendMutate',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getBasicAuth',
        summary: 'Get the basic authentication of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putBasicAuth',
        summary: 'Replace the basic authentication of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'auth_provider_id',
            type: 'string',
            required: false,
            description: 'The party that knows the names and passwords: the agent. Default: "agent".',
            values: ['', 'agent'],
            default: 'agent',
          },
          {
            name: 'realm',
            type: 'string',
            required: false,
            description:
              'The realm of the login, as browsers show it. Empty for the default. At most 128 bytes.',
            default: '',
          },
          {
            name: 'allow_options',
            type: 'boolean',
            required: false,
            description:
              'True if OPTIONS requests are served without a login, as CORS needs it. Default: false.',
            default: false,
          },
        ],
        list: null,
      },
      {
        name: 'deleteBasicAuth',
        summary: 'Remove the basic authentication of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getCircuitBreaker',
        summary: 'Get the circuit breaker of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putCircuitBreaker',
        summary: 'Replace the circuit breaker of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'tripped_duration',
            type: 'integer',
            required: false,
            description: 'Seconds until an open circuit is tried again; 0 for 10. Default: 0.',
            default: 0,
          },
          {
            name: 'rolling_window',
            type: 'integer',
            required: false,
            description: 'Seconds over which answers are counted; 0 for 10. Default: 0.',
            default: 0,
          },
          {
            name: 'num_buckets',
            type: 'integer',
            required: false,
            description: 'Parts of the window; 0 for 10. Default: 0.',
            default: 0,
          },
          {
            name: 'volume_threshold',
            type: 'integer',
            required: false,
            description: 'Requests in the window below which the circuit stays closed; 0 for 20. Default: 0.',
            default: 0,
          },
          {
            name: 'error_threshold_percentage',
            type: 'number',
            required: false,
            description:
              'Share of answers with a status of 500 or above from which on the circuit opens; 0: it never does. Default: 0.',
            default: 0,
          },
        ],
        list: null,
      },
      {
        name: 'deleteCircuitBreaker',
        summary: 'Remove the circuit breaker of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getCompression',
        summary: 'Get the compression of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putCompression',
        summary: 'Replace the compression of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteCompression',
        summary: 'Remove the compression of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getRequestHeaders',
        summary: 'Get the request headers of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putRequestHeaders',
        summary: 'Replace the request headers of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'add',
            type: 'map',
            required: false,
            description: 'Headers to add, at most 5; one that is also removed is replaced.',
          },
          {
            name: 'remove',
            type: 'strings',
            required: false,
            description: 'Names of headers to remove, in any case.',
            default: [],
          },
        ],
        list: null,
      },
      {
        name: 'deleteRequestHeaders',
        summary: 'Remove the request headers of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getResponseHeaders',
        summary: 'Get the response headers of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putResponseHeaders',
        summary: 'Replace the response headers of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'add',
            type: 'map',
            required: false,
            description: 'Headers to add, at most 5; one that is also removed is replaced.',
          },
          {
            name: 'remove',
            type: 'strings',
            required: false,
            description: 'Names of headers to remove, in any case.',
            default: [],
          },
        ],
        list: null,
      },
      {
        name: 'deleteResponseHeaders',
        summary: 'Remove the response headers of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getIpPolicy',
        summary: 'Get the IP policy of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putIpPolicy',
        summary: 'Replace the IP policy of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: true,
            description: 'The IP policies, at least one. All of their rules count together.',
            refersTo: ['ip_policy'],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteIpPolicy',
        summary: 'Remove the IP policy of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getMutualTls',
        summary: 'Get the mutual TLS of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putMutualTls',
        summary: 'Replace the mutual TLS of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'certificate_authority_ids',
            type: 'strings',
            required: false,
            description: 'The authorities that may have signed them. Without any, none is accepted.',
            refersTo: ['certificate_authority'],
            default: [],
          },
        ],
        list: null,
      },
      {
        name: 'deleteMutualTls',
        summary: 'Remove the mutual TLS of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getTlsTermination',
        summary: 'Get the TLS termination of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putTlsTermination',
        summary: 'Replace the TLS termination of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'terminate_at',
            type: 'string',
            required: false,
            description: '"edge": the edge ends TLS. "upstream": it is passed through. Default: "upstream".',
            values: ['edge', 'upstream'],
            default: 'upstream',
            isUnsetByZero: true,
          },
          {
            name: 'min_version',
            type: 'string',
            required: false,
            description:
              'The oldest version of TLS that is accepted; empty for a safe default. Only with terminate_at "edge".',
            values: ['', '1.0', '1.1', '1.2', '1.3'],
            default: '',
          },
        ],
        list: null,
      },
      {
        name: 'deleteTlsTermination',
        summary: 'Remove the TLS termination of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getWebhookValidation',
        summary: 'Get the webhook verification of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putWebhookValidation',
        summary: 'Replace the webhook verification of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'provider',
            type: 'string',
            required: true,
            description: 'The sender of the requests.',
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
            isUnsetByZero: true,
          },
          {
            name: 'secret',
            type: 'string',
            required: false,
            description:
              'Needed: what the sender signs with; of brex, clerk, microsoft_teams and svix base64. Shown as "". A change that leaves it out keeps it, as long as the provider stays. At most 512 bytes.',
            isSecret: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteWebhookValidation',
        summary: 'Remove the webhook verification of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getSaml',
        summary: 'Get the SAML of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putSaml',
        summary: 'Replace the SAML of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'True if OPTIONS requests are served without a login, as CORS needs it. Default: false.',
            default: false,
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              "Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes.",
            default: '',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
            default: 0,
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
            default: 0,
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
              'The https URL of that document. It is fetched now and about once an hour; the last valid document stays until there is a newer one. At most 2048 bytes.',
          },
          {
            name: 'force_authn',
            type: 'boolean',
            required: false,
            description: 'True if users must log in again even if the provider knows them. Default: false.',
            default: false,
          },
          {
            name: 'allow_idp_initiated',
            type: 'boolean',
            required: false,
            description: 'True if a login may begin at the identity provider. Default: true.',
            default: true,
          },
          {
            name: 'authorized_groups',
            type: 'strings',
            required: false,
            description:
              'Groups whose members are served, by the attributes of group_attributes. Empty for every user who can log in.',
            default: [],
          },
          {
            name: 'group_attributes',
            type: 'strings',
            required: false,
            description:
              'The attributes of the assertion that name the groups of a user. Empty for the usual ones. These are groups, memberOf, member, role, roles and group in any case, the group and role claims of Microsoft and ADFS, and the object identifiers of isMemberOf and eduPersonEntitlement.',
            default: [],
          },
          {
            name: 'nameid_format',
            type: 'string',
            required: false,
            description:
              'Format of the users\' names, "unspecified" for any; empty for the default. Default: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent".',
            values: [
              '',
              'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
              'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
              'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
              'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
            ],
            default: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
          },
        ],
        list: null,
      },
      {
        name: 'deleteSaml',
        summary: 'Remove the SAML of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getOidc',
        summary: 'Get the openID Connect of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putOidc',
        summary: 'Replace the openID Connect of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'True if OPTIONS requests are served without a login, as CORS needs it. Default: false.',
            default: false,
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              "Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes.",
            default: '',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
            default: 0,
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
            default: 0,
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
            isSecret: true,
          },
          {
            name: 'scopes',
            type: 'strings',
            required: false,
            description: 'Scopes that the service requests beside "openid"; empty for "profile" and "email".',
            default: [],
          },
        ],
        list: null,
      },
      {
        name: 'deleteOidc',
        summary: 'Remove the openID Connect of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getOauth',
        summary: 'Get the OAuth of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putOauth',
        summary: 'Replace the OAuth of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'options_passthrough',
            type: 'boolean',
            required: false,
            description:
              'True if OPTIONS requests are served without a login, as CORS needs it. Default: false.',
            default: false,
          },
          {
            name: 'cookie_prefix',
            type: 'string',
            required: false,
            description:
              "Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes.",
            default: '',
          },
          {
            name: 'inactivity_timeout',
            type: 'integer',
            required: false,
            description:
              'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
            default: 0,
          },
          {
            name: 'maximum_duration',
            type: 'integer',
            required: false,
            description:
              'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
            default: 0,
          },
          {
            name: 'provider',
            type: 'object',
            required: false,
            description: 'Needed. Exactly one of these.',
            object: 'EndpointOAuthProviderMutate',
            isUnsetByZero: true,
          },
          {
            name: 'auth_check_interval',
            type: 'integer',
            required: false,
            description:
              'Seconds until the provider is queried again about a logged-in user; 0 for never. Default: 0.',
            default: 0,
          },
        ],
        list: null,
      },
      {
        name: 'deleteOauth',
        summary: 'Remove the OAuth of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getWebsocketTcpConverter',
        summary: 'Get the webSocket to TCP converter of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putWebsocketTcpConverter',
        summary: 'Replace the webSocket to TCP converter of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteWebsocketTcpConverter',
        summary: 'Remove the webSocket to TCP converter of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getUserAgentFilter',
        summary: 'Get the user agent filter of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putUserAgentFilter',
        summary: 'Replace the user agent filter of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'allow',
            type: 'strings',
            required: false,
            description: 'Served even when a pattern of "deny" is found too.',
            default: [],
          },
          { name: 'deny', type: 'strings', required: false, description: 'Not served.', default: [] },
        ],
        list: null,
      },
      {
        name: 'deleteUserAgentFilter',
        summary: 'Remove the user agent filter of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getBackend',
        summary: 'Get the backend of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'putBackend',
        summary: 'Replace the backend of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: [
          {
            name: 'enabled',
            type: 'boolean',
            required: false,
            description: 'false turns the module off. Default: true.',
            default: true,
          },
          {
            name: 'backend_id',
            type: 'string',
            required: true,
            description: 'The backend.',
            refersTo: [
              'http_response_backend',
              'tunnel_group_backend',
              'static_backend',
              'failover_backend',
              'weighted_backend',
            ],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'deleteBackend',
        summary: 'Remove the backend of an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an endpoint configuration',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ec_" and 27 letters and digits.',
            refersTo: ['endpoint_configuration'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'ipPolicies',
    summary: 'IP policies',
    kind: { name: 'ip_policy', one: 'an IP policy', prefix: 'ipp', namedBy: ['description'] },
    verbs: [
      {
        name: 'list',
        summary: 'List IP policies',
        parameters: [],
        fields: null,
        list: { key: 'ip_policies', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an IP policy',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipp_" and 27 letters and digits.',
            refersTo: ['ip_policy'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an IP policy',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipp_" and 27 letters and digits.',
            refersTo: ['ip_policy'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an IP policy',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipp_" and 27 letters and digits.',
            refersTo: ['ip_policy'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an IP policy',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipp_" and 27 letters and digits.',
            refersTo: ['ip_policy'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'ipPolicyRules',
    summary: 'IP policy rules',
    kind: {
      name: 'ip_policy_rule',
      one: 'an IP policy rule',
      prefix: 'ipr',
      namedBy: ['description', 'cidr'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List IP policy rules',
        parameters: [],
        fields: null,
        list: { key: 'ip_policy_rules', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'cidr',
            type: 'string',
            required: true,
            description: 'An IPv4 or IPv6 range in CIDR notation, without host bits.',
            isUnsetByZero: true,
          },
          {
            name: 'ip_policy_id',
            type: 'string',
            required: true,
            description: 'The policy that it belongs to.',
            refersTo: ['ip_policy'],
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'action',
            type: 'string',
            required: true,
            description: 'The effect of the rule: it admits or refuses.',
            values: ['allow', 'deny'],
            isUnsetByZero: true,
            isImmutable: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an IP policy rule',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipr_" and 27 letters and digits.',
            refersTo: ['ip_policy_rule'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an IP policy rule',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipr_" and 27 letters and digits.',
            refersTo: ['ip_policy_rule'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'cidr',
            type: 'string',
            required: false,
            description: 'An IPv4 or IPv6 range in CIDR notation, without host bits.',
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an IP policy rule',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipr_" and 27 letters and digits.',
            refersTo: ['ip_policy_rule'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an IP policy rule',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipr_" and 27 letters and digits.',
            refersTo: ['ip_policy_rule'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'ipRestrictions',
    summary: 'IP restrictions',
    kind: { name: 'ip_restriction', one: 'an IP restriction', prefix: 'ipx', namedBy: ['description'] },
    verbs: [
      {
        name: 'list',
        summary: 'List IP restrictions',
        parameters: [],
        fields: null,
        list: { key: 'ip_restrictions', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'enforced',
            type: 'boolean',
            required: false,
            description: 'True if it refuses; false only logs what it would refuse. Default: false.',
            default: false,
          },
          {
            name: 'type',
            type: 'string',
            required: true,
            description:
              'The restricted part: the console (dashboard), the API, the address that agents connect to, or the endpoints and edges of the account, for their visitors. Without an enforced one for the console, that of the API applies to it.',
            values: ['dashboard', 'api', 'agent', 'endpoints'],
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: true,
            description: 'The IP policies, at least one. All of their rules count together.',
            refersTo: ['ip_policy'],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an IP restriction',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipx_" and 27 letters and digits.',
            refersTo: ['ip_restriction'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an IP restriction',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipx_" and 27 letters and digits.',
            refersTo: ['ip_restriction'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'enforced',
            type: 'boolean',
            required: false,
            description: 'True if it refuses; false only logs what it would refuse.',
          },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: false,
            description: 'The IP policies, at least one. All of their rules count together.',
            refersTo: ['ip_policy'],
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an IP restriction',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipx_" and 27 letters and digits.',
            refersTo: ['ip_restriction'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an IP restriction',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ipx_" and 27 letters and digits.',
            refersTo: ['ip_restriction'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'certificateAuthorities',
    summary: 'Certificate authorities',
    kind: {
      name: 'certificate_authority',
      one: 'a certificate authority',
      prefix: 'ca',
      namedBy: ['description', 'subject_common_name'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List certificate authorities',
        parameters: [],
        fields: null,
        list: { key: 'certificate_authorities', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'ca_pem',
            type: 'string',
            required: true,
            description:
              'One certificate in PEM, of a CA; an RSA key has at most 4096 bits. PKCS#7 and base64 without PEM are stored as PEM. At most 16384 bytes.',
            isUnsetByZero: true,
            isImmutable: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a certificate authority',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ca_" and 27 letters and digits.',
            refersTo: ['certificate_authority'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a certificate authority',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ca_" and 27 letters and digits.',
            refersTo: ['certificate_authority'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a certificate authority',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ca_" and 27 letters and digits.',
            refersTo: ['certificate_authority'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a certificate authority',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ca_" and 27 letters and digits.',
            refersTo: ['certificate_authority'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'tlsCertificates',
    summary: 'TLS certificates',
    kind: {
      name: 'tls_certificate',
      one: 'a TLS certificate',
      prefix: 'cert',
      namedBy: ['description', 'subject_common_name'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List TLS certificates',
        parameters: [],
        fields: null,
        list: { key: 'tls_certificates', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'certificate_pem',
            type: 'string',
            required: true,
            description:
              'The leaf, then its intermediates, in PEM. PKCS#7 and base64 without PEM are stored as PEM. At most 65536 bytes.',
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'private_key_pem',
            type: 'string',
            required: true,
            description:
              'The private key, unencrypted, in PEM: ECDSA, Ed25519, or RSA of at most 4096 bits. Never shown. At most 65536 bytes.',
            isUnsetByZero: true,
            isSecret: true,
            isImmutable: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a TLS certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "cert_" and 27 letters and digits.',
            refersTo: ['tls_certificate'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a TLS certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "cert_" and 27 letters and digits.',
            refersTo: ['tls_certificate'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete a TLS certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "cert_" and 27 letters and digits.',
            refersTo: ['tls_certificate'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a TLS certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "cert_" and 27 letters and digits.',
            refersTo: ['tls_certificate'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'credentials',
    summary: 'Tunnel credentials',
    kind: { name: 'credential', one: 'a tunnel credential', prefix: 'cr', namedBy: ['description'] },
    verbs: [
      {
        name: 'list',
        summary: 'List tunnel credentials',
        parameters: [],
        fields: null,
        list: { key: 'credentials', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'acl',
            type: 'strings',
            required: false,
            description: 'Bind rules: what may be bound. An empty list permits everything.',
            default: [],
          },
          {
            name: 'owner_id',
            type: 'string',
            required: false,
            description:
              'The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name another owner.',
            refersTo: ['user', 'bot_user', 'service_user'],
            isUnsetByZero: true,
            isImmutable: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a tunnel credential',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "cr_" and 27 letters and digits.',
            refersTo: ['credential'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a tunnel credential',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "cr_" and 27 letters and digits.',
            refersTo: ['credential'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
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
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "cr_" and 27 letters and digits.',
            refersTo: ['credential'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a tunnel credential',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "cr_" and 27 letters and digits.',
            refersTo: ['credential'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'sshCredentials',
    summary: 'SSH credentials',
    kind: { name: 'ssh_credential', one: 'an SSH credential', prefix: 'sshcr', namedBy: ['description'] },
    verbs: [
      {
        name: 'list',
        summary: 'List SSH credentials',
        parameters: [],
        fields: null,
        list: { key: 'ssh_credentials', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'acl',
            type: 'strings',
            required: false,
            description: 'Bind rules: what may be bound. An empty list permits everything.',
            default: [],
          },
          {
            name: 'public_key',
            type: 'string',
            required: true,
            description:
              'The key: the line of a ".pub" file, PEM, or RFC 4716; also of a security key (sk-). Comes back as it was sent. No two credentials share a key. At most 8192 bytes.',
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'owner_id',
            type: 'string',
            required: false,
            description:
              'The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name another owner.',
            refersTo: ['user', 'bot_user', 'service_user'],
            isUnsetByZero: true,
            isImmutable: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an SSH credential',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "sshcr_" and 27 letters and digits.',
            refersTo: ['ssh_credential'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an SSH credential',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "sshcr_" and 27 letters and digits.',
            refersTo: ['ssh_credential'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
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
          {
            name: 'id',
            description: 'The id of the resource: "sshcr_" and 27 letters and digits.',
            refersTo: ['ssh_credential'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an SSH credential',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "sshcr_" and 27 letters and digits.',
            refersTo: ['ssh_credential'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'sshCertificateAuthorities',
    summary: 'SSH certificate authorities',
    kind: {
      name: 'ssh_certificate_authority',
      one: 'an SSH certificate authority',
      prefix: 'sshca',
      namedBy: ['description'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List SSH certificate authorities',
        parameters: [],
        fields: null,
        list: { key: 'ssh_certificate_authorities', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'private_key_type',
            type: 'string',
            required: false,
            description: 'The type of its key. Default: "ed25519".',
            values: ['rsa', 'ecdsa', 'ed25519'],
            default: 'ed25519',
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'elliptic_curve',
            type: 'string',
            required: false,
            description:
              'The curve, for ecdsa only; nistp256 unless another is given. The short names mean the same curves.',
            values: ['nistp256', 'nistp384', 'nistp521', 'p256', 'p384', 'p521'],
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'key_size',
            type: 'integer',
            required: false,
            description: 'Bits of the key, for rsa only; 2048 unless another is given.',
            values: ['2048', '4096'],
            isUnsetByZero: true,
            isImmutable: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an SSH certificate authority',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "sshca_" and 27 letters and digits.',
            refersTo: ['ssh_certificate_authority'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an SSH certificate authority',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "sshca_" and 27 letters and digits.',
            refersTo: ['ssh_certificate_authority'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an SSH certificate authority',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "sshca_" and 27 letters and digits.',
            refersTo: ['ssh_certificate_authority'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an SSH certificate authority',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "sshca_" and 27 letters and digits.',
            refersTo: ['ssh_certificate_authority'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'sshHostCertificates',
    summary: 'SSH host certificates',
    kind: {
      name: 'ssh_host_certificate',
      one: 'an SSH host certificate',
      prefix: 'shcrt',
      namedBy: ['description'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List SSH host certificates',
        parameters: [],
        fields: null,
        list: { key: 'ssh_host_certificates', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'ssh_certificate_authority_id',
            type: 'string',
            required: true,
            description: 'The authority that signs.',
            refersTo: ['ssh_certificate_authority'],
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'public_key',
            type: 'string',
            required: true,
            description:
              'The key that is signed: the line of a ".pub" file, PEM, or RFC 4716. Comes back as it was sent.',
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'valid_after',
            type: 'string',
            required: false,
            description: 'Start of its validity. RFC 3339. Default: now.',
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'principals',
            type: 'strings',
            required: false,
            description:
              'Host names and IP addresses that the server may have, certified in lower case as ssh compares them; none: all. At most 256.',
            default: [],
            isImmutable: true,
          },
          {
            name: 'valid_until',
            type: 'string',
            required: false,
            description: 'End of its validity. RFC 3339. Default: a year from now.',
            isUnsetByZero: true,
            isImmutable: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an SSH host certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "shcrt_" and 27 letters and digits.',
            refersTo: ['ssh_host_certificate'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an SSH host certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "shcrt_" and 27 letters and digits.',
            refersTo: ['ssh_host_certificate'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an SSH host certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "shcrt_" and 27 letters and digits.',
            refersTo: ['ssh_host_certificate'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an SSH host certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "shcrt_" and 27 letters and digits.',
            refersTo: ['ssh_host_certificate'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'sshUserCertificates',
    summary: 'SSH user certificates',
    kind: {
      name: 'ssh_user_certificate',
      one: 'an SSH user certificate',
      prefix: 'sucrt',
      namedBy: ['description'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List SSH user certificates',
        parameters: [],
        fields: null,
        list: { key: 'ssh_user_certificates', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'ssh_certificate_authority_id',
            type: 'string',
            required: true,
            description: 'The authority that signs.',
            refersTo: ['ssh_certificate_authority'],
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'public_key',
            type: 'string',
            required: true,
            description:
              'The key that is signed: the line of a ".pub" file, PEM, or RFC 4716. Comes back as it was sent.',
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'valid_after',
            type: 'string',
            required: false,
            description: 'Start of its validity. RFC 3339. Default: now.',
            isUnsetByZero: true,
            isImmutable: true,
          },
          {
            name: 'principals',
            type: 'strings',
            required: false,
            description:
              'User names that may log in with it; none: all, which TrustedUserCAKeys of sshd does not accept. At most 256.',
            default: [],
            isImmutable: true,
          },
          {
            name: 'critical_options',
            type: 'map',
            required: false,
            description:
              'Options that a server must know and enforce, such as force-command and source-address.',
            isImmutable: true,
          },
          {
            name: 'extensions',
            type: 'map',
            required: false,
            description: 'Permissions of the certificate; permit-pty and permit-user-rc by default.',
            isImmutable: true,
          },
          {
            name: 'valid_until',
            type: 'string',
            required: false,
            description: 'End of its validity. RFC 3339. Default: 24 hours from now.',
            isUnsetByZero: true,
            isImmutable: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an SSH user certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "sucrt_" and 27 letters and digits.',
            refersTo: ['ssh_user_certificate'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an SSH user certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "sucrt_" and 27 letters and digits.',
            refersTo: ['ssh_user_certificate'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an SSH user certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "sucrt_" and 27 letters and digits.',
            refersTo: ['ssh_user_certificate'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an SSH user certificate',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "sucrt_" and 27 letters and digits.',
            refersTo: ['ssh_user_certificate'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'eventDestinations',
    summary: 'Event destinations',
    kind: { name: 'event_destination', one: 'an event destination', prefix: 'ed', namedBy: ['description'] },
    verbs: [
      {
        name: 'list',
        summary: 'List event destinations',
        parameters: [],
        fields: null,
        list: { key: 'event_destinations', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'format',
            type: 'string',
            required: true,
            description: 'The format of events.',
            values: ['json'],
            isUnsetByZero: true,
          },
          {
            name: 'target',
            type: 'object',
            required: true,
            description: 'The target of events: exactly one of these.',
            object: 'EventTargetMutate',
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an event destination',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ed_" and 27 letters and digits.',
            refersTo: ['event_destination'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an event destination',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ed_" and 27 letters and digits.',
            refersTo: ['event_destination'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
          {
            name: 'format',
            type: 'string',
            required: false,
            description: 'The format of events.',
            values: ['json'],
            isUnsetByZero: true,
          },
          {
            name: 'target',
            type: 'object',
            required: false,
            description: 'The target of events: exactly one of these.',
            object: 'EventTargetUpdate',
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an event destination',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ed_" and 27 letters and digits.',
            refersTo: ['event_destination'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an event destination',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ed_" and 27 letters and digits.',
            refersTo: ['event_destination'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
      {
        name: 'status',
        summary: 'Get the delivery status of an event destination',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ed_" and 27 letters and digits.',
            refersTo: ['event_destination'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'test',
        summary: 'Send a test event to an event destination',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ed_" and 27 letters and digits.',
            refersTo: ['event_destination'],
          },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'eventSubscriptions',
    summary: 'Event subscriptions',
    kind: {
      name: 'event_subscription',
      one: 'an event subscription',
      prefix: 'esb',
      namedBy: ['description'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List event subscriptions',
        parameters: [],
        fields: null,
        list: { key: 'event_subscriptions', isPaged: true, isSelected: true },
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
            description: 'A text for machines, of any content. At most 4096 characters.',
            default: '',
          },
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 characters.',
            default: '',
          },
          {
            name: 'sources',
            type: 'list',
            required: false,
            description: 'The types of events that are sent, each at most once.',
            object: 'EventSourceCreate',
            default: [],
          },
          {
            name: 'destination_ids',
            type: 'strings',
            required: false,
            description: 'The destinations, each at most once.',
            refersTo: ['event_destination'],
            default: [],
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an event subscription',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "esb_" and 27 letters and digits.',
            refersTo: ['event_subscription'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an event subscription',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "esb_" and 27 letters and digits.',
            refersTo: ['event_subscription'],
          },
        ],
        fields: [
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 characters.',
          },
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 characters.',
          },
          {
            name: 'sources',
            type: 'list',
            required: false,
            description: 'The types of events that are sent, each at most once.',
            object: 'EventSourceCreate',
          },
          {
            name: 'destination_ids',
            type: 'strings',
            required: false,
            description: 'The destinations, each at most once.',
            refersTo: ['event_destination'],
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an event subscription',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "esb_" and 27 letters and digits.',
            refersTo: ['event_subscription'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an event subscription',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "esb_" and 27 letters and digits.',
            refersTo: ['event_subscription'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'eventSubscriptionSources',
    summary: 'Sources of an event subscription',
    kind: null,
    verbs: [
      {
        name: 'list',
        summary: 'List sources of an event subscription',
        parameters: [
          {
            name: 'subscription_id',
            description: 'The id of the resource: "esb_" and 27 letters and digits.',
            refersTo: ['event_subscription'],
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
            refersTo: ['event_subscription'],
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
            isUnsetByZero: true,
            isImmutable: true,
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
            refersTo: ['event_subscription'],
          },
          { name: 'type', description: 'The key of an element of the list.' },
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
            refersTo: ['event_subscription'],
          },
          { name: 'type', description: 'The key of an element of the list.' },
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
            refersTo: ['event_subscription'],
          },
          { name: 'type', description: 'The key of an element of the list.' },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'apiKeys',
    summary: 'API keys',
    kind: { name: 'api_key', one: 'an API key', prefix: 'ak', namedBy: ['description'] },
    verbs: [
      {
        name: 'list',
        summary: 'List API keys',
        parameters: [],
        fields: null,
        list: { key: 'keys', isPaged: true, isSelected: true },
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
            description: 'A text for people. At most 255 bytes.',
            default: '',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
            default: '',
          },
          {
            name: 'owner_id',
            type: 'string',
            required: false,
            description:
              'The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name another owner.',
            refersTo: ['user', 'bot_user', 'service_user'],
            isUnsetByZero: true,
            isImmutable: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get an API key',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ak_" and 27 letters and digits.',
            refersTo: ['api_key'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update an API key',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ak_" and 27 letters and digits.',
            refersTo: ['api_key'],
          },
        ],
        fields: [
          {
            name: 'description',
            type: 'string',
            required: false,
            description: 'A text for people. At most 255 bytes.',
          },
          {
            name: 'metadata',
            type: 'string',
            required: false,
            description: 'A text for machines, of any content. At most 4096 bytes.',
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'Delete an API key',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ak_" and 27 letters and digits.',
            refersTo: ['api_key'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to an API key',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ak_" and 27 letters and digits.',
            refersTo: ['api_key'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'users',
    summary: 'Users',
    kind: { name: 'user', one: 'a user', prefix: 'usr', namedBy: ['name', 'email'] },
    verbs: [
      {
        name: 'list',
        summary: 'List users',
        parameters: [],
        fields: null,
        list: { key: 'users', isPaged: true, isSelected: true },
      },
      {
        name: 'create',
        summary: 'Create a user',
        parameters: [],
        fields: [
          {
            name: 'name',
            type: 'string',
            required: true,
            description: 'The name of the user. At most 255 bytes.',
            isUnsetByZero: true,
          },
          {
            name: 'email',
            type: 'string',
            required: false,
            description: 'The mail address: unique in the account, whatever its case; "" for none.',
            default: '',
          },
          {
            name: 'role',
            type: 'string',
            required: false,
            description:
              'Role of the user: an admin may manage users, and resources of other users. A viewer only reads: its API keys and its console sessions change nothing. Default: "member".',
            values: ['admin', 'member', 'viewer'],
            default: 'member',
            isUnsetByZero: true,
          },
          {
            name: 'active',
            type: 'boolean',
            required: false,
            description: 'false stops their API keys and credentials at once. Default: true.',
            default: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a user',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "usr_" and 27 letters and digits.',
            refersTo: ['user'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a user',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "usr_" and 27 letters and digits.',
            refersTo: ['user'],
          },
        ],
        fields: [
          {
            name: 'name',
            type: 'string',
            required: false,
            description: 'The name of the user. At most 255 bytes.',
            isUnsetByZero: true,
          },
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
            description:
              'Role of the user: an admin may manage users, and resources of other users. A viewer only reads: its API keys and its console sessions change nothing.',
            values: ['admin', 'member', 'viewer'],
            isUnsetByZero: true,
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
          {
            name: 'id',
            description: 'The id of the resource: "usr_" and 27 letters and digits.',
            refersTo: ['user'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a user',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "usr_" and 27 letters and digits.',
            refersTo: ['user'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'botUsers',
    summary: 'Bot users',
    kind: { name: 'bot_user', one: 'a bot user', prefix: 'bot', namedBy: ['name'] },
    verbs: [
      {
        name: 'list',
        summary: 'List bot users',
        parameters: [],
        fields: null,
        list: { key: 'bot_users', isPaged: true, isSelected: true },
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
            description: 'Its purpose. Unique in the account. At most 255 bytes.',
            isUnsetByZero: true,
          },
          {
            name: 'active',
            type: 'boolean',
            required: false,
            description: 'false stops its API keys and credentials at once. Default: true.',
            default: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a bot user',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bot_" and 27 letters and digits.',
            refersTo: ['bot_user'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a bot user',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bot_" and 27 letters and digits.',
            refersTo: ['bot_user'],
          },
        ],
        fields: [
          {
            name: 'name',
            type: 'string',
            required: false,
            description: 'Its purpose. Unique in the account. At most 255 bytes.',
            isUnsetByZero: true,
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
          {
            name: 'id',
            description: 'The id of the resource: "bot_" and 27 letters and digits.',
            refersTo: ['bot_user'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a bot user',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "bot_" and 27 letters and digits.',
            refersTo: ['bot_user'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'serviceUsers',
    summary: 'Service users',
    kind: {
      name: 'service_user',
      one: 'a service user',
      prefix: 'service',
      namedBy: ['name'],
      aliasOf: 'bot_user',
    },
    verbs: [
      {
        name: 'list',
        summary: 'List service users',
        parameters: [],
        fields: null,
        list: { key: 'service_users', isPaged: true, isSelected: true },
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
            description: 'Its purpose. Unique in the account. At most 255 bytes.',
            isUnsetByZero: true,
          },
          {
            name: 'active',
            type: 'boolean',
            required: false,
            description: 'false stops its API keys and credentials at once. Default: true.',
            default: true,
          },
        ],
        list: null,
      },
      {
        name: 'get',
        summary: 'Get a service user',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "service_" and 27 letters and digits.',
            refersTo: ['service_user'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Update a service user',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "service_" and 27 letters and digits.',
            refersTo: ['service_user'],
          },
        ],
        fields: [
          {
            name: 'name',
            type: 'string',
            required: false,
            description: 'Its purpose. Unique in the account. At most 255 bytes.',
            isUnsetByZero: true,
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
          {
            name: 'id',
            description: 'The id of the resource: "service_" and 27 letters and digits.',
            refersTo: ['service_user'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'usedBy',
        summary: 'List what refers to a service user',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "service_" and 27 letters and digits.',
            refersTo: ['service_user'],
          },
        ],
        fields: null,
        list: { key: 'used_by', isPaged: true },
      },
    ],
  },
  {
    name: 'tunnels',
    summary: 'Tunnels that are online',
    kind: { name: 'tunnel', one: 'a tunnel that is online', prefix: 'tn', namedBy: ['public_url', 'labels'] },
    verbs: [
      {
        name: 'list',
        summary: 'List tunnels that are online',
        parameters: [],
        fields: null,
        list: { key: 'tunnels', isPaged: true, isSelected: true },
      },
      {
        name: 'get',
        summary: 'Get a tunnel that is online',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "tn_" and 27 letters and digits.',
            refersTo: ['tunnel'],
          },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'tunnelSessions',
    summary: 'Sessions of agents that are connected',
    kind: { name: 'tunnel_session', one: 'a session of an agent', prefix: 'ts', namedBy: [] },
    verbs: [
      {
        name: 'list',
        summary: 'List sessions of agents that are connected',
        parameters: [],
        fields: null,
        list: { key: 'tunnel_sessions', isPaged: true, isSelected: true },
      },
      {
        name: 'get',
        summary: 'Get a session of an agent',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ts_" and 27 letters and digits.',
            refersTo: ['tunnel_session'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'restart',
        summary: 'Have the agent start anew: it comes back with a new session and the same tunnels',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ts_" and 27 letters and digits.',
            refersTo: ['tunnel_session'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'stop',
        summary: 'Have the agent end',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ts_" and 27 letters and digits.',
            refersTo: ['tunnel_session'],
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'update',
        summary: 'Have the agent update itself to the newest version of its major one, and start anew',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ts_" and 27 letters and digits.',
            refersTo: ['tunnel_session'],
          },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'endpoints',
    summary: 'Endpoints that are active',
    kind: {
      name: 'endpoint',
      one: 'an endpoint that is active',
      prefix: 'ep',
      namedBy: ['name', 'public_url', 'description'],
    },
    verbs: [
      {
        name: 'list',
        summary: 'List endpoints that are active',
        parameters: [],
        fields: null,
        list: { key: 'endpoints', isPaged: true, isSelected: true },
      },
      {
        name: 'get',
        summary: 'Get an endpoint that is active',
        parameters: [
          {
            name: 'id',
            description: 'The id of the resource: "ep_" and 27 letters and digits.',
            refersTo: ['endpoint'],
          },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'me',
    summary: 'Own access',
    kind: null,
    verbs: [{ name: 'get', summary: 'Get the caller', parameters: [], fields: null, list: null }],
  },
  {
    name: 'overview',
    summary: 'Overview',
    kind: null,
    verbs: [
      {
        name: 'get',
        summary: 'Get warnings, counts and figures of the account',
        parameters: [],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'status',
    summary: 'Status',
    kind: null,
    verbs: [
      {
        name: 'get',
        summary: 'Get the state of the service and all warnings of the account',
        parameters: [],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'names',
    summary: 'Names',
    kind: null,
    verbs: [
      {
        name: 'list',
        summary: 'List names and addresses',
        parameters: [],
        query: [
          {
            name: 'after',
            type: 'string',
            required: false,
            description: 'Only names after this one, in the order of the list.',
          },
          { name: 'name', type: 'string', required: false, description: 'Only this name or address.' },
          {
            name: 'filter',
            type: 'string',
            required: false,
            description: 'Selects names, such as `served_by = agent and state = served`.',
          },
          {
            name: 'q',
            type: 'string',
            required: false,
            description: 'Only names with this text in one of their fields.',
          },
        ],
        fields: null,
        list: { key: 'names', isPaged: true },
      },
    ],
  },
  {
    name: 'changes',
    summary: 'Changes',
    kind: null,
    verbs: [
      {
        name: 'list',
        summary: 'List changes, newest first',
        parameters: [],
        query: [
          {
            name: 'kind',
            type: 'string',
            required: false,
            description: 'Only of this kind, such as "reserved_domain".',
          },
          { name: 'resource_id', type: 'string', required: false, description: 'Only of this resource.' },
          {
            name: 'actor_id',
            type: 'string',
            required: false,
            description: 'Only by this user, bot user or API key.',
          },
          {
            name: 'actor_type',
            type: 'string',
            required: false,
            description: 'Only by actors of this type.',
            values: ['user', 'bot_user', 'operator', 'daemon'],
            isUnsetByZero: true,
          },
          {
            name: 'action',
            type: 'string',
            required: false,
            description: 'Only with this action, such as "deleted".',
          },
          {
            name: 'since',
            type: 'string',
            required: false,
            description: 'Only at this time or later. RFC 3339.',
            isUnsetByZero: true,
          },
          {
            name: 'until',
            type: 'string',
            required: false,
            description: 'Only before this time. RFC 3339.',
            isUnsetByZero: true,
          },
        ],
        fields: null,
        list: { key: 'changes', isPaged: true },
      },
    ],
  },
  {
    name: 'explain',
    summary: 'Explain',
    kind: null,
    verbs: [
      {
        name: 'request',
        summary: 'Explain the decision about a request',
        parameters: [],
        fields: [
          {
            name: 'url',
            type: 'string',
            required: true,
            description:
              'The URL: `https://`, `http://`, `tls://`, `tcp://`, or `host:port`. At most 8192 bytes.',
            isUnsetByZero: true,
          },
          {
            name: 'method',
            type: 'string',
            required: false,
            description: 'The method of the request. At most 32 bytes. Default: "GET".',
            default: 'GET',
            isUnsetByZero: true,
          },
          {
            name: 'headers',
            type: 'map',
            required: false,
            description:
              'Header fields of the request. Others are not sent, except Host, which comes from the URL.',
          },
          {
            name: 'without',
            type: 'strings',
            required: false,
            description: 'Modules that count as passed, to see the decision with them turned off.',
            default: [],
          },
          {
            name: 'client_ip',
            type: 'string',
            required: true,
            description: 'The IP address of the visitor. At most 64 bytes.',
            isUnsetByZero: true,
          },
          {
            name: 'client_certificate',
            type: 'string',
            required: false,
            description:
              'The certificate of the visitor in PEM, followed by those between it and an authority. At most 65536 bytes.',
          },
        ],
        list: null,
      },
    ],
  },
  {
    name: 'trafficRequests',
    summary: 'Requests',
    kind: null,
    verbs: [
      {
        name: 'list',
        summary: 'List requests',
        parameters: [],
        query: [
          {
            name: 'filter',
            type: 'string',
            required: false,
            description:
              'Selects entries, such as `status_code >= 500 and decisions.module = ip_restriction`.',
          },
          {
            name: 'watch_seconds',
            type: 'integer',
            required: false,
            description:
              'Seconds for which successful requests are recorded, too. Failures are always recorded, at least the last 1,000 of an account if memory allows. Default: 60.',
            default: 60,
          },
        ],
        fields: null,
        list: { key: 'requests', isPaged: true },
      },
      {
        name: 'get',
        summary: 'Get a request',
        parameters: [{ name: 'id', description: 'The id of the entry.' }],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'trafficRecordings',
    summary: 'Recordings of bodies',
    kind: null,
    verbs: [
      {
        name: 'list',
        summary: 'List recordings of bodies',
        parameters: [],
        fields: null,
        list: { key: 'recordings', isPaged: true },
      },
      {
        name: 'create',
        summary: 'Begin a recording of bodies',
        parameters: [],
        fields: [
          {
            name: 'site_id',
            type: 'string',
            required: true,
            description:
              'The HTTPS edge, or the HTTP endpoint of an agent that is online: `site` of an entry in `GET /traffic/requests`. The first 64 KiB of each body of requests that its modules admit are kept in memory, for an hour at most.',
            refersTo: ['https_edge', 'endpoint'],
            isUnsetByZero: true,
          },
          {
            name: 'minutes',
            type: 'integer',
            required: false,
            description: 'Minutes until it ends by itself. Default: 15.',
            default: 15,
            isUnsetByZero: true,
          },
        ],
        list: null,
      },
      {
        name: 'delete',
        summary: 'End a recording of bodies',
        parameters: [{ name: 'id', description: 'The id of the recording.' }],
        query: [
          {
            name: 'discard',
            type: 'boolean',
            required: false,
            description:
              'True removes the recorded bodies at once. Else they stay for an hour at most. Default: false.',
            default: false,
          },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'traffic',
    summary: 'Traffic',
    kind: null,
    verbs: [
      {
        name: 'getSeries',
        summary: 'Get traffic over time',
        parameters: [],
        query: [
          {
            name: 'by',
            type: 'string',
            required: false,
            description: 'The kind of the key. Without it the response is about the whole account.',
            values: ['edge', 'route', 'endpoint', 'backend', 'credential'],
            isUnsetByZero: true,
          },
          {
            name: 'id',
            type: 'string',
            required: false,
            description:
              'The key: an id, or for an endpoint the name that its agent has bound, such as "app.example.com" or "1.tcp.example.com:20000". A deleted resource has its series until they are too old.',
          },
          {
            name: 'resolution',
            type: 'string',
            required: false,
            description:
              'Length of a step. Seconds are kept for 10 minutes, minutes for 24 hours, and hours for 90 days. Default: "1m".',
            values: ['1s', '1m', '1h'],
            default: '1m',
            isUnsetByZero: true,
          },
          {
            name: 'since',
            type: 'string',
            required: false,
            description:
              'Start of the first step: a time of RFC 3339, or a number of seconds before now. Default: 600 steps of 1 s, 1,440 of 1 min, or 720 of 1 h before the end.',
          },
          {
            name: 'until',
            type: 'string',
            required: false,
            description:
              'End of the last step, like `since`. Default: the last step that has passed. A later time includes the running step.',
          },
        ],
        fields: null,
        list: null,
      },
      {
        name: 'getRecent',
        summary: 'Get the last hour of many keys',
        parameters: [],
        query: [
          {
            name: 'by',
            type: 'string',
            required: true,
            description: 'The kind of the keys, as in `GET /traffic/series`.',
            values: ['edge', 'route', 'endpoint', 'backend', 'credential'],
            isUnsetByZero: true,
          },
          {
            name: 'ids',
            type: 'string',
            required: true,
            description: 'The keys, at most 100, with commas between them.',
          },
        ],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'console',
    summary: 'Console',
    kind: null,
    verbs: [
      {
        name: 'createLink',
        summary: 'Create a link that signs in to the console',
        parameters: [],
        fields: [],
        list: null,
      },
    ],
  },
  {
    name: 'consoleSessions',
    summary: 'The sessions of the console',
    kind: null,
    verbs: [
      {
        name: 'list',
        summary: 'List the sessions of the console',
        parameters: [],
        fields: null,
        list: { key: 'console_sessions', isPaged: true },
      },
      {
        name: 'delete',
        summary: 'End a session of the console',
        parameters: [{ name: 'id', description: 'The id of the session.' }],
        fields: null,
        list: null,
      },
    ],
  },
  {
    name: 'bindRules',
    summary: 'Tests of bind rules',
    kind: null,
    verbs: [
      {
        name: 'test',
        summary: 'Test bind rules',
        parameters: [],
        fields: [
          {
            name: 'credential_id',
            type: 'string',
            required: false,
            description: 'The credential or SSH credential with the rules.',
            refersTo: ['credential', 'ssh_credential'],
            isUnsetByZero: true,
          },
          {
            name: 'acl',
            type: 'strings',
            required: false,
            description: 'Bind rules: what may be bound. An empty list permits everything.',
            default: [],
          },
          {
            name: 'bind',
            type: 'string',
            required: true,
            description:
              'The bind: a host name or a URL such as "https://shop.example.com", "tcp://" with or without an address, or labels "key=value,key=value". "https://" is a random name.',
          },
        ],
        list: null,
      },
    ],
  },
  {
    name: 'ipRules',
    summary: 'Tests of IP rules',
    kind: null,
    verbs: [
      {
        name: 'test',
        summary: 'Test IP rules',
        parameters: [],
        fields: [
          { name: 'ip', type: 'string', required: true, description: 'The address, without a port.' },
          {
            name: 'ip_policy_ids',
            type: 'strings',
            required: false,
            description:
              'Policies that are tested together. With no policies and no rules, all of the account.',
            refersTo: ['ip_policy'],
            default: [],
          },
          {
            name: 'rules',
            type: 'list',
            required: false,
            description: 'Rules that are tested together with the policies.',
            object: 'IPRulesTestRules',
            default: [],
          },
        ],
        list: null,
      },
    ],
  },
  {
    name: 'visitorLogins',
    summary: "Visitors' logins",
    kind: null,
    verbs: [
      {
        name: 'list',
        summary: "List visitors' logins, newest first",
        parameters: [],
        query: [
          {
            name: 'user',
            type: 'string',
            required: false,
            description: 'Only of the user with this id or e-mail address.',
          },
          { name: 'hostname', type: 'string', required: false, description: 'Only at this name.' },
          { name: 'resource_id', type: 'string', required: false, description: 'Only of this resource.' },
        ],
        fields: null,
        list: { key: 'visitor_logins', isPaged: true },
      },
      {
        name: 'delete',
        summary: "End a visitor's login",
        parameters: [{ name: 'id', description: 'The id of the login.' }],
        fields: null,
        list: null,
      },
    ],
  },
];

/** The fields of objects inside of bodies, by the name that `FieldTable.object` has. */
export const objectTables: Readonly<Record<string, readonly FieldTable[]>> = {
  StaticBackendTlsMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'True if the service connects to it with TLS. Default: false.',
      default: false,
    },
  ],
  EndpointBackendMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'backend_id',
      type: 'string',
      required: true,
      description: 'The backend.',
      refersTo: [
        'http_response_backend',
        'tunnel_group_backend',
        'static_backend',
        'failover_backend',
        'weighted_backend',
      ],
      isUnsetByZero: true,
    },
  ],
  EndpointIPPolicyMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'ip_policy_ids',
      type: 'strings',
      required: true,
      description: 'The IP policies, at least one. All of their rules count together.',
      refersTo: ['ip_policy'],
      isUnsetByZero: true,
    },
  ],
  EndpointMutualTLSMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'certificate_authority_ids',
      type: 'strings',
      required: false,
      description: 'The authorities that may have signed them. Without any, none is accepted.',
      refersTo: ['certificate_authority'],
      default: [],
    },
  ],
  EndpointTLSTerminationMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'terminate_at',
      type: 'string',
      required: false,
      description: '"edge": the edge ends TLS. "upstream": it is passed through. Default: "upstream".',
      values: ['edge', 'upstream'],
      default: 'upstream',
      isUnsetByZero: true,
    },
    {
      name: 'min_version',
      type: 'string',
      required: false,
      description:
        'The oldest version of TLS that is accepted; empty for a safe default. Only with terminate_at "edge".',
      values: ['', '1.0', '1.1', '1.2', '1.3'],
      default: '',
    },
  ],
  EndpointTLSTerminationAtEdgeMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
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
      default: '',
    },
  ],
  EndpointCircuitBreakerMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'tripped_duration',
      type: 'integer',
      required: false,
      description: 'Seconds until an open circuit is tried again; 0 for 10. Default: 0.',
      default: 0,
    },
    {
      name: 'rolling_window',
      type: 'integer',
      required: false,
      description: 'Seconds over which answers are counted; 0 for 10. Default: 0.',
      default: 0,
    },
    {
      name: 'num_buckets',
      type: 'integer',
      required: false,
      description: 'Parts of the window; 0 for 10. Default: 0.',
      default: 0,
    },
    {
      name: 'volume_threshold',
      type: 'integer',
      required: false,
      description: 'Requests in the window below which the circuit stays closed; 0 for 20. Default: 0.',
      default: 0,
    },
    {
      name: 'error_threshold_percentage',
      type: 'number',
      required: false,
      description:
        'Share of answers with a status of 500 or above from which on the circuit opens; 0: it never does. Default: 0.',
      default: 0,
    },
  ],
  EndpointCompressionMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
  ],
  EndpointRequestHeadersMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'add',
      type: 'map',
      required: false,
      description: 'Headers to add, at most 5; one that is also removed is replaced.',
    },
    {
      name: 'remove',
      type: 'strings',
      required: false,
      description: 'Names of headers to remove, in any case.',
      default: [],
    },
  ],
  EndpointResponseHeadersMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'add',
      type: 'map',
      required: false,
      description: 'Headers to add, at most 5; one that is also removed is replaced.',
    },
    {
      name: 'remove',
      type: 'strings',
      required: false,
      description: 'Names of headers to remove, in any case.',
      default: [],
    },
  ],
  EndpointWebhookValidationMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'provider',
      type: 'string',
      required: true,
      description: 'The sender of the requests.',
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
      isUnsetByZero: true,
    },
    {
      name: 'secret',
      type: 'string',
      required: false,
      description:
        'Needed: what the sender signs with; of brex, clerk, microsoft_teams and svix base64. Shown as "". A change that leaves it out keeps it, as long as the provider stays. At most 512 bytes.',
      isSecret: true,
    },
  ],
  EndpointSAMLMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'options_passthrough',
      type: 'boolean',
      required: false,
      description: 'True if OPTIONS requests are served without a login, as CORS needs it. Default: false.',
      default: false,
    },
    {
      name: 'cookie_prefix',
      type: 'string',
      required: false,
      description:
        "Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes.",
      default: '',
    },
    {
      name: 'inactivity_timeout',
      type: 'integer',
      required: false,
      description: 'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
      default: 0,
    },
    {
      name: 'maximum_duration',
      type: 'integer',
      required: false,
      description: 'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
      default: 0,
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
        'The https URL of that document. It is fetched now and about once an hour; the last valid document stays until there is a newer one. At most 2048 bytes.',
    },
    {
      name: 'force_authn',
      type: 'boolean',
      required: false,
      description: 'True if users must log in again even if the provider knows them. Default: false.',
      default: false,
    },
    {
      name: 'allow_idp_initiated',
      type: 'boolean',
      required: false,
      description: 'True if a login may begin at the identity provider. Default: true.',
      default: true,
    },
    {
      name: 'authorized_groups',
      type: 'strings',
      required: false,
      description:
        'Groups whose members are served, by the attributes of group_attributes. Empty for every user who can log in.',
      default: [],
    },
    {
      name: 'group_attributes',
      type: 'strings',
      required: false,
      description:
        'The attributes of the assertion that name the groups of a user. Empty for the usual ones. These are groups, memberOf, member, role, roles and group in any case, the group and role claims of Microsoft and ADFS, and the object identifiers of isMemberOf and eduPersonEntitlement.',
      default: [],
    },
    {
      name: 'nameid_format',
      type: 'string',
      required: false,
      description:
        'Format of the users\' names, "unspecified" for any; empty for the default. Default: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent".',
      values: [
        '',
        'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
        'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
        'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      ],
      default: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    },
  ],
  EndpointOIDCMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'options_passthrough',
      type: 'boolean',
      required: false,
      description: 'True if OPTIONS requests are served without a login, as CORS needs it. Default: false.',
      default: false,
    },
    {
      name: 'cookie_prefix',
      type: 'string',
      required: false,
      description:
        "Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes.",
      default: '',
    },
    {
      name: 'inactivity_timeout',
      type: 'integer',
      required: false,
      description: 'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
      default: 0,
    },
    {
      name: 'maximum_duration',
      type: 'integer',
      required: false,
      description: 'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
      default: 0,
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
      isSecret: true,
    },
    {
      name: 'scopes',
      type: 'strings',
      required: false,
      description: 'Scopes that the service requests beside "openid"; empty for "profile" and "email".',
      default: [],
    },
  ],
  EndpointOAuthMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'options_passthrough',
      type: 'boolean',
      required: false,
      description: 'True if OPTIONS requests are served without a login, as CORS needs it. Default: false.',
      default: false,
    },
    {
      name: 'cookie_prefix',
      type: 'string',
      required: false,
      description:
        "Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes.",
      default: '',
    },
    {
      name: 'inactivity_timeout',
      type: 'integer',
      required: false,
      description: 'Seconds without a request after which a user must log in again; 0 for never. Default: 0.',
      default: 0,
    },
    {
      name: 'maximum_duration',
      type: 'integer',
      required: false,
      description: 'Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0.',
      default: 0,
    },
    {
      name: 'provider',
      type: 'object',
      required: false,
      description: 'Needed. Exactly one of these.',
      object: 'EndpointOAuthProviderMutate',
      isUnsetByZero: true,
    },
    {
      name: 'auth_check_interval',
      type: 'integer',
      required: false,
      description:
        'Seconds until the provider is queried again about a logged-in user; 0 for never. Default: 0.',
      default: 0,
    },
  ],
  EndpointOAuthProviderMutate: [
    {
      name: 'github',
      type: 'object',
      required: false,
      description: 'All users of GitHub if every list is empty.',
      object: 'EndpointOAuthGitHubClientMutate',
    },
    {
      name: 'facebook',
      type: 'object',
      required: false,
      description: 'All users of the provider if every list is empty.',
      object: 'EndpointOAuthClientMutate',
    },
    {
      name: 'microsoft',
      type: 'object',
      required: false,
      description: 'All users of the provider if every list is empty.',
      object: 'EndpointOAuthClientMutate',
    },
    {
      name: 'google',
      type: 'object',
      required: false,
      description: 'All users of the provider if every list is empty.',
      object: 'EndpointOAuthClientMutate',
    },
    {
      name: 'linkedin',
      type: 'object',
      required: false,
      description: 'All users of the provider if every list is empty.',
      object: 'EndpointOAuthClientMutate',
    },
    {
      name: 'gitlab',
      type: 'object',
      required: false,
      description: 'All users of the provider if every list is empty.',
      object: 'EndpointOAuthClientMutate',
    },
    {
      name: 'twitch',
      type: 'object',
      required: false,
      description: 'All users of the provider if every list is empty.',
      object: 'EndpointOAuthClientMutate',
    },
    {
      name: 'amazon',
      type: 'object',
      required: false,
      description: 'All users of the provider if every list is empty.',
      object: 'EndpointOAuthClientMutate',
    },
  ],
  EndpointOAuthGitHubClientMutate: [
    {
      name: 'client_id',
      type: 'string',
      required: false,
      description:
        'The client id of this service at the provider. Needed if the operator has no application there. Its redirect URI is "https://<name>/underpass/callback". At most 255 bytes.',
    },
    {
      name: 'client_secret',
      type: 'string',
      required: false,
      description:
        'Needed with client_id. Shown as "". A change that leaves it out keeps it, as long as provider and client_id stay. At most 512 bytes.',
      isSecret: true,
    },
    {
      name: 'scopes',
      type: 'strings',
      required: false,
      description:
        'Scopes that the service requests from the provider; empty for those that identify the user.',
      default: [],
    },
    {
      name: 'email_addresses',
      type: 'strings',
      required: false,
      description:
        'Users with these addresses are served, in lower case. The provider must have verified the address; amazon states nothing about that.',
      default: [],
    },
    {
      name: 'email_domains',
      type: 'strings',
      required: false,
      description:
        'Users with verified addresses in these domains are served, in lower case; the whole domain counts.',
      default: [],
    },
    {
      name: 'teams',
      type: 'strings',
      required: false,
      description: 'Members of these teams are served: "org/team", or the number of a team.',
      default: [],
    },
    {
      name: 'organizations',
      type: 'strings',
      required: false,
      description: 'Members of these organizations are served.',
      default: [],
    },
  ],
  EndpointOAuthClientMutate: [
    {
      name: 'client_id',
      type: 'string',
      required: false,
      description:
        'The client id of this service at the provider. Needed if the operator has no application there. Its redirect URI is "https://<name>/underpass/callback". At most 255 bytes.',
    },
    {
      name: 'client_secret',
      type: 'string',
      required: false,
      description:
        'Needed with client_id. Shown as "". A change that leaves it out keeps it, as long as provider and client_id stay. At most 512 bytes.',
      isSecret: true,
    },
    {
      name: 'scopes',
      type: 'strings',
      required: false,
      description:
        'Scopes that the service requests from the provider; empty for those that identify the user.',
      default: [],
    },
    {
      name: 'email_addresses',
      type: 'strings',
      required: false,
      description:
        'Users with these addresses are served, in lower case. The provider must have verified the address; amazon states nothing about that.',
      default: [],
    },
    {
      name: 'email_domains',
      type: 'strings',
      required: false,
      description:
        'Users with verified addresses in these domains are served, in lower case; the whole domain counts.',
      default: [],
    },
  ],
  EndpointWebsocketTCPConverterMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
  ],
  EndpointUserAgentFilterMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'allow',
      type: 'strings',
      required: false,
      description: 'Served even when a pattern of "deny" is found too.',
      default: [],
    },
    { name: 'deny', type: 'strings', required: false, description: 'Not served.', default: [] },
  ],
  ReservedDomainResolvesTo: [
    {
      name: 'value',
      type: 'string',
      required: true,
      description: 'A region, or "global".',
      values: ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa', 'global'],
      isUnsetByZero: true,
    },
  ],
  ReservedDomainCertificateManagementPolicyMutate: [
    {
      name: 'authority',
      type: 'string',
      required: false,
      description: 'Issuer of the certificate.',
      values: ['public_ca'],
      isUnsetByZero: true,
    },
    {
      name: 'private_key_type',
      type: 'string',
      required: false,
      description: 'The type of its key; rsa unless another is given.',
      values: ['rsa', 'ecdsa'],
      isUnsetByZero: true,
    },
  ],
  EndpointBasicAuthMutate: [
    {
      name: 'enabled',
      type: 'boolean',
      required: false,
      description: 'false turns the module off. Default: true.',
      default: true,
    },
    {
      name: 'auth_provider_id',
      type: 'string',
      required: false,
      description: 'The party that knows the names and passwords: the agent. Default: "agent".',
      values: ['', 'agent'],
      default: 'agent',
    },
    {
      name: 'realm',
      type: 'string',
      required: false,
      description: 'The realm of the login, as browsers show it. Empty for the default. At most 128 bytes.',
      default: '',
    },
    {
      name: 'allow_options',
      type: 'boolean',
      required: false,
      description: 'True if OPTIONS requests are served without a login, as CORS needs it. Default: false.',
      default: false,
    },
  ],
  EventTargetMutate: [
    {
      name: 'delivery_stream',
      type: 'object',
      required: false,
      description: 'A delivery stream in the cloud.',
      object: 'EventTargetDeliveryStreamMutate',
    },
    {
      name: 'stream',
      type: 'object',
      required: false,
      description: 'A data stream in the cloud.',
      object: 'EventTargetStreamMutate',
    },
    {
      name: 'log_group',
      type: 'object',
      required: false,
      description: 'A log group in the cloud.',
      object: 'EventTargetLogGroupMutate',
    },
    {
      name: 's3',
      type: 'object',
      required: false,
      description: 'A bucket in the cloud, in which events are stored as objects with a line for each.',
      object: 'EventTargetS3Mutate',
    },
    {
      name: 'monitoring',
      type: 'object',
      required: false,
      description: 'The monitoring service.',
      object: 'EventTargetMonitoringMutate',
      isUnsetByZero: true,
    },
    {
      name: 'azure_logs_ingestion',
      type: 'object',
      required: false,
      description: 'Logs ingestion of Azure.',
      object: 'EventTargetAzureLogsIngestionMutate',
    },
  ],
  EventTargetDeliveryStreamMutate: [
    {
      name: 'auth',
      type: 'object',
      required: true,
      description: 'The credentials: exactly one of these.',
      object: 'CloudAuthMutate',
      isUnsetByZero: true,
    },
    {
      name: 'delivery_stream_identifier',
      type: 'string',
      required: true,
      description:
        'Written as "arn:<partition>:firehose:<region>:<account>:deliverystream/<name>". At most 2048 bytes.',
      isUnsetByZero: true,
    },
  ],
  CloudAuthMutate: [
    {
      name: 'role',
      type: 'object',
      required: false,
      description: 'A role that is assumed.',
      object: 'CloudRoleMutate',
    },
    {
      name: 'creds',
      type: 'object',
      required: false,
      description: 'An access key.',
      object: 'CloudCredentialsMutate',
    },
  ],
  CloudRoleMutate: [
    {
      name: 'role_identifier',
      type: 'string',
      required: true,
      description:
        'The role that the service assumes: "arn:<partition>:iam::<account>:role/<name>". At most 2048 bytes.',
      isUnsetByZero: true,
    },
  ],
  CloudCredentialsMutate: [
    {
      name: 'cloud_access_key_id',
      type: 'string',
      required: true,
      description:
        'Names the key: a lasting one of a user ("AKIA…"). A temporary one ("ASIA…") is refused. At most 128 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'cloud_secret_access_key',
      type: 'string',
      required: false,
      description:
        'The key. Shown as "". An update that leaves it out keeps it, as long as cloud_access_key_id stays. At most 1024 bytes.',
      isSecret: true,
    },
  ],
  EventTargetStreamMutate: [
    {
      name: 'auth',
      type: 'object',
      required: true,
      description: 'The credentials: exactly one of these.',
      object: 'CloudAuthMutate',
      isUnsetByZero: true,
    },
    {
      name: 'stream_identifier',
      type: 'string',
      required: true,
      description:
        'Written as "arn:<partition>:kinesis:<region>:<account>:stream/<name>". At most 2048 bytes.',
      isUnsetByZero: true,
    },
  ],
  EventTargetLogGroupMutate: [
    {
      name: 'auth',
      type: 'object',
      required: true,
      description: 'The credentials: exactly one of these.',
      object: 'CloudAuthMutate',
      isUnsetByZero: true,
    },
    {
      name: 'log_group_identifier',
      type: 'string',
      required: true,
      description:
        'Written as "arn:<partition>:logs:<region>:<account>:log-group:<name>". At most 2048 bytes.',
      isUnsetByZero: true,
    },
  ],
  EventTargetS3Mutate: [
    {
      name: 'auth',
      type: 'object',
      required: true,
      description: 'The credentials: exactly one of these.',
      object: 'CloudAuthMutate',
      isUnsetByZero: true,
    },
    {
      name: 'bucket_identifier',
      type: 'string',
      required: true,
      description: 'Written as "arn:<partition>:s3:::<name>". At most 2048 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'object_prefix',
      type: 'string',
      required: false,
      description:
        'Prefix of the names of objects. The hour of the first event, the ids of the first and the last one, and that of the destination follow. At most 512 bytes.',
      default: '',
    },
    {
      name: 'compression',
      type: 'boolean',
      required: false,
      description: 'True if objects are compressed with gzip. Default: false.',
      default: false,
    },
    {
      name: 'max_file_size',
      type: 'integer',
      required: false,
      description:
        'Bytes of an object, before it is compressed, that are not exceeded, unless by a single event; 0 for the default, 5 MiB. An object has at most 10,000 events; where an account has more than two destinations with buckets, 25,000 divided by their number. Default: 0.',
      default: 0,
    },
    {
      name: 'max_file_age',
      type: 'integer',
      required: false,
      description:
        'Seconds that an event waits for others, to be stored in one object; 0 for the default, 300. Default: 0.',
      default: 0,
    },
  ],
  EventTargetMonitoringMutate: [
    {
      name: 'api_key',
      type: 'string',
      required: false,
      description:
        'The key of the monitoring service. Shown as "". An update that leaves it out keeps it, as long as site stays. At most 1024 bytes.',
      isSecret: true,
    },
    {
      name: 'tags',
      type: 'string',
      required: false,
      description: 'Tags that are sent with each event. At most 4096 bytes.',
      default: '',
    },
    {
      name: 'service',
      type: 'string',
      required: false,
      description: 'The name of a service that is sent with each event. At most 255 bytes.',
      default: '',
    },
    {
      name: 'site',
      type: 'string',
      required: false,
      description:
        'The site that events are sent to: us1, us3, us5, eu1, ap1, or its host name; empty for the default. At most 255 bytes.',
      default: '',
    },
  ],
  EventTargetAzureLogsIngestionMutate: [
    {
      name: 'tenant_id',
      type: 'string',
      required: true,
      description: 'The directory that the application is registered in. At most 255 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'client_id',
      type: 'string',
      required: true,
      description: 'The application that events are sent as. At most 255 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'client_secret',
      type: 'string',
      required: false,
      description:
        'The secret of the application. Shown as "". An update that leaves it out keeps it, as long as tenant_id, client_id and logs_ingestion_uri stay. At most 1024 bytes.',
      isSecret: true,
    },
    {
      name: 'logs_ingestion_uri',
      type: 'string',
      required: true,
      description: 'The endpoint of the data collection, with https. At most 2048 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'data_collection_rule_id',
      type: 'string',
      required: true,
      description: 'The immutable id of the rule. At most 255 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'data_collection_stream_name',
      type: 'string',
      required: true,
      description: 'The stream of the rule. At most 255 bytes.',
      isUnsetByZero: true,
    },
  ],
  EventTargetUpdate: [
    {
      name: 'delivery_stream',
      type: 'object',
      required: false,
      description: 'A delivery stream in the cloud.',
      object: 'EventTargetDeliveryStreamUpdate',
    },
    {
      name: 'stream',
      type: 'object',
      required: false,
      description: 'A data stream in the cloud.',
      object: 'EventTargetStreamUpdate',
    },
    {
      name: 'log_group',
      type: 'object',
      required: false,
      description: 'A log group in the cloud.',
      object: 'EventTargetLogGroupUpdate',
    },
    {
      name: 's3',
      type: 'object',
      required: false,
      description: 'A bucket in the cloud, in which events are stored as objects with a line for each.',
      object: 'EventTargetS3Update',
    },
    {
      name: 'monitoring',
      type: 'object',
      required: false,
      description: 'The monitoring service.',
      object: 'EventTargetMonitoringUpdate',
      isUnsetByZero: true,
    },
    {
      name: 'azure_logs_ingestion',
      type: 'object',
      required: false,
      description: 'Logs ingestion of Azure.',
      object: 'EventTargetAzureLogsIngestionUpdate',
    },
  ],
  EventTargetDeliveryStreamUpdate: [
    {
      name: 'auth',
      type: 'object',
      required: true,
      description: 'The credentials: exactly one of these.',
      object: 'CloudAuthUpdate',
      isUnsetByZero: true,
    },
    {
      name: 'delivery_stream_identifier',
      type: 'string',
      required: true,
      description:
        'Written as "arn:<partition>:firehose:<region>:<account>:deliverystream/<name>". At most 2048 bytes.',
      isUnsetByZero: true,
    },
  ],
  CloudAuthUpdate: [
    {
      name: 'role',
      type: 'object',
      required: false,
      description: 'A role that is assumed.',
      object: 'CloudRoleMutate',
    },
    {
      name: 'creds',
      type: 'object',
      required: false,
      description: 'An access key.',
      object: 'CloudCredentialsUpdate',
    },
  ],
  CloudCredentialsUpdate: [
    {
      name: 'cloud_access_key_id',
      type: 'string',
      required: true,
      description:
        'Names the key: a lasting one of a user ("AKIA…"). A temporary one ("ASIA…") is refused. At most 128 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'cloud_secret_access_key',
      type: 'string',
      required: false,
      description:
        'The key. Shown as "". An update that leaves it out keeps it, as long as cloud_access_key_id stays. At most 1024 bytes.',
      isSecret: true,
    },
  ],
  EventTargetStreamUpdate: [
    {
      name: 'auth',
      type: 'object',
      required: true,
      description: 'The credentials: exactly one of these.',
      object: 'CloudAuthUpdate',
      isUnsetByZero: true,
    },
    {
      name: 'stream_identifier',
      type: 'string',
      required: true,
      description:
        'Written as "arn:<partition>:kinesis:<region>:<account>:stream/<name>". At most 2048 bytes.',
      isUnsetByZero: true,
    },
  ],
  EventTargetLogGroupUpdate: [
    {
      name: 'auth',
      type: 'object',
      required: true,
      description: 'The credentials: exactly one of these.',
      object: 'CloudAuthUpdate',
      isUnsetByZero: true,
    },
    {
      name: 'log_group_identifier',
      type: 'string',
      required: true,
      description:
        'Written as "arn:<partition>:logs:<region>:<account>:log-group:<name>". At most 2048 bytes.',
      isUnsetByZero: true,
    },
  ],
  EventTargetS3Update: [
    {
      name: 'auth',
      type: 'object',
      required: true,
      description: 'The credentials: exactly one of these.',
      object: 'CloudAuthUpdate',
      isUnsetByZero: true,
    },
    {
      name: 'bucket_identifier',
      type: 'string',
      required: true,
      description: 'Written as "arn:<partition>:s3:::<name>". At most 2048 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'object_prefix',
      type: 'string',
      required: false,
      description:
        'Prefix of the names of objects. The hour of the first event, the ids of the first and the last one, and that of the destination follow. At most 512 bytes.',
      default: '',
    },
    {
      name: 'compression',
      type: 'boolean',
      required: false,
      description: 'True if objects are compressed with gzip. Default: false.',
      default: false,
    },
    {
      name: 'max_file_size',
      type: 'integer',
      required: false,
      description:
        'Bytes of an object, before it is compressed, that are not exceeded, unless by a single event; 0 for the default, 5 MiB. An object has at most 10,000 events; where an account has more than two destinations with buckets, 25,000 divided by their number. Default: 0.',
      default: 0,
    },
    {
      name: 'max_file_age',
      type: 'integer',
      required: false,
      description:
        'Seconds that an event waits for others, to be stored in one object; 0 for the default, 300. Default: 0.',
      default: 0,
    },
  ],
  EventTargetMonitoringUpdate: [
    {
      name: 'api_key',
      type: 'string',
      required: false,
      description:
        'The key of the monitoring service. Shown as "". An update that leaves it out keeps it, as long as site stays. At most 1024 bytes.',
      isSecret: true,
    },
    {
      name: 'tags',
      type: 'string',
      required: false,
      description: 'Tags that are sent with each event. At most 4096 bytes.',
      default: '',
    },
    {
      name: 'service',
      type: 'string',
      required: false,
      description: 'The name of a service that is sent with each event. At most 255 bytes.',
      default: '',
    },
    {
      name: 'site',
      type: 'string',
      required: false,
      description:
        'The site that events are sent to: us1, us3, us5, eu1, ap1, or its host name; empty for the default. At most 255 bytes.',
      default: '',
    },
  ],
  EventTargetAzureLogsIngestionUpdate: [
    {
      name: 'tenant_id',
      type: 'string',
      required: true,
      description: 'The directory that the application is registered in. At most 255 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'client_id',
      type: 'string',
      required: true,
      description: 'The application that events are sent as. At most 255 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'client_secret',
      type: 'string',
      required: false,
      description:
        'The secret of the application. Shown as "". An update that leaves it out keeps it, as long as tenant_id, client_id and logs_ingestion_uri stay. At most 1024 bytes.',
      isSecret: true,
    },
    {
      name: 'logs_ingestion_uri',
      type: 'string',
      required: true,
      description: 'The endpoint of the data collection, with https. At most 2048 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'data_collection_rule_id',
      type: 'string',
      required: true,
      description: 'The immutable id of the rule. At most 255 bytes.',
      isUnsetByZero: true,
    },
    {
      name: 'data_collection_stream_name',
      type: 'string',
      required: true,
      description: 'The stream of the rule. At most 255 bytes.',
      isUnsetByZero: true,
    },
  ],
  EventSourceCreate: [
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
      isUnsetByZero: true,
      isImmutable: true,
    },
  ],
  IPRulesTestRules: [
    {
      name: 'action',
      type: 'string',
      required: true,
      description: 'Action of the rule.',
      values: ['allow', 'deny'],
      isUnsetByZero: true,
    },
    { name: 'cidr', type: 'string', required: true, description: 'Range of the rule.' },
  ],
};
