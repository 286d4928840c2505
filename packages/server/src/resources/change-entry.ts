/**
 * Entries of the audit trail: an actor, a resource, an action, and the fields that differ. Each is a note in the batch
 * of its change.
 * Invariant: an account has a bounded number of entries, each of bounded size.
 */
import { createdAt } from '../core/id.ts';
import type { JsonObject, JsonValue, WriteOperation } from '../store/store.ts';
import type { NewId, Principal } from './definition.ts';
import { type Difference, differences } from './differences.ts';

/** `daemon`: the service itself, such as a renewal. `operator`: a command on the daemon's machine. */
export const actorTypes = ['user', 'bot_user', 'operator', 'daemon'] as const;

export type Actor = {
  readonly type: (typeof actorTypes)[number];
  /** Id of the user; '' for others. */
  readonly id: string;
  /** E-mail or name. */
  readonly name: string;
  /** Id of the API key or the session of the console; '' for none. */
  readonly credential: string;
  /** Source address; '' for none. */
  readonly address: string;
};

export interface ChangeEntry {
  readonly account: string;
  readonly actor: Actor;
  /** Name of the operation, such as `tls_edge_update`. */
  readonly operation: string;
  /** Id of the request, as in errors and logs; '' for none. */
  readonly operationId: string;
  readonly kind: string;
  /** Id of the resource, and of its parent; '' for none. */
  readonly id: string;
  readonly parent: string;
  /** Verb of the change, such as `updated`. */
  readonly action: string;
  readonly fields: readonly Difference[];
}

/** Body of the note of an entry. */
export type ChangeBody = {
  readonly actor: Actor;
  readonly operation: string;
  readonly operation_id: string;
  readonly kind: string;
  readonly id: string;
  readonly parent: string;
  readonly action: string;
  readonly fields: readonly Difference[];
  /** Number of fields without room. */
  readonly fields_left_out: number;
};

export const CHANGE_PREFIX = 'chg';
/** Days for which entries stay. */
export const CHANGE_DAYS = 90;
/** Entries of an account at most, apart from some that wait to be removed. */
export const MOST_CHANGES = 50_000;
/** Characters of a value, and of all fields of an entry together. */
const LONGEST_VALUE = 1_000;
const LONGEST_FIELDS = 8_000;
/** One of so many writes removes entries of its account beyond the limit, some more than were added since the last. */
const TRIM_EVERY = 1_000;
const TRIMMED = 2 * TRIM_EVERY;

/** The service itself. */
export const daemonActor: Actor = { type: 'daemon', id: '', name: '', credential: '', address: '' };
/** A command on the daemon's machine. */
export const operatorActor: Actor = { ...daemonActor, type: 'operator' };

/** Returns the entry of a creation without a caller of the API. The body is shown as it is, without hashes. */
export function creationOf(
  actor: Actor,
  operation: string,
  {
    account,
    kind,
    id,
    body,
  }: { readonly account: string; readonly kind: string; readonly id: string; readonly body: JsonObject },
): ChangeEntry {
  const fields = differences(null, { shown: withoutHash(body), body });
  return { account, actor, operation, operationId: '', kind, id, parent: '', action: 'created', fields };
}

function withoutHash({ token_hash: _, ...body }: JsonObject): JsonObject {
  return body;
}

export function actorOf({ owner, subject, key, address }: Principal): Actor {
  const type = owner.startsWith('usr_') ? 'user' : 'bot_user';
  return { type, id: owner, name: subject, credential: key, address };
}

/** Returns the operations that write an entry. Add them to the batch of the change. */
export function changeOperations(newId: NewId, entry: ChangeEntry): readonly WriteOperation[] {
  const { account, actor, operation, operationId, kind, id, parent, action } = entry;
  const body: ChangeBody = {
    ...{ actor, operation, operation_id: operationId, kind, id, parent, action },
    ...bounded(entry.fields),
  };
  const key = newId(CHANGE_PREFIX);
  const note: WriteOperation = {
    ...{ op: 'note', kind: 'change', account, key, at: createdAt(key).getTime() },
    ...{ text: JSON.stringify(body), needsDocument: false },
  };
  if (Math.random() * TRIM_EVERY >= 1) return [note];
  return [note, { op: 'trim', kind: 'change', account, keep: MOST_CHANGES, most: TRIMMED }];
}

function bounded(fields: readonly Difference[]): Pick<ChangeBody, 'fields' | 'fields_left_out'> {
  let room = LONGEST_FIELDS;
  const kept: Difference[] = [];
  for (const { old, new: now, ...rest } of fields) {
    const field = { ...rest, old: clipped(old), new: clipped(now) };
    room -= JSON.stringify(field).length;
    if (room < 0) break;
    kept.push(field);
  }
  return { fields: kept, fields_left_out: fields.length - kept.length };
}

/** Shortens a long text. A long value of another type becomes the beginning of its JSON. */
function clipped(value: JsonValue): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? value : `${text.slice(0, LONGEST_VALUE).toWellFormed()}…`;
}

/** Returns the body of a note of the kind `change`. */
export function changeBody(body: JsonObject): ChangeBody {
  return body as ChangeBody;
}
