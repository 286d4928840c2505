/** Writes that begin and end recordings of bodies, each with its entry of the audit trail. */
import { formatTime } from '../../core/time-text.ts';
import type { BodyRecordingDocument, StoredDocument } from '../../documents/index.ts';
import { type Actor, changeOperations } from '../../resources/change-entry.ts';
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

export function beginWrites(
  newId: NewId,
  { id, account, parent, body }: Omit<Recording, 'revision' | 'kind'>,
  by: RecordingActor,
): readonly WriteOperation[] {
  return [
    { op: 'insert', id, account, kind: 'body_recording', parent, body, links: [], names: [] },
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

function textOf(ms: number): string {
  return formatTime(new Date(ms));
}
