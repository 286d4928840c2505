/** The interface of targets. A target reports one outcome for each event. The dispatcher decides about retries. */

/** An event for a target. */
export interface OutboxEvent {
  /** `ev_…`, the same in each attempt. Ids of one resource's events are in their order. */
  readonly id: string;
  /** E.g. `ip_policy_created.v0`. */
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly account: string;
  /** The resource whose events keep their order; '' for none. */
  readonly resource: string;
  /** The envelope as JSON, on one line. */
  readonly text: string;
}

/** Limits of a batch. Each batch for `send` is within them. */
export interface TargetLimits {
  readonly batchEvents: number;
  /** Bytes of the events' texts in UTF-8, with `overheadBytes` for each. */
  readonly batchBytes: number;
  /** Bytes of one event's text in UTF-8. The dispatcher refuses a longer one with a reason. */
  readonly eventBytes: number;
  /** Bytes that the target adds to each event. */
  readonly overheadBytes: number;
  /**
   * True if a batch can be accepted in part. Such a batch has at most one event of each resource, so that none
   * overtakes an older one.
   */
  readonly partial: boolean;
}

/** The outcome of one event. A `reason` is a sentence for the owner of the destination, without secrets. */
export type Outcome =
  | { readonly result: 'taken' }
  /** The event may be accepted later, not before `afterMs` if the target set a time. */
  | { readonly result: 'retry'; readonly reason: string; readonly afterMs?: number }
  /** The event will never be accepted. Use `retry` if a change of the destination or at its provider may help. */
  | { readonly result: 'refused'; readonly reason: string };

export interface Target {
  readonly limits: TargetLimits;
  /**
   * Resolves with one outcome for each event, in the order of the batch, within the target's time limit. It is called
   * again only after it resolved. Rejects only for unexpected errors, which is a `retry` of all.
   */
  send(batch: readonly OutboxEvent[], signal: AbortSignal): Promise<readonly Outcome[]>;
  /** Closes connections. Nothing is sent afterwards. */
  close(): void;
}
