/** `GET /traffic/requests`: requests and connections of visitors that have ended, of all daemons. */
import { Type } from '../../core/type.ts';
import { idOf, nullable } from '../schema.ts';
import type { StandaloneOperation } from './definition.ts';
import { pageParameters } from './pages.ts';
import { traffic } from './traffic-topic.ts';

export const REQUEST_PREFIX = 'req';

const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ description });

const tls = Type.Object(
  {
    version: text('Such as `TLSv1.3`.'),
    cipher_suite: text('The cipher suite, as OpenSSL names it.'),
    client_certificate_cn: text("Common name of the visitor's verified certificate; empty for none."),
  },
  { description: 'TLS of the connection; null if the edge did not terminate it.' },
);

const decision = Type.Object({
  module: text('The module, such as `ip_restriction`.'),
  decision: text('Its decision, such as `allow` or `block`.'),
});

export const TrafficRequest = Type.Object(
  {
    id: text('Sorts by the time of the end.'),
    uri: text('URL of the entry.'),
    end_ts: Type.String({
      format: 'date-time',
      description: 'Time of the end. RFC 3339, UTC, with milliseconds.',
    }),
    kind: Type.Enum(['http', 'bytes'], {
      type: 'string',
      description: 'A request, or a connection that the edge does not read.',
    }),
    site: text('Id of the edge or endpoint; a reserved domain or a name if nothing was online there.'),
    host: text('The name that the visitor reached; empty for a TCP port.'),
    route: text('Id of the route; empty if none was chosen.'),
    backend: text('Id of the backend; empty without a route.'),
    served_by: text('Id of the tunnel or backend that served it; empty if none did.'),
    node: text('Name of the daemon that the visitor reached; empty if it has none.'),
    method: text('Empty for a connection, and if the request could not be read.'),
    path: text('The path without the query, cut after 512 bytes.'),
    query: text('The query with hidden values, cut after 512 bytes. The operator can show values.'),
    status_code: count('Status of the response; 0 if the visitor got none, and for a connection.'),
    client_ip: text(
      'Network of the visitor, such as `203.0.113.0/24`. The operator can show the whole address.',
    ),
    tls: nullable(tls),
    bytes_in: count('Bytes of the request body, or from the visitor.'),
    bytes_out: count('Bytes of the response with its head, or to the visitor.'),
    duration_ms: Type.Number({ description: 'Milliseconds until the end.' }),
    first_byte_ms: nullable(
      Type.Number({ description: 'Milliseconds until the first byte of the response; null for none.' }),
    ),
    decisions: Type.Array(decision, { description: 'Decisions of modules, in their order.' }),
    error_code: text('The error that the edge responded with; empty for none.'),
    error: text('The message of the error; empty for none.'),
    reason: text('The reason of a refusal, if the error does not state it; else empty.'),
    upstream_fault: text(
      'The cause why the upstream was not reached, such as "connection refused", or the fault in its response; empty for none.',
    ),
    has_bodies: Type.Boolean({ description: 'True while its recorded bodies are there.' }),
  },
  { $id: 'TrafficRequest' },
);

const body = Type.Object(
  {
    content: text('The beginning of the body, at most 64 KiB, as it was sent.'),
    encoding: Type.Enum(['utf8', 'base64'], {
      type: 'string',
      description: 'The form of `content`: text, or Base64 of the bytes.',
    }),
    content_type: text('Content-Type of the body; empty for none.'),
    content_encoding: text('Content-Encoding of the body, such as `gzip`; empty for none.'),
    size: count('Bytes of the whole body.'),
    is_truncated: Type.Boolean({ description: 'True if only the beginning was recorded.' }),
  },
  { $id: 'RecordedBody', description: 'A recorded body.' },
);

const bodies = Type.Object(
  {
    recording_id: text('The recording, as in `GET /traffic/recordings`.'),
    request: nullable(body),
    response: nullable(body),
  },
  {
    description:
      'Bodies of the request and the response, without the framing of chunks. Null if they were not recorded, and for viewers.',
  },
);

const TrafficRequestDetails = Type.Object(
  { ...TrafficRequest.properties, bodies: nullable(bodies) },
  { $id: 'TrafficRequestDetails' },
);

const SHARED = 'Failures are always recorded, at least the last 1,000 of an account if memory allows';

export const trafficRequestsList: StandaloneOperation = {
  topic: traffic,
  operation: 'traffic_requests_list',
  method: 'GET',
  path: '/traffic/requests',
  summary: 'List requests',
  isRead: true,
  query: Type.Object({
    ...pageParameters(idOf([REQUEST_PREFIX], 'Only entries before this one.')),
    filter: Type.Optional(
      Type.String({
        description: 'Selects entries, such as `status_code >= 500 and decisions.module = ip_restriction`.',
      }),
    ),
    watch_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3600,
        default: 60,
        description: `Seconds for which successful requests are recorded, too. ${SHARED}.`,
      }),
    ),
  }),
  result: {
    schemaName: 'TrafficRequestList',
    read: Type.Object({
      requests: Type.Array(TrafficRequest, { description: 'Newest first.' }),
      uri: Type.String({ description: 'URL of the list.' }),
      next_page_uri: nullable(Type.String({ description: 'URL of the next page; null for the last one.' })),
    }),
  },
};

export const trafficRequestsGet: StandaloneOperation = {
  topic: traffic,
  operation: 'traffic_requests_get',
  method: 'GET',
  path: '/traffic/requests/{id}',
  parameters: { id: 'The id of the entry.' },
  prefixes: { id: REQUEST_PREFIX },
  summary: 'Get a request',
  isRead: true,
  result: { schemaName: 'TrafficRequestDetails', read: TrafficRequestDetails },
};
