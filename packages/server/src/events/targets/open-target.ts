/**
 * Opens what a destination says events go to. Never that the code of a kind of target is loaded before a destination has one.
 */
import type { EventTarget } from '../../documents/index.ts';
import type { Target } from './target.ts';

/** What targets may look at beside their settings. */
export interface TargetContext {
  /** The id of the destination, and of its account. */
  readonly destination: string;
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** `secret` is the target's, in clear; '' for one that takes none. Null: nothing is delivered to targets of this type yet. */
export async function openTarget(
  target: EventTarget,
  _secret: string,
  _context: TargetContext,
): Promise<Target | null> {
  switch (target.type) {
    case 'delivery_stream':
    case 'stream':
    case 'log_group':
    case 'monitoring':
    case 'azure_logs_ingestion':
      return null;
    default:
      return target satisfies never;
  }
}
