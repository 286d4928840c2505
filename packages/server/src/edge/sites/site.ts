/**
 * The compiled form of a name or a port: a site, its routes, and their actions.
 * Invariant: these objects never change. A change creates new ones, so that one route decides each request.
 */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { ByteStream, ProxyConnection, TunnelHandle } from '../../online/online.ts';
import type { ServerCertificate } from '../../pki/certificate-source.ts';
import type { ConnectionFacts, RequestFacts, Visitor } from './facts.ts';

export type { ByteStream } from '../../online/online.ts';
export type { ConnectionFacts, RequestFacts, Visitor } from './facts.ts';

/** TLS policy of a site; sites with equal keys accept each other's sessions. */
export interface TlsPolicy {
  readonly key: string;
  readonly minVersion: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  /**
   * Authorities, in PEM. One of them must have signed the visitor's certificate; an empty list accepts none. Null: no
   * certificate is requested.
   */
  readonly clientAuthorities: readonly string[] | null;
  /** Absent: what the service has for the name. */
  readonly certificate?: ServerCertificate;
}

export interface Site {
  /** `edgtls_…`, `edghts_…`, `edgtcp_…` or `ep_…`; where nothing is online `rd_…`, the name that is held, or ''. */
  readonly id: string;
  /** '' if the name belongs to no account. */
  readonly account: string;
  /** The bound name, or host and port, of an agent's endpoint; '' or absent for any other site. */
  readonly endpoint?: string;
  /** The edge type for the agent (agent protocol, section 6). */
  readonly edgeType: ProxyConnection['edgeType'];
  /** Null: TLS passes through, or there is none. */
  readonly tls: TlsPolicy | null;
  /** Content of TLS: HTTP has a route for each request, bytes have one for the connection. */
  readonly carries: 'http' | 'bytes';
  /** True if routes differ by path. */
  readonly routesByPath: boolean;
  /** All of them, by their ids. Absent: there is one for every path. */
  readonly routes?: ReadonlyMap<string, Route>;
  /** `path` is the raw path of the request, without its query; '' if routes do not depend on it. */
  route(path: string): Route;
}

/** The steps for one path, or one connection. */
export interface Route {
  /** `edghtsrt_…`, or the site's. */
  readonly id: string;
  /** The reason if the route serves no visitor: a module without effect, or a missing or disabled backend. */
  readonly refusal: ErrorName | null;
  /** Guards in the order of their checks. */
  readonly guards: readonly Guard[];
  /** Guards that need the whole body, checked last. With any of them, no byte goes to the backend before. */
  readonly bodyGuards: readonly BodyGuard[];
  /** A route of the site keeps visitors out by a guard, so that no field of theirs may give the request another path or method. */
  readonly isGuarded: boolean;
  /** True if a guard or an edit reads the request, whose facts are then copied. */
  readonly readsRequest: boolean;
  readonly requestEdits: readonly HeadEdit[];
  readonly responseEdits: readonly HeadEdit[];
  readonly bodyStages: readonly BodyStage[];
  readonly watches: readonly AnswerWatch[];
  /** Requests become something else than HTTP on the way to the backend. */
  readonly converter: Converter | null;
  readonly backend: Backend;
}

/** The decision of a guard: null to continue, a refusal by name, or a response. */
export type Verdict = null | ErrorName | Reply;

/** The decision of a guard of requests. */
export type RequestVerdict = Verdict | Refusal;

/** A refusal whose message has values. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly error: ErrorName;
  readonly values: Readonly<Record<string, string>>;
  /** Reason for the owner alone, as in the log. Absent: the message states it. */
  readonly reason?: string;
}

/**
 * Decides before a backend is chosen. A guard that reads only the connection works for bytes, too, and is checked again
 * after changes.
 */
