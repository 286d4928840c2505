/**
 * One request, as its handler sees it.
 * Invariant: no more of the body is read than the handler requests.
 */

import type { BodyFault } from '../http-syntax/body.ts';
import { Field } from '../http-syntax/fields.ts';
import { CHUNKED, type Framing, type FramingFault } from '../http-syntax/framing.ts';
import type { Head, HeadFault } from '../http-syntax/head.ts';
import { encodedTarget } from '../http-syntax/rewritten-head.ts';
import type { Answer } from './answer.ts';

/** Faults of a client's input. `requestUnfinished`: it ended in the middle. */
export type RequestFault = HeadFault | FramingFault | BodyFault | 'requestTimeout' | 'requestUnfinished';
export type ConnectionFault = RequestFault | 'tooManyConnections';

/** Values by names in lower case. Repeated fields are one value, with commas. */
export type Headers = ReadonlyMap<string, string>;

/** Takes the body of a request, piece by piece. The last call is `end` or `fail`. */
export interface BodySink {
  data(bytes: Buffer): void;
  end(): void;
  /** No more will come. Null: the client is gone. */
  fail(fault: RequestFault | null): void;
}

/** The sender of a request. */
export interface Peer {
  /** Address of the client; '' if the client was gone before it was read. */
  readonly source: string;
  /** Name of the TLS connection; null without one. */
  readonly servername: string | null;
  /** The Host header that was last found to fit the TLS server name. */
  fittingHost: string | undefined;
}

/** The sender of an invalid request. */
export interface Sender extends Peer {
  /** Answers, and ends the connection. */
  refuse(answer: Answer): void;
}

/** The connection as a request needs it. */
export interface RequestOwner {
  /** The body is read from here on, by its sink or to be thrown away. */
  readOn(request: Request): void;
  send(request: Request, answer: Answer): void;
  destroy(): void;
}

const NONE: ReadonlySet<string> = new Set();
/** Form of targets for proxies, which origin servers accept as well (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?]*)(.*)$/i;

export class Request {
  readonly peer: Peer;
  readonly method: string;
  /** Target as received; of an absolute target, the part after its authority. */
  readonly target: string;
  /**
   * Everything between scheme and path of an absolute target: the host, and a user if given. Null without an absolute
   * target.
   */
  readonly authority: string | null;
  readonly headers: Headers;
  /** The names that were sent several times. */
  readonly repeated: ReadonlySet<string>;
  readonly isHttp10: boolean;
  /** Announced length of the body in bytes; null if it is chunked. */
  readonly bodyLength: number | null;
  /** True if the client sends the body only after an interim response (RFC 9110, section 10.1.1). */
  readonly expectsContinue: boolean;
  /** Receiver of the body. Null before the handler reads it, and after its last piece. */
  sink: BodySink | null = null;
  isAsked = false;
  /** True if the rest of the body is read and dropped. */
  isDiscarded = false;
  /** The answer is with the kernel, or the connection is gone. */
  isOver = false;
  readonly #owner: RequestOwner;
  #whenOver: (() => void) | null = null;

  constructor(head: Head, framing: Framing, peer: Peer, owner: RequestOwner) {
    const { bytes, start, methodEnd, targetStart, targetEnd } = head;
    this.peer = peer;
    this.method = bytes.toString('latin1', start, methodEnd);
    const target = encodedTarget(bytes.toString('latin1', targetStart, targetEnd));
    const absolute = target[0] === '/' ? null : ABSOLUTE.exec(target);
    this.authority = absolute?.[1] ?? null;
    this.target = absolute === null ? target : originForm(absolute[2]!);
    const headers = new Map<string, string>();
    this.repeated = readFields(head, headers);
    this.headers = headers;
    this.isHttp10 = head.minorVersion === 0;
    this.bodyLength = framing === CHUNKED ? null : framing;
    // RFC 9110, section 10.1.1: in HTTP/1.0 the expectation is ignored.
    this.expectsContinue =
      !this.isHttp10 &&
      head.has(Field.expect) &&
      framing !== 0 &&
      headers.get('expect')?.toLowerCase() === '100-continue';
    this.#owner = owner;
  }

  get hasBody(): boolean {
    return this.bodyLength !== 0;
  }

  /** Once for a request, and only for one with a body. */
  readBody(sink: BodySink): void {
    this.sink = sink;
    this.isAsked = true;
    this.#owner.readOn(this);
  }

  /** Reads what is left of the body and throws it away, up to a limit. */
  discardBody(): void {
    this.sink = null;
    this.isDiscarded = true;
    this.#owner.readOn(this);
  }

  /** Once for a request. */
  answer(answer: Answer): void {
    this.#owner.send(this, answer);
  }

  /** Calls back once the kernel has the response or the connection is gone. There is one callback. */
  onceOver(act: () => void): void {
    this.#whenOver = act;
  }

  /** Marks the request as over. Called by the connection only. */
  over(): void {
    this.isOver = true;
    this.#whenOver?.();
    this.#whenOver = null;
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#owner.destroy();
  }
}

/** An authority may have no path behind it. */
function originForm(rest: string): string {
  return rest[0] === '/' ? rest : `/${rest}`;
}

/** Fills `headers`, and answers the names that are there more than once. */
function readFields(head: Head, headers: Map<string, string>): ReadonlySet<string> {
  let repeated: Set<string> | null = null;
  for (let i = 0; i < head.count; i += 1) {
    const name = head.name(i).toLowerCase();
    const value = head.value(i);
    const before = headers.get(name);
    if (before !== undefined) {
      repeated ??= new Set();
      repeated.add(name);
    }
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return repeated ?? NONE;
}
