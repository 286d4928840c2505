/** One request, as who answers it sees it. Never that more of its body is read than somebody asked for. */

import type { BodyFault } from '../http-syntax/body.ts';
import { Field } from '../http-syntax/fields.ts';
import { CHUNKED, type Framing, type FramingFault } from '../http-syntax/framing.ts';
import type { Head, HeadFault } from '../http-syntax/head.ts';
import { encodedTarget } from '../http-syntax/rewritten-head.ts';
import type { Answer } from './answer.ts';

/** What can be wrong with what a client sends. `requestUnfinished`: it ended in the middle. */
export type RequestFault = HeadFault | FramingFault | BodyFault | 'requestTimeout' | 'requestUnfinished';
export type ConnectionFault = RequestFault | 'tooManyConnections';

/** By names in lower case; what was sent several times is one value, with commas. */
export type Headers = ReadonlyMap<string, string>;

/** Takes the body of a request, piece by piece. The last call is `end` or `fail`. */
export interface BodySink {
  data(bytes: Buffer): void;
  end(): void;
  /** No more will come. Null: the client is gone. */
  fail(fault: RequestFault | null): void;
}

/** Who has sent it. */
export interface Peer {
  /** The address; '' when the peer was gone before it could be asked. */
  readonly source: string;
  /** That TLS was made for; null without. */
  readonly servername: string | null;
  /** The Host header that was last found to fit the TLS server name. */
  fittingHost: string | undefined;
}

/** Who has sent something that cannot be served. */
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
/** What proxies are sent, and origin servers have to accept as well (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?]*)(.*)$/i;

export class Request {
  readonly peer: Peer;
  readonly method: string;
  /** As it came, or what an absolute one has behind its authority. */
  readonly target: string;
  /** Of an absolute target: the host, and what else stands before the path. Null without. */
  readonly authority: string | null;
  readonly headers: Headers;
  /** The names that were sent several times. */
  readonly repeated: ReadonlySet<string>;
  readonly isHttp10: boolean;
  /** Of the body as it was announced, in bytes; null where it comes in chunks. */
  readonly bodyLength: number | null;
  /** The client sends its body when it is asked to (RFC 9110, section 10.1.1). */
  readonly expectsContinue: boolean;
  /** Of the body; null before somebody asks for it, and when the last of it has come. */
  sink: BodySink | null = null;
  isAsked = false;
  /** What is left of the body is read and thrown away. */
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

  /** Calls back when the answer is with the kernel or the connection is gone. One can ask. */
  onceOver(act: () => void): void {
    this.#whenOver = act;
  }

  /** For the connection alone. */
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
