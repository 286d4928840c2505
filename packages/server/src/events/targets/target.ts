/**
 * What a place that events go to is to the dispatcher. Never that a target decides when an event is tried again, or what became
 * of one in silence: it says of each event what came back.
 */

/** An event on its way. */
export interface OutboxEvent {
  /** `ev_…`; the same each time that it is sent. Events of one resource were made in the order of their ids. */
  readonly id: string;
  /** E.g. `ip_policy_created.v0`. */
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly account: string;
  /** The resource that it is about, whose events go in their order; '' where there is no order. */
  readonly resource: string;
  /** The envelope as JSON, on one line. */
  readonly text: string;
}

/** How much a target takes at once. A batch that is handed to `send` keeps to it. */
export interface TargetLimits {
  readonly batchEvents: number;
  /** Of the events' texts in UTF-8, with `overheadBytes` for each. */
  readonly batchBytes: number;
  /** Of one event's text in UTF-8. A longer one is refused by the dispatcher, in words. */
  readonly eventBytes: number;
  /** What the target adds to each event. */
  readonly overheadBytes: number;
  /**
   * Whether some events of a batch can be taken while others are not. Such a batch has at most one event of each resource, so that
   * none overtakes an older one.
   */
  readonly partial: boolean;
}

/** What became of one event. A `reason` is a sentence for the owner of the destination, without secrets. */
export type Outcome =
  | { readonly result: 'taken' }
  /** It may be taken another time, not before `afterMs` if the target said so. */
  | { readonly result: 'retry'; readonly reason: string; readonly afterMs?: number }
  /** It will never be taken. For what a change of the destination or at its provider may mend, `retry` is right. */
  | { readonly result: 'refused'; readonly reason: string };

export interface Target {
  readonly limits: TargetLimits;
  /**
   * Resolves with one outcome for each event, in the order of the batch, within a time of the target's own. Is called again only when
   * it has resolved. Rejects for what nobody foresaw only, which is a `retry` of all.
   */
  send(batch: readonly OutboxEvent[], signal: AbortSignal): Promise<readonly Outcome[]>;
  /** Gives back connections. Nothing is sent after it. */
  close(): void;
}
