/**
 * Shows one HTTP/2 request as a connection of HTTP/1.1 that carries nothing else.
 * Invariant: no more of a request is read than was requested, and written bytes count as out only once the client
 * allows them.
 */
import { Duplex } from 'node:stream';
import { type HeaderField, type HeaderList, Http2Error } from '@underpass/wire/http2';
import type { Head } from '../http-syntax/head.ts';
import { AnswerWriter } from '../http2/answer-writer.ts';
import { requestHead } from '../http2/request-head.ts';
import type { Http2Stream, StreamUser } from '../http2/stream.ts';
import { trailerSection } from '../http2/trailer-fields.ts';

const CRLF = Buffer.from('\r\n');
const TOO_LARGE: readonly HeaderField[] = [{ name: ':status', value: '431' }];
const MALFORMED: readonly HeaderField[] = [{ name: ':status', value: '400' }];

export class StreamSocket extends Duplex implements StreamUser {
  readonly servername: string | null;
  readonly endsWithRequest = true;
  readonly #stream: Http2Stream;
  readonly #answer: AnswerWriter;
  readonly #malformed: () => void;
  #isChunked = false;
  /** It was too large: nothing of this request is read, and what is answered is in the stream. */
  #isHeadRefused = false;
  #isMalformed = false;
  /** Remaining bytes of a body with a length. */
  #remaining = 0;
  #whenDrained: (() => void) | null = null;

  /** `head` is for the answer: filled and used within one call. `malformed`: the client sent what is no request. */
  constructor(stream: Http2Stream, servername: string | null, head: Head, malformed: () => void) {
    // Unread bytes wait in the stream, which bounds the number of pieces too.
    super({ allowHalfOpen: true, readableHighWaterMark: 1, writableHighWaterMark: 16 * 1024 });
    this.servername = servername;
    this.#stream = stream;
    this.#answer = new AnswerWriter(head);
    this.#malformed = malformed;
  }

  // ----- what the client sends

  headers(list: HeaderList, ends: boolean): void {
    if (list.isTooLarge) {
      this.#refuseHead(TOO_LARGE);
      return;
    }
    const message = requestHead(list, ends);
    // A WebSocket is nothing that is served here.
    if (typeof message === 'string' || message.websocketKey !== null) {
      this.#refuse();
      return;
    }
    const valueNamed = (wanted: string) => list.fields.find(({ name }) => name === wanted)?.value;
    const length = valueNamed('content-length');
    this.#isChunked = !ends && length === undefined;
    this.#remaining = ends ? 0 : Number(length ?? 0);
    this.#answer.begin(this.#stream, { isHead: valueNamed(':method') === 'HEAD', websocketKey: null });
    this.push(Buffer.from(message.text, 'latin1'));
    if (ends) this.push(null);
  }

  /** The answer may have to wait for a client that reads nothing. */
  #refuseHead(head: readonly HeaderField[]): void {
    this.#isHeadRefused = true;
    this.#stream.sendHeaders(head, true);
    if (this.#stream.isBlocked) this.#whenDrained = () => this.destroy();
    else this.destroy();
  }

  data(bytes: Buffer): void {
    if (this.#isHeadRefused) return;
    if (this.#isChunked) {
      const size = Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1');
      this.#pass(Buffer.concat([size, bytes, CRLF]));
      return;
    }
    this.#remaining -= bytes.length;
    if (this.#remaining < 0) this.#refuse();
    else this.#pass(bytes);
  }

  ended(trailers: HeaderList): void {
    if (this.readableEnded || this.destroyed || this.#isHeadRefused) return;
    const section = trailerSection(trailers);
    if (section === null || this.#remaining > 0) {
      this.#refuse();
      return;
    }
    if (this.#isChunked) this.push(Buffer.from(`0\r\n${section}`, 'latin1'));
    this.push(null);
  }

  drained(): void {
    const whenDrained = this.#whenDrained;
    this.#whenDrained = null;
    whenDrained?.();
  }

  lost(): void {
    this.destroy();
  }

  #pass(bytes: Buffer): void {
    if (!this.push(bytes)) this.#stream.pause();
  }

  /** A response, and behind it the stream error that RFC 9113, section 8.1.1, demands. */
  #refuse(): void {
    this.#malformed();
    if (!this.#answer.hasBegun) {
      this.#isMalformed = true;
      this.#refuseHead(MALFORMED);
      return;
    }
    this.#stream.reset(Http2Error.protocol);
    this.destroy();
  }

  // ----- what is answered

  override _read(): void {
    this.#stream.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#answer.write(chunk);
    if (this.#stream.isBlocked) this.#whenDrained = done;
    else done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stream.user = null;
    // The rest of the request is not needed after a complete response.
    const isAnswered = this.writableFinished || this.#isHeadRefused;
    if (this.#isMalformed) this.#stream.refuse(Http2Error.protocol);
    else this.#stream.reset(isAnswered ? Http2Error.none : Http2Error.cancel);
    done(error);
  }
}
