/**
 * Selects the next events of a queue.
 * Invariant: no event overtakes an older one of its resource.
 */
import { createdAt } from '../core/id.ts';
import type { QueuedEvent } from '../documents/index.ts';
import type { OutboxEvent, TargetLimits } from './targets/target.ts';

export function toOutboxEvent({ account, body }: QueuedEvent): OutboxEvent {
  const { event_id: id, type, resource, envelope: text } = body;
  return { id, type, time: createdAt(id).getTime(), account, resource, text };
}

export interface Batch {
  readonly events: readonly QueuedEvent[];
  /** Events before the end of the batch that exceed the target's limit. */
  readonly tooLong: readonly QueuedEvent[];
}

/** `queued` has the oldest event first. `most` is a number of events below the target's limit. */
export function nextBatch(queued: readonly QueuedEvent[], limits: TargetLimits, most: number): Batch {
  const events: QueuedEvent[] = [];
  const tooLong: QueuedEvent[] = [];
  const resources = new Set<string>();
  let room = limits.batchBytes;
  for (const event of queued) {
    const { envelope, resource } = event.body;
    if (events.length >= Math.min(limits.batchEvents, most)) break;
    const size = Buffer.byteLength(envelope);
    if (size > limits.eventBytes || size + limits.overheadBytes > limits.batchBytes) {
      tooLong.push(event);
      continue;
    }
    room -= size + limits.overheadBytes;
    if (room < 0) break;
    if (limits.partial && resource !== '') {
      if (resources.has(resource)) break;
      resources.add(resource);
    }
    events.push(event);
  }
  return { events, tooLong };
}
