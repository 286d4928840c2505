/**
 * Answers `GET /changes` from the notes of the audit trail.
 * Invariant: a request reads a bounded number of entries, whatever its filter; the next page continues there.
 */
import { firstIdAt } from '../../core/id.ts';
import { formatTime } from '../../core/time-text.ts';
import { parseTimestamp } from '../../core/timestamp.ts';
import type { DocumentStore } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { CHANGE_PREFIX, type ChangeBody, changeBody } from '../../resources/change-entry.ts';
import type { ShowContext } from '../../resources/definition.ts';
import type { QueryValues, StandaloneCall } from '../../resources/standalone/definition.ts';
import type { JsonObject, JsonValue, Note } from '../../store/store.ts';
import { pageUri } from '../list-page.ts';

export interface ListChangesOptions {
  readonly store: Pick<DocumentStore, 'notes'>;
  readonly ref: ShowContext['ref'];
}

/** Entries in one read, and in one request, at most. */
const PART = 200;
const MOST_READ = 4_000;

export async function listChanges(
  { store, ref }: ListChangesOptions,
  { principal, query, baseUrl }: StandaloneCall,
): Promise<JsonObject> {
  const limit = Number(query.limit);
  const since = timeOf(query, 'since');
  const matches = matcherOf(query);
  const found: Note[] = [];
  let before = startOf(query);
  let left = MOST_READ;
  let isEnd = false;
  // One more than the page, to know if another one follows.
  while (!isEnd && found.length <= limit && left > 0) {
    const page = { kind: 'change', account: principal.account, limit: Math.min(PART, left) } as const;
    const notes = await store.notes(before === undefined ? page : { ...page, before });
    const recent = since === null ? notes : notes.filter(({ at }) => at >= since);
    for (const note of recent) if (found.length <= limit && matches(changeBody(note.body))) found.push(note);
    isEnd = notes.length < page.limit || recent.length < notes.length;
    left -= notes.length;
    before = notes.at(-1)?.key ?? before;
  }
  const shown = found.slice(0, limit);
  const next = found.length > limit ? shown.at(-1)?.key : isEnd ? undefined : before;
  const { before_id: _, ...rest } = query;
  const more = next === undefined ? null : pageUri(baseUrl, '/changes', { ...rest, before_id: next });
  return {
    changes: shown.map((note) => showChange(note, ref)),
    ...{ uri: pageUri(baseUrl, '/changes', query), next_page_uri: more },
  };
}

/** Returns the id before which a page begins. Raises Problem. */
function startOf(query: QueryValues): string | undefined {
  const until = timeOf(query, 'until');
  const starts = until === null ? [] : [firstIdAt(CHANGE_PREFIX, until)];
  if (typeof query.before_id === 'string') starts.push(query.before_id);
  return starts.sort()[0];
}

/** Returns milliseconds since 1970; null if not given. Raises Problem. */
function timeOf(query: QueryValues, field: string): number | null {
  const text = query[field];
  if (typeof text !== 'string') return null;
  const seconds = parseTimestamp(text);
  if (seconds === null) throw new Problem('timestampInvalid', { field, value: text }, { field });
  return seconds * 1000;
}

function matcherOf(query: QueryValues): (body: ChangeBody) => boolean {
  const { kind, resource_id: id, actor_id: by, actor_type: type, action } = query;
  return (body) =>
    (kind === undefined || body.kind === kind) &&
    (id === undefined || body.id === id) &&
    (by === undefined || body.actor.id === by || body.actor.credential === by) &&
    (type === undefined || body.actor.type === type) &&
    (action === undefined || body.action === action);
}

function showChange({ key, at, revision, body: stored }: Note, ref: ShowContext['ref']): JsonObject {
  const body = changeBody(stored);
  const { type, id, name, credential, address } = body.actor;
  return {
    ...{ id: key, created_at: formatTime(new Date(at)), revision },
    actor: { type, user_id: id, name, credential_id: credential, address },
    ...{ operation: body.operation, operation_id: body.operation_id },
    ...{ kind: body.kind, resource_id: body.id, resource_uri: uriOf(body, ref), action: body.action },
    fields: body.fields.map((one) => ({
      ...{ field: one.field, old: textOf(one.old), new: textOf(one.new), is_secret: one.secret === true },
    })),
    fields_left_out: body.fields_left_out,
  };
}

function textOf(value: JsonValue): string | null {
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

function uriOf({ id, parent, action, kind }: ChangeBody, ref: ShowContext['ref']): string {
  if (action === 'deleted' || kind === 'account') return '';
  try {
    return ref(id, parent).uri;
  } catch {
    // A kind without a collection.
    return '';
  }
}
