/** Operations on recordings of bodies: for a limited time, those of one edge or endpoint. */
import { Type } from '../../core/type.ts';
import { body, exampleId, idOf, optional, timestamp } from '../schema.ts';
import type { StandaloneOperation } from './definition.ts';
import { nextPage, pageParameters } from './pages.ts';
import { traffic } from './traffic-topic.ts';

/** Prefix of ids. */
export const RECORDING_PREFIX = 'rec';
/** Minutes of a recording. */
const MINUTES = { minimum: 1, maximum: 60, default: 15 };

const recording = Type.Object(
  {
    id: Type.String({ description: 'Identifies the recording.' }),
    site_id: Type.String({ description: 'The edge or endpoint whose bodies are recorded.' }),
    host: Type.String({
      description:
        'The name of an endpoint, empty for an edge. The recording goes on if its agent connects again, with and without TLS.',
    }),
    owner_id: Type.String({ description: 'The user or bot user that began it.' }),
    begun_at: timestamp('Time of the begin.'),
    ends_at: timestamp('Time of the end, or of the planned one.'),
    is_active: Type.Boolean({ description: 'True while it lasts.' }),
  },
  { $id: 'TrafficRecording', description: 'A recording of the bodies of one edge or endpoint.' },
);

export const trafficRecordingsList: StandaloneOperation = {
  topic: traffic,
  operation: 'traffic_recordings_list',
  method: 'GET',
  path: '/traffic/recordings',
  summary: 'List recordings of bodies',
  isRead: true,
  query: Type.Object(pageParameters(idOf([RECORDING_PREFIX], 'Only recordings before this one.'))),
  result: {
    schemaName: 'TrafficRecordingList',
    read: Type.Object({
      recordings: Type.Array(recording, {
        description: 'Newest first: those that last, and those that ended within the last hour.',
      }),
      ...nextPage,
    }),
  },
};

export const trafficRecordingsCreate: StandaloneOperation = {
  topic: traffic,
  operation: 'traffic_recordings_create',
  method: 'POST',
  path: '/traffic/recordings',
  summary: 'Begin a recording of bodies',
  isRead: false,
  body: {
    schemaName: 'TrafficRecordingCreate',
    write: body(
      {
        site_id: idOf(
          ['edghts', 'ep'],
          'The HTTPS edge, or the HTTP endpoint of an agent that is online: `site` of an entry in `GET /traffic/requests`. The first 64 KiB of each body of requests that its modules admit are kept in memory, for an hour at most.',
        ),
        minutes: optional(Type.Integer({ ...MINUTES, description: 'Minutes until it ends by itself.' })),
      },
      { examples: [{ site_id: exampleId('edghts'), minutes: 15 }] },
    ),
  },
  result: { schemaName: 'TrafficRecording', read: recording },
};

export const trafficRecordingsDelete: StandaloneOperation = {
  topic: traffic,
  operation: 'traffic_recordings_delete',
  method: 'DELETE',
  path: '/traffic/recordings/{id}',
  parameters: { id: 'The id of the recording.' },
  prefixes: { id: RECORDING_PREFIX },
  summary: 'End a recording of bodies',
  query: Type.Object({
    discard: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True removes the recorded bodies at once. Else they stay for an hour at most.',
      }),
    ),
  }),
  ...{ isRead: false, result: null },
};
