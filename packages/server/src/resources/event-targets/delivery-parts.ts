/** Status, test and further parts of event destinations. */

import { idPattern } from '../../core/id.ts';
import { formatTime } from '../../core/time-text.ts';
import { Type } from '../../core/type.ts';
import type { EventDestinationDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { readStatus } from '../../events/delivery-status.ts';
import { externalIdOf } from '../../events/targets/external-id.ts';
import { TargetUnavailable } from '../../events/targets/reasons.ts';
import type { JsonObject } from '../../store/store.ts';
import type { ActionContext, DocumentOf, StoredAction, StoredView } from '../definition.ts';
import { eventPrincipal } from '../event-principal.ts';
import { nullable, timestamp } from '../schema.ts';
import { openDestination } from './open-destination.ts';
import { sendTestEvent } from './test-event.ts';

type Document = DocumentOf<EventDestinationDocument>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const deliveryStatus: StoredView<EventDestinationDocument> = {
  name: 'status',
  schemaName: 'EventDestinationStatus',
  summary: 'Get the delivery status of an event destination',
  read: Type.Object({
    last_success_at: nullable(timestamp('Time of the last delivery.')),
    last_error: Type.String({
      description: 'Reason of the last failed delivery; "" for none.',
    }),
    last_error_at: nullable(timestamp('Time of the last failed delivery.')),
    next_attempt_at: nullable(timestamp('Time of the next attempt after a failed delivery.')),
    backlog: count('Events that wait.'),
    oldest_age_seconds: nullable(count('Seconds for which the oldest of them has waited.')),
    failed_count: count('Events that were given up, since they were not taken for a day or never will be.'),
    external_id: nullable(
      Type.String({
        description: 'The external id that the role of the target must require; null without a role.',
      }),
    ),
  }),

  async show(document, { store, now }) {
    const status = await readStatus(store, document, now());
    const { backlog, oldestMs } = status;
    return {
      last_success_at: shownTime(status.lastSuccessAt),
      last_error: status.lastError,
      last_error_at: shownTime(status.lastErrorAt),
      next_attempt_at: shownTime(status.nextAttemptAt),
      backlog,
      oldest_age_seconds: oldestMs === null ? null : Math.floor(oldestMs / 1000),
      failed_count: status.failedCount,
      external_id: externalIdOf(document.body.target, document.account),
    };
  },
};

/** `show`: how the API shows the destination. */
export function deliveryTest(
  show: (document: Document, context: ActionContext) => Promise<JsonObject> | JsonObject,
): StoredAction<EventDestinationDocument> {
  return {
    name: 'test',
    summary: 'Send a test event to an event destination',
    result: {
      schemaName: 'EventDestinationTest',
      read: Type.Object({
        event_id: Type.String({ pattern: idPattern(['ev']), description: 'The event that was taken.' }),
      }),
    },

    async run(document, context) {
      const { principal, sealer, settings, now } = context;
      const target = await openDestination(document, sealer, settings, null).catch(unavailable);
      try {
        const who = eventPrincipal(principal, context.ref);
        const event = { account: document.account, principal: who, object: await show(document, context) };
        const { id, reason } = await sendTestEvent(target, event, now);
        if (reason !== null) throw new Problem('eventTestFailed', { reason });
        return { event_id: id };
      } finally {
        target.close();
      }
    },
  };
}

function shownTime(time: Date | null): string | null {
  return time === null ? null : formatTime(time);
}

function unavailable(error: unknown): never {
  if (error instanceof TargetUnavailable) throw new Problem('eventTestFailed', { reason: error.message });
  throw error;
}
