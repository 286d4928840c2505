/** `GET /traffic/recent`: lines of the last hour for many keys, for lists. */
import { Type } from '../../core/type.ts';
import type { StandaloneOperation } from './definition.ts';
import { traffic } from './traffic-topic.ts';

const counts = (description: string) => Type.Array(Type.Integer(), { description });

const line = Type.Object({
  key: Type.String({ description: 'The id or name of the request.' }),
  requests: counts('Requests and connections of each minute, the running one last.'),
  errors: counts('Responses with 500 or above, and connections that ended with an error.'),
  bytes: counts('Bytes in both directions.'),
});

export const trafficRecent: StandaloneOperation = {
  topic: traffic,
  operation: 'traffic_recent_get',
  method: 'GET',
  path: '/traffic/recent',
  summary: 'Get the last hour of many keys',
  query: Type.Object({
    by: Type.Enum(['edge', 'route', 'endpoint', 'backend', 'credential'], {
      type: 'string',
      description: 'The kind of the keys, as in `GET /traffic/series`.',
    }),
    ids: Type.String({ description: 'The keys, at most 100, with commas between them.' }),
  }),
  isRead: true,
  result: {
    schemaName: 'RecentTraffic',
    read: Type.Object({
      by: Type.String({ description: 'The kind of the keys.' }),
      since: Type.String({ description: 'Start of the first minute.' }),
      until: Type.String({ description: 'End of the running minute.' }),
      keys: Type.Array(line, { description: 'One element for each key, in the order of the request.' }),
    }),
  },
};
