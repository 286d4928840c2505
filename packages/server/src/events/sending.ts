/**
 * Opens the target of one destination, and sends with it.
 * Invariant: settings of another destination are never used.
 */
import type { QueuedEvent } from '../documents/index.ts';
import { toOutboxEvent } from './batch.ts';
import type { Destination } from './subscriptions.ts';
import type { Outcome, Target } from './targets/target.ts';

export class Sending {
  /** Rejects if the target cannot be opened now. */
  readonly #openTarget: (destination: Destination) => Promise<Target>;
  #opened: { readonly revision: number; readonly target: Target } | null = null;

  constructor(open: (destination: Destination) => Promise<Target>) {
    this.#openTarget = open;
  }

  /** Returns the reason as a text if the target cannot be opened. */
  async open(destination: Destination): Promise<Target | string> {
    if (this.#opened?.revision !== destination.revision) {
      this.close();
      try {
        this.#opened = { revision: destination.revision, target: await this.#openTarget(destination) };
      } catch (error) {
        return `the target cannot be used: ${messageOf(error)}`;
      }
    }
    return this.#opened.target;
  }

  close(): void {
    this.#opened?.target.close();
    this.#opened = null;
  }
}

/** Never rejects. */
export async function outcomesOf(
  target: Target,
  events: readonly QueuedEvent[],
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  try {
    return await target.send(events.map(toOutboxEvent), signal);
  } catch (error) {
    return everyOne(events, `sending failed: ${messageOf(error)}`);
  }
}

export function everyOne(events: readonly QueuedEvent[], reason: string): readonly Outcome[] {
  return events.map(() => ({ result: 'retry', reason }));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
