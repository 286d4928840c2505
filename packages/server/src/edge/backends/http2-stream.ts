/**
 * Carries one request to a service that speaks HTTP/2, as a stream that speaks HTTP/1.1.
 * Invariant: a response ends well only if the service ended it.
 */
import { ErrorCode, GrowingBuffer, noopHandler, type StreamHandler } from '@underpass/wire';
import { MessageFault } from '@underpass/wire/http1';
import { type HeaderList, Http2Error } from '@underpass/wire/http2';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { DialFault } from '../../errors/dial-fault.ts';
import { answerHead } from '../../http2/answer-head.ts';
import type { Http2Connection } from '../../http2/connection.ts';
import { RequestWriter, requestOf, type WrittenRequest } from '../../http2/request-writer.ts';
import type { Http2Stream as Stream, StreamUser } from '../../http2/stream.ts';
import { trailerSection } from '../../http2/trailer-fields.ts';
import type { ByteStream } from '../sites/site.ts';

const CRLF = Buffer.from('\r\n');
const CHUNKED = -1;
/** Bytes that wait behind a head until it can be sent. */
const UNSENT_BYTES = 16 * 1024;

/** Functions of the connection for a request's stream. */
export interface Http2StreamOwner {
  readonly connection: Http2Connection;
  /** The reason why the connection ended before any request; undefined if unknown. */
  readonly failure: ErrorName | undefined;
  readonly closeCode: ErrorCode;
  /** The cause why the service was not reached; undefined if unknown. */
  readonly dialFault: DialFault | undefined;
  /** Reports that the service accepts no more. Further requests use another connection. */
  tooMuch(): void;
  /**
   * Calls back when the service's settings are known, or the connection has ended. The returned function cancels the
   * call.
   */
  whenReady(act: () => void): () => void;
}

export class Http2UpstreamStream implements ByteStream, StreamUser {
  handler: StreamHandler = noopHandler;
  failure?: ErrorName;
  dialFault?: DialFault;
  fault?: MessageFault;
  closed = false;
  readonly #owner: Http2StreamOwner;
  #stream: Stream | null = null;
  #writer: RequestWriter | null = null;
  /** A WebSocket's request, until it is known whether there can be one. */
  #unsent: GrowingBuffer | null = null;
  #stopWaiting: (() => void) | null = null;
  #owesDrain = false;
  /** There was no room for the request: it is about to be lost. */
  #isRefused = false;
  #request: WrittenRequest = { isHead: false, websocketKey: null };
  /** Bytes of the response body to come, or CHUNKED; null before its head. */
  #remaining: number | null = null;
  #isTunnel = false;
  #isPaused = false;

  constructor(owner: Http2StreamOwner) {
    this.#owner = owner;
  }

  get writableNeedDrain(): boolean {
    return this.#owesDrain || this.#stream?.isBlocked === true;
  }

