/** What is sent of an event, whatever its type (open points, part B 2.2). */
import type { EventType, TEST_TYPE } from '../core/event-types.ts';
import { createdAt } from '../core/id.ts';
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

/** As JSON on one line. The time is the one inside the id. */
export function envelopeOf(
  id: string,
  { type, account, principal, object }: Happening<EventType | typeof TEST_TYPE>,
): string {
  return JSON.stringify({
    event_id: id,
    event_type: type,
    event_timestamp: `${createdAt(id).toISOString().slice(0, 19)}Z`,
    account_id: account,
    principal,
    object,
  });
}
