/**
 * One client's connection: reads a request, has it served, and reads the next one.
 * Invariant: a request is read only after the response to the previous one is out. Otherwise a client that sends
 * requests and reads nothing could use any amount of memory.
 */
import type { Duplex } from 'node:stream';
import { BodyReader } from '../http-syntax/body.ts';
import { CR } from '../http-syntax/bytes.ts';
import { ChunkData } from '../http-syntax/chunk-data.ts';
import { CHUNKED, type Framing, requestFraming } from '../http-syntax/framing.ts';
import { afterEmptyLines, FAULTY, INCOMPLETE } from '../http-syntax/head.ts';
import { HeadBuffer } from '../http-syntax/head-buffer.ts';
import { LINGER_LIMITS, Linger } from '../system/linger.ts';
import { type Answer, CLOSE, messageOf, streamedHead } from './answer.ts';
import type { Counted } from './counted.ts';
import { Outgoing } from './outgoing.ts';
import { type BodySink, Request, type RequestFault, type RequestOwner, type Sender } from './request.ts';
import type { Shared } from './shared.ts';
import { OpenBody, type StreamedBody } from './streamed-body.ts';
import { type Due, dueOf, Stage } from './timeouts.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
/** Bytes of an unread body that are read and discarded, so that the client can read the response. */
const DISCARDED_BYTES = 16 * 1024 * 1024;
/** Pieces of a discarded body. Each costs the same work, with one byte or with 64 KiB. */
const DISCARDED_PIECES = 16 * 1024;

/**
 * `source`: the client's address, '' if the client was gone before it was read. `surplus`: the source has too many
 * connections.
 */
export interface Origin {
  readonly source: string;
  readonly surplus: boolean;
}

/** A socket, with TLS or without, or what is like one. */
export type Carrier = Duplex & {
  readonly servername?: string | false | null;
  /** True if it carries one request, whose end is not that of its client. Absent: false. */
  readonly endsWithRequest?: boolean;
};

export class ServerConnection implements Sender, RequestOwner, Counted {
  readonly source: string;
  /** There are too many of its source: it is to be refused. */
  readonly surplus: boolean;
  fittingHost: string | undefined;
  readonly #socket: Carrier;
  readonly #shared: Shared;
  readonly #outgoing: Outgoing;
  readonly #partialHead: HeadBuffer;
  readonly #body: BodyReader;
  #chunks: ChunkData | null = null;
  #request: Request | null = null;
  #stage: Stage = Stage.head;
  /** Came and waits for its turn: what one read brought, or two. */
  #pending: Buffer | null = null;
  #isConsuming = false;
  #isAnswered = false;
  /** Nothing is read behind the request under way. */
  #isLast = false;
  /** The client will send no more. */
  #isEnded = false;
  #linger: Linger | null = null;
  /** Body of the response that is written piece by piece. */
  #openBody: OpenBody | null = null;
  #discardedBytes = 0;
  #discardedPieces = 0;
  #requests = 0;
  /**
   * Monotonic milliseconds of the begin of the stage, of the last byte in either direction, and of the first byte of
   * the request.
   */
  #since: number;
  #lastActive: number;
  #begunAt: number | null = null;
  #whenIdle: (() => void) | null = null;

