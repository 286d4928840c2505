/** The interface of the visitor's side for the upstream's side of an exchange. */
import type { MessageFault } from '@underpass/wire/http1';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { DialFault } from '../../errors/dial-fault.ts';
import type { Backend, Opener, Reply, RequestFacts, Route } from '../sites/site.ts';
import type { AskedOrigin } from './own-location.ts';

/** The visitor's side, as the upstream's side of an exchange sees it. */
export interface Visitor {
  /** True if all of the request was read. */
  readonly requestComplete: boolean;
  /** The route that decides the request. */
  readonly route: Route;
  /** Facts of the request. Its head is included only if the route reads it. */
  readonly requestFacts: RequestFacts;
  /** The answer comes over a connection that had carried a request before. */
  readonly isReused: boolean;
  /** The scheme and host that the visitor gave. */
  readonly asked: Pick<AskedOrigin, 'host' | 'scheme'>;
  /** Records the decision of a module. */
  decided(module: string, decision: string): void;
  /** Returns true if the connection ends after this response. Called once, when its head is written. */
  endsAfterResponse(): boolean;
  /** The status of the final response, before its head is written. */
  answering(status: number): void;
  /** Writes to the visitor. `more`: more follows, perhaps at once. False: the visitor is slow, wait for `visitorDrained`. */
  relay(bytes: Buffer, more: boolean): boolean;
  /** A stage of the body took in so many bytes more than it gave. */
  saved(bytes: number): void;
  /** The upstream is slow: no more request body, until `resumeBody`. */
  pauseBody(): void;
  resumeBody(): void;
  /** The whole response has been written. */
  answered(): void;
  /** The fault of the upstream's response, for its owner: it ends the exchange. */
  upstreamFault(fault: MessageFault): void;
  /** The cause of the failure that follows. */
  unreached(fault: DialFault): void;
  /**
   * Waits until its name is served again, if an agent is expected there. Calls `goOn` with the backend to try, or null.
   * Returns null if nothing is waited for.
   */
  whenServed(goOn: (backend: Backend | null) => void): { cancel(): void } | null;
  /** No response has been written: write this error. */
  fail(name: ErrorName): void;
  /** No response has been written: write this one. */
  reply(reply: Reply): void;
  /** Closes the connection if a response cannot be completed, so that the visitor notices. */
  abort(): void;
  /** Handling what the upstream sent went wrong here. */
  crashed(error: unknown): void;
  /** 101 has been written: from now on bytes, both ways. */
  switched(): void;
  /** Half-close of a switched connection. */
  endWriting(): void;
}

/** Facts of the request for the upstream's side. */
export interface ForwardedRequest {
  readonly isHead: boolean;
  readonly upgradeTo: string | null;
  readonly bindsConnection: boolean;
  /** Nothing is lost when it is sent a second time. */
  readonly repeatable: boolean;
}

/** A switched connection of which one side has ended. */
export interface HalfClosed {
  /** The side that ended last. */
  readonly by: 'visitor' | 'upstream';
  /** Coarse time of that end. */
  readonly since: number;
  readonly isWebsocket: boolean;
}

/** The upstream's side of an exchange, as the visitor's side sees it: what happens there, and what became of it. */
export interface UpstreamSide {
  /** Opener of its backend; null for none. */
  readonly opener: Opener | null;
  /** It is a connection that had carried a request before. */
  readonly isReused: boolean;
  /** Coarse time of the last sign of life of the upstream. */
  readonly lastHeard: number;
  /** Null: the connection is not switched, or no side of it has ended. */
  readonly halfClosed: HalfClosed | null;
  /** Its site is another now, whose route leads where it went, too, and to this backend where it has to go elsewhere. */
  movedTo(backend: Backend): void;
  /** A piece of the request body; after a switch, any bytes. */
  requestData(bytes: Buffer): void;
  requestEnded(): void;
  visitorEnded(): void;
  visitorDrained(): void;
  /** The visitor is gone, or the request is malformed. */
  cancel(): void;
  /** The upstream has been silent for too long. */
  expire(): void;
}