  write(chunk: Uint8Array): boolean {
    if (this.closed || this.#isRefused) return true;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#unsent !== null) {
      this.#unsent.append(bytes);
      this.#owesDrain ||= this.#unsent.length > UNSENT_BYTES;
      return !this.#owesDrain;
    }
    if (this.#writer !== null) this.#writer.write(bytes);
    else this.#begin(bytes);
    return this.#stream?.isBlocked !== true;
  }

  #begin(bytes: Buffer): void {
    this.#request = requestOf(bytes);
    if (this.#request.websocketKey === null || this.#owner.connection.isReady) {
      this.#open(bytes, null);
      return;
    }
    const unsent = new GrowingBuffer();
    this.#unsent = unsent;
    this.#stopWaiting = this.#owner.whenReady(() => {
      this.#stopWaiting = null;
      this.#unsent = null;
      if (!this.closed) this.#open(bytes, unsent);
    });
  }

  /** `rest` was written behind the head. */
  #open(head: Buffer, rest: GrowingBuffer | null): void {
    const { connection } = this.#owner;
    if (!connection.hasRoom) {
      this.#isRefused = true;
      queueMicrotask(() => this.#lose(ErrorCode.streamRefused, this.#owner.failure));
      return;
    }
    if (this.#request.websocketKey !== null && !connection.takesConnect) {
      this.#isRefused = true;
      queueMicrotask(() => this.#lose(ErrorCode.protocol, 'upstreamWithoutWebsocket'));
      return;
    }
    const stream = connection.openStream(this);
    this.#stream = stream;
    if (this.#isPaused) stream.pause();
    this.#writer = new RequestWriter(stream);
    this.#writer.begin(head);
    if (rest !== null && rest.length > 0) this.#writer.write(rest.bytes);
    if (this.#owesDrain && !stream.isBlocked) this.handler.drain();
    this.#owesDrain = false;
  }

  /** Only what was switched has an end of its own: any other request ends by its framing. */
  end(): void {
    if (this.#isTunnel) this.#stream?.end();
    else this.reset(ErrorCode.streamCancelled);
  }

  reset(code: ErrorCode): void {
    if (this.closed) return;
    // Of a whole answer the end of the stream alone may be missing.
    this.#stream?.reset(this.#remaining === 0 && !this.#isTunnel ? Http2Error.none : Http2Error.cancel);
    this.#close(code === ErrorCode.none ? ErrorCode.streamReset : code);
  }

  pause(): void {
    this.#isPaused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#stream?.resume();
  }

  // ----- frames of the service

  headers(list: HeaderList, ends: boolean): void {
    const head =
      this.#remaining === null
        ? answerHead(list, this.#request, ends)
        : new MessageFault('header fields after the head that are no trailers', null);
    if (head instanceof MessageFault) {
      this.#malformed(head);
      return;
    }
    if (head.status >= 200) this.#remaining = head.length;
    if (head.status === 101) this.#isTunnel = true;
    this.handler.data(Buffer.from(head.text, 'latin1'));
  }

  data(bytes: Buffer): void {
    if (this.closed) return;
    if (this.#isTunnel) {
      this.handler.data(bytes);
      return;
    }
    if (this.#remaining === CHUNKED) {
      const size = Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1');
      this.handler.data(Buffer.concat([size, bytes, CRLF]));
      return;
    }
    if (this.#remaining === null || bytes.length > this.#remaining) {
      this.#malformed(new MessageFault('a body that is longer than its length', null));
      return;
    }
    this.#remaining -= bytes.length;
    this.handler.data(bytes);
  }

  ended(list: HeaderList): void {
    if (this.closed) return;
    if (this.#isTunnel) {
      this.handler.end();
      return;
    }
    const section = trailerSection(list);
    if (section === null || this.#remaining === null || this.#remaining > 0) {
      const what =
        section === null ? 'trailers that are not valid' : 'a body that is shorter than its length';
      this.#malformed(new MessageFault(what, null));
      return;
    }
    if (this.#remaining === CHUNKED) this.handler.data(Buffer.from(`0\r\n${section}`, 'latin1'));
  }

  drained(): void {
    this.handler.drain();
  }

  lost(code: number): void {
    const isRefused = code === Http2Error.refusedStream;
    if (isRefused || code === Http2Error.enhanceYourCalm) this.#owner.tooMuch();
    this.#lose(isRefused ? ErrorCode.streamRefused : this.#owner.closeCode, this.#owner.failure);
  }

  /** A malformed response cannot be forwarded, because it could be taken for a whole one. */
  #malformed(fault: MessageFault): void {
    this.fault = fault;
    this.#stream?.reset(Http2Error.protocol);
    this.#lose(ErrorCode.protocol, 'upstreamResponseInvalid');
  }

  #lose(code: ErrorCode, failure: ErrorName | undefined): void {
    if (failure !== undefined) this.failure = failure;
    const { dialFault } = this.#owner;
    if (dialFault !== undefined) this.dialFault = dialFault;
    this.#close(code);
  }

  #close(code: ErrorCode): void {
    if (this.closed) return;
    this.closed = true;
    this.#stopWaiting?.();
    this.#stopWaiting = null;
    this.#unsent = null;
    this.handler.close(code);
  }
}
