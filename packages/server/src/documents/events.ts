/** Stored shapes of event destinations and subscriptions. */
import type { EventType } from '../core/event-types.ts';
import type { Described } from './described.ts';

export type CloudSettings = {
  /** How to get in: exactly one is not ''. */
  readonly role_identifier: string;
  readonly cloud_access_key_id: string;
  readonly identifier: string;
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
