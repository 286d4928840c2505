/** What is sent of an event, whatever its type (open points, part B 2.2). */
import type { EventType, TEST_TYPE } from '../core/event-types.ts';
import { createdAt } from '../core/id.ts';
import { formatTime } from '../core/time-text.ts';
import type { JsonObject } from '../store/store.ts';

/** Who did it. */
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
  /** Null for what nobody did through the API. */
  readonly principal: EventPrincipal | null;
  readonly object: JsonObject;
}

type Told = Happening<EventType | typeof TEST_TYPE>;

/** As JSON on one line. The time is the one inside the id. */
export function envelopeOf(id: string, happening: Told): string {
  return JSON.parse(quotedEnvelopeOf(id, happening)) as string;
}

/**
 * The same as a JSON string, which is how it waits. Put together of what is quoted already, for a third of what it costs to be made
 * first and quoted then: ids, types and times have nothing to escape.
 */
export function quotedEnvelopeOf(id: string, { type, account, principal, object }: Told): string {
  const time = formatTime(createdAt(id));
  return `"${inQuotes`{"event_id":"${id}","event_type":"${type}","event_timestamp":"${time}","account_id":"${account}","principal":${quotedPrincipal(principal)},"object":${quoted(object)}}`}"`;
}

const quotedParts = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A template whose own text is escaped as in a JSON string, and what is put into it is not. */
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

/** Who does one thing does others. */
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
