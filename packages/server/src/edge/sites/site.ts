/**
 * What a name or a port leads to: a site, its routes, and what each route does with a request or a connection. Never that one
 * of these objects changes: each request is decided by one route, and a change makes new ones.
 */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { ByteStream, LiveTunnel, ProxyConnection } from '../../online/online.ts';
import type { ServerCertificate } from '../../pki/certificate-source.ts';
import type { ConnectionFacts, RequestFacts, Visitor } from './facts.ts';

export type { ByteStream } from '../../online/online.ts';
export type { ConnectionFacts, RequestFacts, Visitor } from './facts.ts';

/** How TLS is terminated for a site; connections made under equal keys may go on under each other's site. */
export interface TlsPolicy {
  readonly key: string;
  readonly minVersion: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  /** The authorities, in PEM, one of which must have signed the visitor's certificate; none: no certificate will do. Null: nobody is asked for one. */
  readonly clientAuthorities: readonly string[] | null;
  /** Absent: what the service has for the name. */
  readonly certificate?: ServerCertificate;
}

export interface Site {
  /** `edgtls_…`, `edghts_…`, `edgtcp_…` or `ep_…`; where nothing is online `rd_…`, the name that is held, or ''. */
  readonly id: string;
  /** '' where the name is nobody's. */
  readonly account: string;
  /** What the agent is told (agent protocol, section 6). */
  readonly edgeType: ProxyConnection['edgeType'];
  /** Null: TLS passes through, or there is none. */
  readonly tls: TlsPolicy | null;
  /** What is inside TLS: HTTP has a route for each request, bytes have one for the connection. */
  readonly carries: 'http' | 'bytes';
  /** Whether routes differ by path. */
  readonly routesByPath: boolean;
  /** All of them, by their ids. Absent: there is one for every path. */
  readonly routes?: ReadonlyMap<string, Route>;
  /** `path` as it stands in the request, from the slash to before the query; '' where it makes no difference. */
  route(path: string): Route;
}

/** What one path, or one connection, goes through. */
export interface Route {
  /** `edghtsrt_…`, or the site's. */
  readonly id: string;
  /** Set when it serves nobody: a module without effect, a backend that is missing or turned off. */
  readonly refusal: ErrorName | null;
  /** In the order in which they are asked. */
  readonly guards: readonly Guard[];
  /** Asked when all of the body is there, after all others; with any, nothing goes on before. */
  readonly bodyGuards: readonly BodyGuard[];
  /** A route of the site keeps visitors out by a guard, so that no field of theirs may give the request another path or method. */
  readonly isGuarded: boolean;
  /** Whether a guard or an edit looks at the request, whose facts then have to be copied. */
  readonly readsRequest: boolean;
  readonly requestEdits: readonly HeadEdit[];
  readonly responseEdits: readonly HeadEdit[];
  readonly bodyStages: readonly BodyStage[];
  readonly watches: readonly AnswerWatch[];
  /** Requests become something else than HTTP on the way to the backend. */
  readonly converter: Converter | null;
  readonly backend: Backend;
}

/** Goes on, is refused by name, or is answered. */
export type Verdict = null | ErrorName | Reply;

/** What guards of requests may say beside that. */
export type RequestVerdict = Verdict | Refusal;

/** Is refused with a message that has values. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly error: ErrorName;
  readonly values: Readonly<Record<string, string>>;
  /** Reason for the owner alone, as in the log. Absent: the message states it. */
  readonly reason?: string;
}

/** Decides before a backend is looked for. One that reads only the connection works for bytes, too, and again when something changes. */
export type Guard =
  | { readonly name: string; readonly reads: 'connection'; check(facts: ConnectionFacts): Verdict }
  | {
      readonly name: string;
      readonly reads: 'request';
      /** Decides of a request when it comes, and not again of one that is under way. */
      readonly isOnce?: true;
      check(facts: RequestFacts): RequestVerdict | Promise<RequestVerdict>;
      /** Asked each second of a request under way that was let go on: whether it has to end by now. Absent: never. */
      isOver?(facts: RequestFacts): boolean;
      /** Under which word it is recorded that it let a request go on; asked right after the check. Absent: `allow`. */
      allowed?(): string;
      /** Of whom it has decided, for the record. Absent: it does not ask who somebody is. */
      visitorOf?(facts: RequestFacts): Visitor;
    };

/** Decides by the whole body of a request, once. */
export interface BodyGuard {
  readonly name: string;
  /** What it asks for: a request that one has let through is not asked again by another one that asks for the same. */
  readonly terms: string;
  /** Bytes that a body may have, with its framing. */
  readonly limit: number;
  check(facts: RequestFacts, body: Buffer): Verdict;
}