export type Guard =
  | { readonly name: string; readonly reads: 'connection'; check(facts: ConnectionFacts): Verdict }
  | {
      readonly name: string;
      readonly reads: 'request';
      /** Checked only when a request arrives, not again while it runs. */
      readonly isOnce?: true;
      check(facts: RequestFacts): RequestVerdict | Promise<RequestVerdict>;
      /** Called each second for an admitted request that still runs. Returns true to end it. Absent: never. */
      isOver?(facts: RequestFacts): boolean;
      /** Returns the recorded word for an admission, directly after the check. Absent: `allow`. */
      allowed?(): string;
      /** Returns the visitor for the record. Absent: the guard identifies no visitor. */
      visitorOf?(facts: RequestFacts): Visitor;
    };

/**
 * The decision of a guard about a request that is only described.
 * Invariant: a preview has no effect: nothing is counted, logged, sent or remembered.
 */
export interface Preview {
  readonly verdict: RequestVerdict | LoginRedirect;
  /** Reason in plain sentences, without secrets. */
  readonly why: string;
  /** Id of the resource that decides. Absent: the one that has the module. */
  readonly resource?: string;
}

/** A response of a login module, which a preview does not make. */
export interface LoginRedirect {
  readonly kind: 'redirect';
  /** 0 if only the provider can decide it. */
  readonly status: number;
}

/** A guard that can also decide about a described request. `preview` uses the rule of `check`. */
export type ExplainedGuard =
  | (Extract<Guard, { readonly reads: 'connection' }> & { preview(facts: ConnectionFacts): Preview })
  | (Extract<Guard, { readonly reads: 'request' }> & {
      /** Raises Problem if the previews of a module are exhausted. */
      preview(facts: RequestFacts): Preview | Promise<Preview>;
    });

/** Decides by the whole body of a request, once. */
export interface BodyGuard {
  readonly name: string;
  /** Identifies the check. A request that passed it is not checked again by another guard with equal terms. */
  readonly terms: string;
  /** Bytes that a body may have, with its framing. */
  readonly limit: number;
  check(facts: RequestFacts, body: Buffer): Verdict;
}

/** A body guard that can also state the reason of its check, which has no effect. */
export interface ExplainedBodyGuard extends BodyGuard {
  preview(facts: RequestFacts, body: Buffer): Preview;
}

/** Changes a head. Fields are removed first. Names are in lower case. */
export interface HeadEdit {
  readonly remove: ReadonlySet<string>;
  /** True if `add` reads the request. */
  readonly readsRequest: boolean;
  /** `answer` is null for the head of a request. */
  add(request: RequestFacts, answer: AnswerFacts | null): Fields;
  /** Returns fields that replace those of a response with equal names. */
  replace?(request: RequestFacts, answer: AnswerFacts): Fields;
}

export type Fields = readonly (readonly [name: string, value: string])[];

/** Facts about a response from its head, valid only during the call. */
export interface AnswerFacts {
  readonly status: number;
  /** The length that the answer states, or null. */
  readonly length: number | null;
  /** True if the service itself sent the response. */
  readonly isOwn: boolean;
  /** It came over a connection that had carried a request before. */
  readonly isReused: boolean;
  /** The values of a field with commas between them, by its name in lower case; '' when there is none. */
  field(name: string): string;
}

/** Changes the bodies of responses. It is also called for HEAD and 304, whose fields describe a body. */
export interface BodyStage {
  readonly name: string;
  decide(request: RequestFacts, answer: AnswerFacts): StageDecision;
}

/** The decision of a stage. A response to HEAD has no body, but gets the same fields as one to GET. */
export interface StageDecision {
  /** The recorded word, such as `gzip`. */
  readonly decision: string;
  readonly remove: ReadonlySet<string>;
  readonly add: Fields;
  /** Null: the body goes as it is. */
  readonly body: BodyChange | null;
}

export interface BodyChange {
  /** Creates a filter for a streamed body. */
  readonly filter: () => ByteFilter;
  /** Converts a whole small body. */
  whole(body: Buffer): Buffer;
}

/** Bytes in, other bytes out, later and with back-pressure. */
export interface ByteFilter {
  /** False: wait for `onDrain`. */
  write(bytes: Buffer): boolean;
  end(): void;
  onData: (bytes: Buffer) => void;
  onEnd: () => void;
  onDrain: () => void;
  onError: () => void;
  /** Pauses the output while its reader is slow. */
  pause(): void;
  resume(): void;
  destroy(): void;
}

