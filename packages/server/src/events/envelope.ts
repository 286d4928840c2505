/** Builds the envelope of an event, whatever its type (open points, part B 2.2). */
import type { EventType, TEST_TYPE } from '../core/event-types.ts';
import { createdAt } from '../core/id.ts';
import { formatTime } from '../core/time-text.ts';
import type { JsonObject } from '../store/store.ts';

/** The user or bot that caused the event. */
export type EventPrincipal = {
  readonly id: string;
  /** E-mail of a user, name of a bot. */
  readonly subject: string;
  readonly source: 'API';
  readonly credential: { readonly id: string; readonly uri: string };
};

export interface Happening<Type extends string = EventType> {
  readonly type: Type;
  readonly account: string;
  /** Null for an event without a caller of the API. */
  readonly principal: EventPrincipal | null;
  readonly object: JsonObject;
}

type Told = Happening<EventType | typeof TEST_TYPE>;

/** Returns JSON on one line. The time is the one inside the id. */
export function envelopeOf(id: string, happening: Told): string {
  return JSON.parse(quotedEnvelopeOf(id, happening)) as string;
}

/**
 * Returns the same as a JSON string, the form in the queue. It joins parts that are quoted already, for a third of the
 * cost of quoting the whole. Ids, types and times need no escapes.
 */
export function quotedEnvelopeOf(id: string, { type, account, principal, object }: Told): string {
  const time = formatTime(createdAt(id));
  return `"${inQuotes`{"event_id":"${id}","event_type":"${type}","event_timestamp":"${time}","account_id":"${account}","principal":${quotedPrincipal(principal)},"object":${quoted(object)}}`}"`;
}

const quotedParts = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A template tag that escapes its own text as in a JSON string, but not the inserted values. */
function inQuotes(parts: TemplateStringsArray, ...values: readonly string[]): string {
  let texts = quotedParts.get(parts);
  if (texts === undefined) {
    texts = parts.map((part) => JSON.stringify(part).slice(1, -1));
    quotedParts.set(parts, texts);
  }
  let text = '';
  for (let at = 0; at < values.length; at++) text += `${texts[at]}${values[at]}`;
  return text + texts[values.length];
}

/** Quoted principals. A principal usually causes several events. */
const quotedPrincipals = new WeakMap<EventPrincipal, string>();

function quotedPrincipal(principal: EventPrincipal | null): string {
  if (principal === null) return 'null';
  const known = quotedPrincipals.get(principal);
  if (known !== undefined) return known;
  const text = quoted(principal);
  quotedPrincipals.set(principal, text);
  return text;
}

function quoted(value: JsonObject): string {
  return JSON.stringify(JSON.stringify(value)).slice(1, -1);
}
