/** Defines the stream of events of the API. */
import { Type } from '../../core/type.ts';
import type { StandaloneOperation, Topic } from './definition.ts';
import { accountOverview } from './overview.ts';
import { TrafficRequest } from './traffic-requests.ts';

/** Topics of the stream. The names are published. */
export const streamTopics = ['changes', 'sessions', 'traffic', 'overview'] as const;
export type StreamTopic = (typeof streamTopics)[number];

const topic: Topic = {
  name: 'stream',
  summary: 'Stream',
  description:
    'Reports changes as they happen, as server-sent events. Open the stream first, wait for `ready`, then list what you need: no change is missed in between.',
  group: 'Traffic and status',
};

const Ready = Type.Object({
  topics: Type.Array(Type.String(), { description: 'Topics of this stream.' }),
  revision: Type.Integer({ description: 'Later changes are reported.' }),
});

const Change = Type.Object({
  kind: Type.String({ description: 'Kind of the resource, such as `https_edge`.' }),
  id: Type.String({ description: 'Id of the resource.' }),
  what: Type.Enum(['created', 'updated', 'deleted'], {
    type: 'string',
    description:
      'Several changes in a row may be reported as one. After a reconnect, a resource of the last second may be reported as created again.',
  }),
  revision: Type.Integer({ description: 'Revision of the database that made the change.' }),
});

const Session = Type.Object({
  kind: Type.Enum(['tunnel_session', 'tunnel'], { type: 'string', description: 'Kind of the resource.' }),
  id: Type.String({ description: 'Id of the session or of the tunnel.' }),
  what: Type.Enum(['online', 'changed', 'offline'], { type: 'string', description: 'The change.' }),
});

const Reset = Type.Object({
  reason: Type.Enum(['too_old', 'other_history'], {
    type: 'string',
    description:
      '`too_old`: the change log no longer has the changes since `Last-Event-ID`. `other_history`: the database goes on from another state, as after a failover that lost writes.',
  }),
});

const Dropped = Type.Object({
  count: Type.Integer({ description: 'Number of events that were dropped, at least.' }),
  topics: Type.Array(Type.String(), { description: 'Topics of the dropped events.' }),
});

/** `GET /stream`. */
export const streamOpen: StandaloneOperation = {
  ...{ topic, operation: 'stream_open', method: 'GET', path: '/stream', summary: 'Open a stream of events' },
  query: Type.Object({
    topics: Type.Optional(
      Type.String({
        default: 'changes,sessions',
        maxLength: 200,
        'x-error': 'textTooLong',
        description: `Topics, separated by commas: ${streamTopics.join(', ')}.`,
      }),
    ),
    filter: Type.Optional(
      Type.String({
        description:
          'Selects events of the topic `traffic`, as the parameter of `GET /traffic/requests` does.',
      }),
    ),
  }),
  result: null,
  events: {
    ready: {
      schemaName: 'StreamReady',
      read: Ready,
      description: 'The first event: everything that happens from now on is reported.',
    },
    change: {
      schemaName: 'StreamChange',
      read: Change,
      description:
        'Topic `changes`: a resource was created, updated or deleted. Its id is a `Last-Event-ID`.',
    },
    session: {
      schemaName: 'StreamSession',
      read: Session,
      description:
        'Topic `sessions`: an agent or a tunnel came online, changed or went offline, on any daemon.',
    },
    traffic: {
      schemaName: 'TrafficRequest',
      read: TrafficRequest,
      description:
        'Topic `traffic`: a request or connection of a visitor has ended, on any daemon. All are recorded while the stream is open.',
    },
    overview: {
      ...accountOverview,
      description:
        'Topic `overview`: what `GET /overview` returns, once after `ready`, then at most once a second if it differs. It costs no further requests.',
    },
    reset: {
      schemaName: 'StreamReset',
      read: Reset,
      description: 'Changes may have been missed: list everything anew.',
    },
    dropped: {
      schemaName: 'StreamDropped',
      read: Dropped,
      description:
        'The client did not read fast enough, and the oldest events were dropped: list these topics anew.',
    },
  },
  isRead: true,
};