/** Changes a head on its way: what is removed goes first. Names in lower case. */
export interface HeadEdit {
  readonly remove: ReadonlySet<string>;
  /** Whether `add` looks at the request. */
  readonly readsRequest: boolean;
  /** `answer` is null for the head of a request. */
  add(request: RequestFacts, answer: AnswerFacts | null): Fields;
  /** What takes the place of what the answer has by the same names; of answers only. */
  replace?(request: RequestFacts, answer: AnswerFacts): Fields;
}

export type Fields = readonly (readonly [name: string, value: string])[];

/** What may be known of an answer from its head. Of use only in the call that it is handed to. */
export interface AnswerFacts {
  readonly status: number;
  /** The length that the answer states, or null. */
  readonly length: number | null;
  /** The service says it itself. */
  readonly isOwn: boolean;
  /** It came over a connection that had carried a request before. */
  readonly isReused: boolean;
  /** The values of a field with commas between them, by its name in lower case; '' when there is none. */
  field(name: string): string;
}

/** Changes the bodies of answers; asked of those to HEAD and of 304, too, for what they say of a body. */
export interface BodyStage {
  readonly name: string;
  decide(request: RequestFacts, answer: AnswerFacts): StageDecision;
}

/** Fields change also for an answer to HEAD, which has no body to filter, so that it says what GET would. */
export interface StageDecision {
  /** For the record, such as `gzip`. */
  readonly decision: string;
  readonly remove: ReadonlySet<string>;
  readonly add: Fields;
  /** Null: the body goes as it is. */
  readonly body: BodyChange | null;
}

export interface BodyChange {
  /** For a body that is on its way. */
  readonly filter: () => ByteFilter;
  /** For one that is there as a whole, which is not large. */
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
  /** Whoever takes what comes out is slow, or no longer. */
  pause(): void;
  resume(): void;
  destroy(): void;
}

/** Told how each request that went to a backend came out. */
export interface AnswerWatch {
  /**
   * `status` is 0 when the backend is not to blame for what came: the visitor left, or was itself the cause of an error. `request` is null
   * for one that began under a route which looks at none.
   */
  answered(status: number, request: RequestFacts | null): void;
}

export interface Converter {
  readonly name: 'websocket_tcp';
}

/** An answer that is known beforehand. */
export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  /** Lower-case names, already checked. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Reason of a refusal, for the owner alone. Absent: the body states it. */
  readonly reason?: string;
}

/** Where requests and connections end up. Backends nest. */
export interface Backend {
  /** `bkd…_…`, or the tunnel's. */
  readonly id: string;
  /** Where to go, leaving out what was tried in vain; the reason when there is nothing (left). */
  pick(tried: ReadonlySet<Opener>): Opener | Reply | ErrorName;
  /** Whether what was opened by this opener could have been picked: else it ends with the change that made it so. */
  leadsTo(opener: Opener): boolean;
  /** Tunnels that may get its requests at the moment; null: requests go to a place that is no tunnel. */
  tunnels(): readonly LiveTunnel[] | null;
  /** It is no more; present where it is what closes its openers. */
  dispose?(): void;
}

/** One place that streams of bytes can be opened to. The same object for as long as it is the same place. */
export interface Opener {
  /** `tn_…` or `bkdsc_…`, for logs. */
  readonly id: string;
  /** Those that have their streams in common have it in common: an agent's session. */
  readonly session: string;
  /** How many streams its session has; absent: as many as that of an agent. */
  readonly capacity?: number | undefined;
  /** Requests and connections under way; whoever opens streams for visitors counts them. */
  outstanding: number;
  /** A stream that is refused may be opened a moment later: what refuses it accepts only so many at a time. */
  readonly refusesForNow?: boolean;
  /** A stream may serve one visitor alone, and be kept for no other. */
  readonly isOfOneVisitor?: boolean;
  /** A stream that ends without a byte may not have reached the service. Absent: such a stream is reset with a code that says so. */
  readonly hidesDials?: boolean;
  /** Requests go there over HTTP/2, with prior knowledge; absent: over HTTP/1.1. */
  readonly speaksHttp2?: boolean;
  /** Null: it takes no more, and nothing was done. */
  open(connection: ProxyConnection): ByteStream | null;
  /** Aborts when the place is gone: what is open ends. */
  readonly closed: AbortSignal;
  /** Once it is closed: milliseconds in which requests may finish; absent or 0: none. */
  readonly finishMs?: number;
  /** To be told when something is asked on a stream that was open before. */
  expectAnswer(): void;
}
