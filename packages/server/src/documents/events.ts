/** Stored shapes of event destinations and subscriptions, and of what is on its way to a destination. */
import type { EventType } from '../core/event-types.ts';
import type { Described } from './described.ts';

export type CloudSettings = {
  /** How to get in: exactly one is not ''. */
  readonly role_identifier: string;
  readonly cloud_access_key_id: string;
  readonly identifier: string;
};

export type S3Settings = CloudSettings & {
  readonly object_prefix: string;
  readonly compression: boolean;
  /** Of an object before it is compressed, in bytes; 0 for the default. */
  readonly max_file_size: number;
  /** In seconds; 0 for the default. */
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

/** Where events are sent, and how. The secret is sealed for `<id>/target_secret`; '' for a target that takes none. */
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
  /** Without repeats, like the destinations. */
  readonly sources: readonly EventType[];
  readonly destination_ids: readonly string[];
};

/** An event that waits in the queue of its destination. */
export type QueuedEventBody = {
  /** The same for all destinations of the event. */
  readonly event_id: string;
  readonly type: EventType;
  /** The resource that it is about. */
  readonly resource: string;
  /** As it is sent: JSON on one line. */
  readonly envelope: string;
  /** Those that asked for it: with the last one it goes unsent. */
  readonly subscription_ids: readonly string[];
};

/** An event that its destination, the parent, was not brought to take. */
export type FailedEventDocument = QueuedEventBody & {
  readonly reason: string;
  /** In whole seconds since the epoch. */
  readonly failed_at: number;
};

/** Events that are brought together: all that wait up to a position, so that they are the same each time that they are sent. */
export type EventFile = {
  readonly last: number;
  readonly bytes: number;
  readonly closed_at: number;
  /** They were taken or given up, and are to leave the outbox. */
  readonly is_over: boolean;
};

/** How delivery to a destination, the parent, stands. Times are milliseconds since the epoch, 0 for never. */
export type EventDeliveryDocument = {
  /** The daemon that delivers at the moment; '' for none. */
  readonly daemon: string;
  /** Attempts in a row that took nothing. */
  readonly attempts: number;
  /** When the first of the attempts failed that did not all succeed since. */
  readonly failing_since: number;
  readonly next_attempt_at: number;
  readonly last_success_at: number;
  /** '' when nothing ever failed. */
  readonly last_error: string;
  readonly last_error_at: number;
  /** Events that were given up. */
  readonly failed_count: number;
  /** Of a target that takes files: the one that is on its way. Without it none is. */
  readonly file?: EventFile | null;
};
