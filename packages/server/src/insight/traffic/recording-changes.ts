/** Writes that begin and end recordings of bodies, each with its entry of the audit trail. */
import { formatTime } from '../../core/time-text.ts';
import type { BodyRecordingDocument, StoredDocument } from '../../documents/index.ts';
import { type Actor, changeOperations, daemonActor } from '../../resources/change-entry.ts';
import type { WriteOperation } from '../../store/store.ts';

/** The kind in the audit trail. */
const KIND = 'traffic_recording';

export interface RecordingActor {
  readonly actor: Actor;
  readonly operation: string;
  readonly operationId: string;
}

type NewId = (prefix: string) => string;
type Recording = StoredDocument<'body_recording'>;

/** Kind of the names that recordings under way have, one for each number up to their limit. */
export const PLACES = 'body_recording_place';

/** A name that one recording of an account has. `place`: a number below the limit. */
export function placeName(account: string, place: number | ''): string {
  return `${account} ${place}`;
}

/** Two recordings of one site, or with one place, cannot be under way: the store refuses the second. */
export function beginWrites(
  newId: NewId,
  { id, account, parent, body }: Omit<Recording, 'revision' | 'kind'>,
  place: number,
  by: RecordingActor,
): readonly WriteOperation[] {
  const names = [
    { kind: 'body_recording', value: `${account} ${body.endpoint || body.site}` },
    { kind: PLACES, value: placeName(account, place) },
  ];
  return [
    { op: 'insert', id, account, kind: 'body_recording', parent, body, links: [], names },
    ...changeOperations(newId, {
      ...{ account, ...by, kind: KIND, id, parent: '', action: 'created' },
      fields: [
        { field: 'site_id', old: null, new: body.site },
        { field: 'ends_at', old: null, new: textOf(body.ends_at) },
      ],
    }),
  ];
}

interface End {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** True removes the bodies, too. */
  readonly discards: boolean;
  readonly by: RecordingActor;
}

export function endWrites(
  newId: NewId,
  { id, account, revision, body: before }: Recording,
  { at, discards, by }: End,
): readonly WriteOperation[] {
  const body: BodyRecordingDocument = { ...before, ends_at: at, ended_at: at };
  const write: WriteOperation = discards
    ? { op: 'delete', id, revision }
    : { op: 'replace', id, revision, body, links: [], names: [] };
  const entry = changeOperations(newId, {
    ...{ account, ...by, kind: KIND, id, parent: '', action: 'deleted' },
    fields: [
      { field: 'site_id', old: before.site, new: null },
      { field: 'ends_at', old: textOf(before.ends_at), new: textOf(at) },
    ],
  });
  // A recording that has ended has its entry.
  return before.ended_at === 0 ? [write, ...entry] : [write];
}

/** The end of a recording whose time has passed. */
export function ofClock({ body }: Recording, nowMs: number): End {
  const by = { actor: daemonActor, operation: '', operationId: '' };
  return { at: Math.min(nowMs, body.ends_at), discards: false, by };
}

function textOf(ms: number): string {
  return formatTime(new Date(ms));
}
