/** Definitions of operations of the API that belong to no kind, such as `GET /overview`. */
import type { TObject } from '../../core/type.ts';
import type { StreamedBody } from '../../http-server/streamed-body.ts';
import type { JsonObject, JsonValue } from '../../store/store.ts';
import type { Principal } from '../definition.ts';
import type { Group } from '../groups.ts';

/** A subject of operations, as a kind is one of resources. */
export interface Topic {
  /** Start of the names of its operations, such as `traffic`. */
  readonly name: string;
  /** Heading and tag, such as "Traffic". */
  readonly summary: string;
  /** Purpose, in a sentence or two. */
  readonly description: string;
  readonly group: Group;
}

export interface StandaloneOperation {
  readonly topic: Topic;
  /**
   * Unique and stable, such as `traffic_series_get`. A list, such as `traffic_requests_list`, has a result of one array of a
   * named schema, beside `uri` and `next_page_uri`.
   */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path with its parameters: `/traffic/requests/{id}`. */
  readonly path: string;
  /** Descriptions of the parameters of the path by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Prefixes of the ids in the path, by parameter. */
  readonly prefixes?: Readonly<Record<string, string>>;
  readonly summary: string;
  /** Parameters of the query: texts, integers, booleans and enums. Absent: none. */
  readonly query?: TObject;
  readonly body?: { readonly schemaName: string; readonly write: TObject };
  /** Response with 200. Null: 204 without a body. */
  readonly result: { readonly schemaName: string; readonly read: TObject } | null;
  /** Events of a response that is a stream of them, by name; `result` is null then. Absent: it is no stream. */
  readonly events?: Readonly<Record<string, EventDefinition>>;
  /** True if it changes nothing, so that a POST needs no rights but those of a reader. GET: always. */
  readonly isRead: boolean;
  /** True if viewers may call it, although it changes something: the caller's own sessions. Absent: false. */
  readonly isForViewers?: boolean;
}

/** One event of a stream. */
export interface EventDefinition {
  readonly description: string;
  /** Name and schema of its data. */
  readonly schemaName: string;
  readonly read: TObject;
}

export type QueryValues = Readonly<Record<string, string | number | boolean>>;

/** A request that passed every check but those of the operation itself. */
export interface StandaloneCall {
  readonly principal: Principal;
  /** Parameters of the path by name, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Checked parameters of the query, with the defaults of the schema. */
  readonly query: QueryValues;
  /** The checked body; null for an operation without one. */
  readonly body: JsonValue;
  /** Base of the API's URLs, without a slash at the end. */
  readonly baseUrl: string;
  /** Reports the number of daemons whose part is missing in the result, for the header that states it. */
  readonly missing: (daemons: number) => void;
}

/** Runs an operation. Returns its result; null for none. Raises Problem. */
export type StandaloneRun = (call: StandaloneCall) => Promise<JsonObject | null>;
/** The parts of the daemon that run operations, by the name of the operation. */
export type StandaloneRuns = Readonly<Record<string, StandaloneRun>>;

/** A request for a stream of events. */
export interface StreamCall extends StandaloneCall {
  /** The header `Last-Event-ID`; null without one. */
  readonly lastEventId: string | null;
  /** Returns true while the account's IP restrictions admit the client. */
  readonly isSourceAdmitted: () => boolean;
  /** Resolves with true while the client's credential is good. Rejects if that is not known at the moment. */
  readonly isIdentified: () => Promise<boolean>;
}

/** Opens a stream of events. Raises Problem. */
export type StandaloneStream = (call: StreamCall) => Promise<StreamedBody>;
/** The parts of the daemon that open streams, by the name of the operation. */
export type StandaloneStreams = Readonly<Record<string, StandaloneStream>>;