  constructor(socket: Carrier, { source, surplus }: Origin, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
    this.source = source;
    this.surplus = surplus;
    this.#outgoing = new Outgoing(socket);
    this.#partialHead = new HeadBuffer(shared.headLimit);
    this.#body = new BodyReader([]);
    this.#since = this.#lastActive = shared.now();
    // The end of its requests is not the end of our answers.
    socket.allowHalfOpen = true;
    socket.on('data', (chunk: Buffer) => this.#try(() => this.#onData(chunk)));
    socket.on('end', () => this.#try(() => this.#onEnd()));
    socket.on('drain', () => {
      this.#lastActive = shared.now();
      this.#try(() => this.#openBody?.drained());
    });
    // Every error is followed by `close`.
    socket.on('error', () => {});
    socket.on('close', () => this.#try(() => this.#onClose()));
  }

  get servername(): string | null {
    const name = this.#socket.servername;
    return typeof name === 'string' && name !== '' ? name : null;
  }

  /** True if a request's answer is not out yet. */
  get active(): boolean {
    return this.#request !== null && !this.#request.isOver;
  }

  /** Calls back once the current request is answered, now or later. A further call replaces the callback. */
  onceIdle(act: () => void): void {
    if (this.active) this.#whenIdle = act;
    else act();
  }

  /** Answers without a request, and ends the connection. */
  refuse(answer: Answer): void {
    if (this.#stage === Stage.closing || this.#stage === Stage.closed) return;
    const { status, headers, body } = answer;
    const whole = { status, headers, body: typeof body === 'function' ? null : body };
    this.#outgoing.write(messageOf(whole, { isHead: false, connection: CLOSE }), () => {});
    this.finish();
  }

  /** Ends our side, and reads the peer's for a while, so that a reset does not overtake the last answer. */
  finish(): void {
    if (this.#stage === Stage.closing || this.#stage === Stage.closed) return;
    this.#enter(Stage.closing);
    const { lingerPlaces, now } = this.#shared;
    this.#linger = new Linger(LINGER_LIMITS, lingerPlaces, this.source, now());
    this.#pending = null;
    this.#partialHead.clear();
    this.#socket.end();
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Ends what a client has been too slow with. */
  sweep(): void {
    // A client that reads all that is written is not silent, however little that is.
    if (this.#openBody !== null && !this.#socket.writableNeedDrain) this.#lastActive = this.#shared.now();
    this.#try(() => this.#act(dueOf(this.#state, this.#shared)));
  }

  // ----- requests

  readOn(request: Request): void {
    if (request !== this.#request || this.#stage !== Stage.body) return;
    if (request.expectsContinue && request.sink !== null) this.#socket.write(CONTINUE);
    this.#goOn();
  }

  send(request: Request, answer: Answer): void {
    if (request !== this.#request || this.#isAnswered || this.#stage > Stage.answer) return;
    const isUnasked = request.expectsContinue && !request.isAsked;
    if (this.#shared.draining || (isUnasked && this.#stage === Stage.body)) this.#isLast = true;
    this.#isAnswered = true;
    this.#lastActive = this.#shared.now();
    const { status, headers, body } = answer;
    const isHead = request.method === 'HEAD';
    if (typeof body === 'function') {
      this.#stream(request, answer, isHead ? null : body);
      return;
    }
    const connection = this.#isLast ? CLOSE : this.#shared.keepAlive;
    const message = messageOf({ status, headers, body }, { isHead, connection });
    this.#outgoing.write(message, () => this.#try(() => this.#onSent(request)));
  }

  /** Begins a response whose body comes piece by piece. `body`: null for the head alone. */
  #stream(request: Request, answer: Answer, body: StreamedBody | null): void {
    // HTTP/1.0 has no chunks: the body ends with the connection.
    const isChunked = !request.isHttp10;
    if (!isChunked) this.#isLast = true;
    const head = streamedHead(answer, this.#isLast ? CLOSE : this.#shared.keepAlive, isChunked);
    const sent = () => this.#try(() => this.#onSent(request));
    if (body === null) {
      this.#outgoing.write({ head, body: null }, sent);
      return;
    }
    this.#socket.write(head, 'latin1');
    const open = new OpenBody(this.#socket, isChunked, () => {
      this.#openBody = null;
      sent();
    });
    this.#openBody = open;
    open.begin(body);
    if (this.#isEnded) this.#leaveOpenBody();
  }

  /** The client has ended its side: it waits for no stream. */
  #leaveOpenBody(): void {
    const open = this.#openBody;
    if (open === null || this.#socket.endsWithRequest === true) return;
    this.#openBody = null;
    open.gone();
    this.#isLast = true;
    if (this.#request !== null) this.#onSent(this.#request);
  }

  // ----- the socket

  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#shared.crashed(error);
      this.destroy();
    }
  }

  #onData(chunk: Buffer): void {
    if (this.#stage === Stage.closing) {
      if (this.#linger?.read(chunk.length, this.#shared.now()) === false) this.destroy();
      return;
    }
    this.#lastActive = this.#shared.now();
    if (this.#pending === null && this.#isReading()) {
      this.#consume(chunk);
    } else if (this.#pending === null) {
      this.#pending = chunk;
    } else {
      this.#pending = Buffer.concat([this.#pending, chunk]);
      this.#socket.pause();
    }
  }

  #onEnd(): void {
    this.#isEnded = true;
    this.#leaveOpenBody();
    this.#goOn();
  }

  #onClose(): void {
    if (this.#stage === Stage.closed) return;
    this.#enter(Stage.closed);
    this.#linger?.end();
    this.#pending = null;
    this.#partialHead.clear();
    this.#takeSink()?.fail(null);
    this.#openBody?.gone();
    this.#openBody = null;
    this.#endRequest();
  }

  #isReading(): boolean {
    if (this.#stage === Stage.head) return true;
    const request = this.#request;
    return this.#stage === Stage.body && request !== null && (request.sink !== null || request.isDiscarded);
  }

  /** Takes up what waits, when its turn has come. */
  #goOn(): void {
    if (this.#isConsuming || !this.#isReading()) return;
    const bytes = this.#pending;
    this.#pending = null;
    if (bytes !== null) this.#consume(bytes);
    if (this.#pending !== null || !this.#isReading()) return;
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#isEnded) this.#atEnd();
  }

  /** Everything that the client sent was read. */
  #atEnd(): void {
    if (this.#stage === Stage.body) this.#failBody('requestUnfinished');
    else if (this.#partialHead.length > 0) this.#refuse('requestUnfinished');
    else this.finish();
  }

  #consume(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#stage === Stage.head && this.#partialHead.length > 0) {
      if (!this.#partialHead.append(chunk)) return;
      bytes = this.#partialHead.take();
    }
    this.#isConsuming = true;
    let pos = 0;
    while (pos < bytes.length && this.#isReading())
      pos = this.#stage === Stage.head ? this.#readHead(bytes, pos) : this.#readBody(bytes, pos);
    this.#isConsuming = false;
    if (pos < bytes.length && this.#stage < Stage.closing) this.#pending = bytes.subarray(pos);
  }

  // ----- requests

  #readHead(bytes: Buffer, from: number): number {
    const { head } = this.#shared;
    const start = afterEmptyLines(bytes, from);
    if (start === bytes.length) return start;
    this.#begunAt ??= this.#shared.now();
    const isCut = start + 1 === bytes.length && bytes[start] === CR;
    const next = isCut ? INCOMPLETE : head.parseRequest(bytes, start, bytes.length);
    if (next === INCOMPLETE) {
      if (this.#partialHead.append(bytes.subarray(start))) this.#refuse('requestHeaderMalformed');
      return bytes.length;
    }
    const framing = next === FAULTY ? head.fault : requestFraming(head);
    if (typeof framing === 'string') {
      this.#refuse(framing);
      return bytes.length;
    }
    this.#begin(framing);
    return next;
  }

  #begin(framing: Framing): void {
    const { head, options, onRequest } = this.#shared;
    const request = new Request(head, framing, this, this);
    options.read(head);
    this.#body.begin(framing, null);
    this.#chunks = framing === CHUNKED ? new ChunkData() : null;
    this.#discardedBytes = 0;
    this.#discardedPieces = 0;
    this.#requests += 1;
    this.#isAnswered = false;
    this.#isLast = options.close || (request.isHttp10 && !options.keepAlive);
    this.#request = request;
    this.#enter(this.#body.done ? Stage.answer : Stage.body);
    onRequest(request);
  }

  #readBody(bytes: Buffer, pos: number): number {
    const body = this.#body;
    const next = body.read(bytes, pos, bytes.length);
    if (body.fault !== null) {
      this.#failBody(body.fault);
      return bytes.length;
    }
    if (body.from < body.to) this.#deliver(bytes.subarray(body.from, body.to));
    if (!body.done || this.#stage !== Stage.body) return next;
    this.#enter(Stage.answer);
    if (this.active) this.#takeSink()?.end();
    else this.#next();
    return next;
  }

  #deliver(bytes: Buffer): void {
    if (this.#chunks === null) this.#deliverPiece(bytes);
    else for (const piece of this.#chunks.joined(bytes)) this.#deliverPiece(piece);
  }

  #deliverPiece(piece: Buffer): void {
    const sink = this.#request?.sink ?? null;
    if (sink !== null) {
      sink.data(piece);
      return;
    }
    this.#discardedBytes += piece.length;
    this.#discardedPieces += 1;
    if (this.#discardedBytes > DISCARDED_BYTES || this.#discardedPieces > DISCARDED_PIECES) this.finish();
  }

  /** Ends a body whose rest will not arrive, or has no recognizable end. */
  #failBody(fault: RequestFault): void {
    this.#isLast = true;
    this.#enter(Stage.answer);
    if (this.active) this.#takeSink()?.fail(fault);
    else this.finish();
  }

  /** Takes the sink for its last call. */
  #takeSink(): BodySink | null {
    const sink = this.#request?.sink ?? null;
    if (this.#request !== null) this.#request.sink = null;
    return sink;
  }

  #refuse(fault: RequestFault): void {
    this.#partialHead.clear();
    this.#shared.onFault(this, fault);
  }

  #onSent(request: Request): void {
    if (this.#stage >= Stage.closing) return;
    // Reads the rest of the body, so that the next request can be read.
    if (this.#stage === Stage.body && !this.#isLast) request.discardBody();
    this.#endRequest();
    if (this.#stage >= Stage.closing) return;
    if (this.#isLast) this.finish();
    else if (this.#stage === Stage.answer) this.#next();
  }

  #endRequest(): void {
    const whenIdle = this.#whenIdle;
    this.#request?.over();
    this.#whenIdle = null;
    whenIdle?.();
  }

  #next(): void {
    this.#request = null;
    this.#begunAt = null;
    this.#enter(Stage.head);
    this.#goOn();
  }

  // ----- time

  #enter(stage: Stage): void {
    this.#stage = stage;
    this.#since = this.#shared.now();
  }

  get #state() {
    return {
      stage: this.#stage,
      since: this.#since,
      begunAt: this.#begunAt ?? this.#since,
      lastActive: this.#lastActive,
      isPartialHead: this.#partialHead.length > 0,
      isReading: this.#isReading(),
      isFirst: this.#requests === 0,
      linger: this.#linger,
    };
  }

  #act(due: Due): void {
    switch (due) {
      case null:
        return;
      case 'finish':
        this.finish();
        return;
      case 'destroy':
        this.destroy();
        return;
      case 'refuse':
        if (this.#stage === Stage.body) this.#failBody('requestTimeout');
        else this.#refuse('requestTimeout');
        return;
      default:
        due satisfies never;
    }
  }
}