/** Receives the outcome of each request to a backend. */
export interface AnswerWatch {
  /**
   * `status` is 0 if the backend did not cause the outcome: the visitor left, or caused the error itself. `request` is
   * null if the route read no request at the beginning.
   */
  answered(status: number, request: Pick<RequestFacts, 'decisions'> | null): void;
}

export interface Converter {
  readonly name: 'websocket_tcp';
}

/** A response that is known beforehand. */
export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  /** Lower-case names, already checked. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Reason of a refusal, for the owner alone. Absent: the body states it. */
  readonly reason?: string;
}

/** The destination of requests and connections. Backends nest. */
export interface Backend {
  /** `bkd…_…`, or the tunnel's. */
  readonly id: string;
  /** Returns a place, except tried ones, or a response, or the reason if none is left. */
  pick(tried: ReadonlySet<Opener>): Opener | Reply | ErrorName;
  /** Returns true if this opener could be picked now. Otherwise its streams end with the change. */
  leadsTo(opener: Opener): boolean;
  /** Tunnels that may get its requests at the moment; null: requests go to a place that is no tunnel. */
  tunnels(): readonly TunnelHandle[] | null;
  /** Called when the backend is discarded. Present if it must close its openers. */
  dispose?(): void;
}

/** The choice of a backend for a first attempt. Invariant: it changes no turn, draws nothing and dials nothing. */
export interface BackendPreview {
  readonly id: string;
  /** Result of the choice like that of `pick`; null: a tunnel or an address. */
  readonly instead: Reply | ErrorName | null;
  readonly why: string;
  /** The backends below it in the order of its choice. Absent: there are none. */
  readonly below?: readonly BelowPreview[];
}

export interface BelowPreview {
  readonly preview: BackendPreview;
  /** True for the backend that the first attempt goes to, or most probably goes to. */
  readonly isChosen: boolean;
}

/** A backend that can also describe its choice. */
export interface ExplainedBackend extends Backend {
  /** `proto`: protocol of the visitor's connection. */
  preview(connection: Pick<ProxyConnection, 'proto'>): BackendPreview;
}

/** One place that streams of bytes can be opened to. The same object for as long as it is the same place. */
export interface Opener {
  /** `tn_…` or `bkdsc_…`, for logs. */
  readonly id: string;
  /** Key of openers with shared streams: an agent's session. */
  readonly session: string;
  /** Facts of a tunnel; absent for any other place. */
  readonly facts?: { readonly credential: string };
  /** Number of streams of its session; absent: the number of an agent. */
  readonly capacity?: number | undefined;
  /** Requests and connections in progress. The caller that opens streams for visitors counts them. */
  outstanding: number;
  /** A stream that is refused may be opened a moment later: what refuses it accepts only so many at a time. */
  readonly refusesForNow?: boolean;
  /** A stream may serve one visitor alone, and be kept for no other. */
  readonly isOfOneVisitor?: boolean;
  /**
   * True if a stream that ends without a byte may not have reached the service. Absent: such a stream is reset with a
   * code.
   */
  readonly hidesDials?: boolean;
  /** Requests go there over HTTP/2, with prior knowledge; absent: over HTTP/1.1. */
  readonly speaksHttp2?: boolean;
  /** Returns null if the place accepts no more. Then nothing was sent. */
  open(connection: ProxyConnection): ByteStream | null;
  /** Aborts when the place is gone: what is open ends. */
  readonly closed: AbortSignal;
  /** Once it is closed: milliseconds in which requests may finish; absent or 0: none. */
  readonly finishMs?: number;
  /** Reports a request on a stream that was open before. */
  expectAnswer(): void;
  /** Reports a stream that the place has refused for now. Absent: the place sees it by itself. */
  refusedStream?(): void;
  /** Nothing is sent through it at the moment, not even on a kept stream; absent: that cannot be. */
  readonly isFenced?: boolean;
}
