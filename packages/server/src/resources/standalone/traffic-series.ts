/** `GET /traffic/series`: numbers of requests, errors, bytes and latencies over time. */
import { Type } from '../../core/type.ts';
import { nullable } from '../schema.ts';
import type { StandaloneOperation } from './definition.ts';
import { traffic } from './traffic-topic.ts';

const counts = (description: string) => Type.Array(Type.Integer(), { description });
const latency = (share: string) =>
  Type.Array(nullable(Type.Number()), {
    description: `The time in milliseconds in which ${share} of the requests ended; null without a request. It is at most 4.4 % from the exact value, from 0.125 ms to 262 s.`,
  });

const errorCode = Type.Object({
  error_code: Type.String({ description: 'Code of the error; "" for all further codes together.' }),
  count: Type.Integer({ description: 'Requests and connections that ended with it.' }),
});

const read = Type.Object({
  by: Type.String({ description: 'The kind of the key; "" for the whole account.' }),
  key: Type.String({ description: 'The id or name of the request; "" for the whole account.' }),
  resolution: Type.String({ description: 'Length of a step.' }),
  since: Type.String({ description: 'Start of the first step.' }),
  until: Type.String({ description: 'End of the last step.' }),
  points: Type.Integer({ description: 'Number of steps, and of numbers in each list.' }),
  requests: counts('Requests of each step, by the time of their end. 0 for a step without traffic.'),
  requests_none: counts('Requests without an answer, because the visitor left.'),
  requests_1xx: counts('Requests that became a connection, such as a WebSocket. They have no latency.'),
  requests_2xx: counts('Requests with a status from 200 to 299.'),
  requests_3xx: counts('Requests with a status from 300 to 399.'),
  requests_4xx: counts('Requests with a status from 400 to 499.'),
  requests_5xx: counts('Requests with a status of 500 or more.'),
  connections: counts('Connections without HTTP that ended.'),
  connections_failed: counts('Connections without HTTP that ended with an error of the service.'),
  bytes_in: counts('Bytes from visitors: bodies of requests, and all bytes of connections.'),
  bytes_out: counts('Bytes to visitors: responses with their headers, and all bytes of connections.'),
  p50_ms: latency('half'),
  p95_ms: latency('95 %'),
  p99_ms: latency('99 %'),
  error_codes: Type.Array(errorCode, {
    description: 'Errors of the service itself in the whole span, the most frequent first.',
  }),
});

const query = Type.Object({
  by: Type.Optional(
    Type.Enum(['edge', 'route', 'endpoint', 'backend', 'credential'], {
      type: 'string',
      description: 'The kind of the key. Without it the response is about the whole account.',
    }),
  ),
  id: Type.Optional(
    Type.String({
      description:
        'The key: an id, or for an endpoint the name that its agent has bound, such as "app.example.com" or "1.tcp.example.com:20000". A deleted resource has its series until they are too old.',
    }),
  ),
  resolution: Type.Optional(
    Type.Enum(['1s', '1m', '1h'], {
      type: 'string',
      default: '1m',
      description:
        'Length of a step. Seconds are kept for 10 minutes, minutes for 24 hours, and hours for 90 days.',
    }),
  ),
  since: Type.Optional(
    Type.String({
      description:
        'Start of the first step: a time of RFC 3339, or a number of seconds before now. Default: 600 steps of 1 s, 1,440 of 1 min, or 720 of 1 h before the end.',
    }),
  ),
  until: Type.Optional(
    Type.String({
      description:
        'End of the last step, like `since`. Default: the last step that has passed. A later time includes the running step.',
    }),
  ),
});

export const trafficSeries: StandaloneOperation = {
  topic: traffic,
  operation: 'traffic_series_get',
  method: 'GET',
  path: '/traffic/series',
  summary: 'Get traffic over time',
  query,
  isRead: true,
  result: { schemaName: 'TrafficSeries', read },
};
