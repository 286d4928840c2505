/** The response types of the inspector's API, for the page and for programs. */
import type { GrpcStatus } from '../grpc.ts';

/** The state of an exchange: `open` until its response is complete. */
export type Outcome = 'open' | 'complete' | 'broken';

/** A line of the list. */
export interface ExchangeSummary {
  readonly id: number;
  /** Id of the tunnel; null: it was read from a file. */
  readonly tunnel: number | null;
  readonly method: string;
  readonly path: string;
  /** Null: no answer yet, or none at all. */
  readonly status: number | null;
  /** Result of a gRPC call. Null: none, not ended yet, or the HTTP status is the result. */
  readonly grpc: GrpcStatus | null;
  readonly outcome: Outcome;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Null: it goes on. */
  readonly durationMs: number | null;
  readonly requestSize: number;
  readonly responseSize: number;
  /** Media type of the answer; '' unknown. */
  readonly contentType: string;
  readonly replayOf: number | null;
  /** Null: no WebSocket. */
  readonly messages: number | null;
  /** Set if the service refused it: nothing but its line came here, and it cannot be replayed. */
  readonly refusal: RefusalView | null;
}

/** Reason why the service refused a request; the reason is the `fault` of the details. */
export interface RefusalView {
  /** Such as `ERR_SERVICE_3205`; '' for none. */
  readonly code: string;
  /** Module of the service, such as `basic_auth`; '' for none. */
  readonly module: string;
}

export type Header = readonly [name: string, value: string];

export interface BodySummary {
  /** Bytes of the original. */
  readonly size: number;
  /** Only its beginning was kept. */
  readonly isCut: boolean;
  /** The Content-Encoding; '' if there is none. */
  readonly encoding: string;
  readonly contentType: string;
}

export interface MessageHead {
  readonly version: string;
  readonly headers: readonly Header[];
}

export interface ExchangeDetails extends ExchangeSummary {
  /** Public URL; null if unknown. */
  readonly url: string | null;
  readonly client: string;
  /** Reason why there is no answer, or not the one that was meant; null: nothing is known to be wrong. */
  readonly fault: string | null;
  /** Milliseconds since the request's head; null: not yet, or never. */
  readonly timing: {
    readonly sentMs: number | null;
    readonly answeredMs: number | null;
    readonly endedMs: number | null;
  };
  readonly request: MessageHead & { readonly body: BodySummary };
  /** Null: no answer yet. */
  readonly response: (MessageHead & { readonly reason: string; readonly body: BodySummary }) | null;
}

export interface MessageView {
  readonly direction: 'sent' | 'received';
  /** Milliseconds since the request; null for gRPC, which is kept without times. */
  readonly atMs: number | null;
  readonly kind: 'text' | 'binary' | 'close' | 'ping' | 'pong' | 'other';
  readonly size: number;
  readonly isCut: boolean;
  /** Hexadecimal if binary; null: compressed, and cannot be decompressed here. */
  readonly text: string | null;
}

export interface MessagesView {
  /** Number of messages. The latest are listed; for gRPC the first of each direction. */
  readonly count: number;
  readonly messages: readonly MessageView[];
}

export interface TunnelView {
  readonly id: number;
  readonly name: string | null;
  readonly proto: string;
  /** Null: labelled, or not bound yet. */
  readonly url: string | null;
  readonly labels: Readonly<Record<string, string>> | null;
  readonly forwardsTo: string;
  readonly isOnline: boolean;
}

export interface StatusView {
  readonly version: string;
  readonly server: string;
  readonly session: {
    readonly state: 'connecting' | 'online' | 'offline';
    readonly id: string;
    readonly region: string;
    /** Reason why it is offline; '' otherwise. */
    readonly reason: string;
    /** Milliseconds since 1970. */
    readonly since: number;
  };
  readonly tunnels: readonly TunnelView[];
  readonly kept: { readonly exchanges: number; readonly bytes: number };
}

/** An event of the stream: what is new or changed since the one before. */
export interface ExchangesEvent {
  /** Exchanges with a lower id are not kept any more. */
  readonly oldest: number;
  /** The order in which they changed. */
  readonly exchanges: readonly ExchangeSummary[];
}

/** Changes of a replay; absent fields stay. */
export interface ReplayRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: readonly Header[];
  /** Text, or in Base64. */
  readonly body?: string;
  readonly bodyBase64?: string;
  /** Id of the tunnel, for what came from a file. */
  readonly tunnel?: number;
}

export interface HarAnswer {
  readonly imported: number;
  /** Number of entries without an HTTP request, such as those of `data:` URLs. */
  readonly leftOut: number;
}

export interface ReplayAnswer {
  /** Id of the new exchange. */
  readonly id: number;
}
