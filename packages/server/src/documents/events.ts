/** Stored shapes of event destinations, subscriptions, and queued events. */
import type { EventType } from '../core/event-types.ts';
import type { Described } from './described.ts';

export type CloudSettings = {
  /** The credentials: exactly one is not ''. */
  readonly role_identifier: string;
  readonly cloud_access_key_id: string;
  readonly identifier: string;
};

export type S3Settings = CloudSettings & {
  readonly object_prefix: string;
  readonly compression: boolean;
  /** Bytes of an object before compression; 0 for the default. */
  readonly max_file_size: number;
  /** Seconds; 0 for the default. */
  readonly max_file_age: number;
};

export type MonitoringSettings = {
  readonly tags: string;
  readonly service: string;
  /** A short name or a canonical host name; '' when none was given. */
  readonly site: string;
};

export type AzureLogsIngestionSettings = {
  readonly tenant_id: string;
  readonly client_id: string;
  /** `https://<host>[/<path>]`, without user, query and fragment. */
  readonly logs_ingestion_uri: string;
  readonly data_collection_rule_id: string;
  readonly data_collection_stream_name: string;
};

/**
 * The target of events, with its settings. The secret is sealed for `<id>/target_secret`; '' for a target without one.
 */
export type EventTarget = { readonly secret_sealed: string } & (
  | { readonly type: 'delivery_stream' | 'stream' | 'log_group'; readonly settings: CloudSettings }
  | { readonly type: 's3'; readonly settings: S3Settings }
  | { readonly type: 'monitoring'; readonly settings: MonitoringSettings }
  | { readonly type: 'azure_logs_ingestion'; readonly settings: AzureLogsIngestionSettings }
);

export type EventDestinationDocument = Described & {
  readonly format: 'json';
  readonly target: EventTarget;
};

export type EventSubscriptionDocument = Described & {
  /** The types without repeats, like the destinations. */
  readonly sources: readonly EventType[];
  readonly destination_ids: readonly string[];
};

/** An event that waits in the queue of its destination. */
export type QueuedEventBody = {
  /** The id of the event, the same in all destinations. */
  readonly event_id: string;
  readonly type: EventType;
  /** The id of the resource that changed. */
  readonly resource: string;
  /** The envelope as it is sent: JSON on one line. */
  readonly envelope: string;
  /** The subscriptions that selected the event. It is dropped with the last of them. */
  readonly subscription_ids: readonly string[];
};

/** An event that could not be delivered to its destination, the parent. */
export type FailedEventDocument = QueuedEventBody & {
  readonly reason: string;
  /** Whole seconds since 1970. */
  readonly failed_at: number;
};

/** Events that are delivered together: all up to a position of the queue. A retry sends the same ones. */
export type EventFile = {
  readonly last: number;
  readonly bytes: number;
  readonly closed_at: number;
  /** True if the events were accepted or given up, and must leave the outbox. */
  readonly is_over: boolean;
};

/** The state of delivery to a destination, the parent. Times are milliseconds since 1970, 0 for never. */
export type EventDeliveryDocument = {
  /** The daemon that delivers now; '' for none. */
  readonly daemon: string;
  /** Failed attempts in a row. */
  readonly attempts: number;
  /** The time since which attempts have failed, moved forward by time in which nothing was tried; 0 for never. */
  readonly failing_since: number;
  readonly next_attempt_at: number;
  readonly last_success_at: number;
  /** The error of the last failed attempt; '' for none. */
  readonly last_error: string;
  readonly last_error_at: number;
  /** Events that were given up. */
  readonly failed_count: number;
  /** The current file, if the target accepts files; absent for none. */
  readonly file?: EventFile | null;
};
