/**
 * One HTTP/2 connection (RFC 9113), as server or client: bytes in, streams out.
 * Invariant: each resource that the peer can use has a bound. A peer that exceeds one loses this connection only.
 */
import {
  CLIENT_PREFACE,
  DEFAULT_WINDOW,
  Flag,
  FrameType,
  frame,
  frameHead,
  goAwayFrame,
  type HeaderField,
  type HeaderList,
  Http2Error,
  MAX_FRAME,
  MAX_WINDOW,
  numberFrame,
} from '@underpass/wire/http2';
import { FutileFrames } from './futile-frames.ts';
import { encodeHeaders } from './header-encoder.ts';
import { type DataFrame, Incoming, type IncomingUser } from './incoming.ts';
import type { Http2Limits } from './limits.ts';
import { Output, type Transport } from './output.ts';
import { Setting, type Settings, settingsFrame } from './settings.ts';
import { Http2Stream, NO_TRAILERS, type StreamOwner, type StreamUser } from './stream.ts';

export interface ConnectionUser {
  /** The peer opened a stream; its head follows. Called on servers only. */
  opened(stream: Http2Stream): StreamUser;
  /** The other side's settings are known, or changed. */
  settled(): void;
  /** The other side takes no further streams. */
  goingAway(): void;
  /** Nothing more is sent: our side has ended, and received bytes are discarded. */
  over(): void;
}

export interface Http2ConnectionOptions {
  readonly role: 'server' | 'client';
  readonly transport: Transport;
  readonly user: ConnectionUser;
  readonly limits: Http2Limits;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Streams that this side has reset, of which frames may still be on their way. */
const REMEMBERED_RESETS = 256;

export class Http2Connection implements IncomingUser, StreamOwner {
  readonly #isServer: boolean;
  readonly #user: ConnectionUser;
  readonly #limits: Http2Limits;
  readonly #now: () => number;
  readonly #output: Output;
  readonly #incoming: Incoming;
  readonly #futile: FutileFrames;
  readonly #streams = new Map<number, Http2Stream>();
  readonly #waiting = new Set<Http2Stream>();
  readonly #resets = new Set<number>();
  /** Streams with DATA of the read under way that is delivered at its end. */
  readonly #holding = new Set<Http2Stream>();
  /** Remaining bytes of the client's preface; null after it. */
  #prefaceLeft: Buffer | null;
  #isReady = false;
  /** Time since which the preface, or the rest of a header block, is awaited; null if neither is. */
  #awaitedSince: number | null;
  #sendWindow = DEFAULT_WINDOW;
  #receiveWindow: number;
  #uncredited = 0;
  #peerWindow = DEFAULT_WINDOW;
  #peerStreams = Number.POSITIVE_INFINITY;
  #peerConnects = false;
  /** The other side wants a smaller table of header fields: it has to hear that there is none. */
  #owesTableSize = false;
  /** The newest stream that the other side opened, and the next one of ours. */
  #lastPeerStream = 0;
  #nextStream = 1;
  /** Newest stream of this side whose head was sent. */
  #newestAsked = 0;
  #isLeaving = false;
  #isOver = false;

  constructor({ role, transport, user, limits, now }: Http2ConnectionOptions) {
    this.#isServer = role === 'server';
    this.#user = user;
    this.#limits = limits;
    this.#now = now;
    this.#output = new Output(transport);
    this.#incoming = new Incoming(this, limits);
    this.#futile = new FutileFrames(limits, now);
    this.#prefaceLeft = this.#isServer ? CLIENT_PREFACE : null;
    this.#awaitedSince = now();
    this.#receiveWindow = limits.connectionWindow;
    if (!this.#isServer) this.#output.write(CLIENT_PREFACE);
    this.#output.write(settingsFrame(this.#ownSettings()));
    this.#output.write(numberFrame(FrameType.windowUpdate, 0, limits.connectionWindow - DEFAULT_WINDOW));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Streams that are open. */
  get size(): number {
    return this.#streams.size;
  }

  /** True if a stream may be opened now. */
  get hasRoom(): boolean {
    return (
      !this.#isOver &&
      !this.#isLeaving &&
      this.#streams.size < this.#peerStreams &&
      this.#nextStream < MAX_WINDOW
    );
  }

  /** True if the other side's settings are known. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** True if the other side takes a CONNECT with a protocol (RFC 8441). */
  get takesConnect(): boolean {
    return this.#peerConnects;
  }

  /** The transport has not taken what was written. */
  get isBlocked(): boolean {
    return this.#output.isBlocked;
  }

  #ownSettings(): Settings {
    const { streams, streamWindow, listBytes } = this.#limits;
    return new Map([
      ...(this.#isServer
        ? [[Setting.maxConcurrentStreams, streams] as const, [Setting.enableConnectProtocol, 1] as const]
        : [[Setting.enablePush, 0] as const]),
      [Setting.initialWindowSize, streamWindow],
      [Setting.maxHeaderListSize, listBytes],
    ]);
  }

  /** Opens a stream as a client. Call it only if there is room. */
  openStream(user: StreamUser): Http2Stream {
    const stream = this.#newStream(this.#nextStream);
    this.#nextStream += 2;
    stream.user = user;
    return stream;
  }

  #newStream(id: number): Http2Stream {
    const stream = new Http2Stream(this, id, this.#limits.streamWindow, this.#peerWindow);
    this.#streams.set(id, stream);
    return stream;
  }

  /**
   * Sends the origins of this connection (RFC 8336). The client must not request others on it, even if the
   * certificate covers them.
   */
  sendOrigins(origins: readonly string[]): void {
    const entries = origins.map((origin) => {
      const entry = Buffer.alloc(2 + origin.length);
      entry.writeUInt16BE(origin.length);
      entry.write(origin, 2, 'latin1');
      return entry;
    });
    this.#output.write(frame(FrameType.origin, 0, 0, Buffer.concat(entries)));
  }

  /** Accepts no further streams, and ends with the last one. */
  leave(): void {
    if (this.#isLeaving || this.#isOver) return;
    this.#isLeaving = true;
    this.#output.write(goAwayFrame(this.#lastPeerStream, Http2Error.none, ''));
    if (this.#streams.size === 0) this.#finish();
  }

  /** Ends for what the other side did, or for nothing that it did. */
  fail(code: number, reason: string): false {
    // Delivers earlier frames first. Their handlers may end the connection, too.
    this.#deliverHeld();
    if (this.#isOver) return false;
    this.#output.write(goAwayFrame(this.#lastPeerStream, code, reason));
    this.#finish();
    return false;
  }

  #finish(): void {
    this.#output.end();
    this.gone();
    this.#user.over();
  }

  /** The transport is gone. */
  gone(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const stream of [...this.#streams.values()]) stream.ended(Http2Error.cancel);
    this.#waiting.clear();
  }

  /** Ends it when a preface or a header block does not come to its end. */
  sweep(): void {
    if (this.#prefaceLeft === null && !this.#incoming.isAwaiting) this.#awaitedSince = null;
    else this.#awaitedSince ??= this.#now();
    if (this.#awaitedSince !== null && this.#now() - this.#awaitedSince > this.#limits.headMs) {
      this.fail(Http2Error.protocol, 'too slow');
    }
  }

  // ----- what comes in

  receive(bytes: Buffer): void {
    if (this.#isOver) return;
    const rest = this.#prefaceLeft === null ? bytes : this.#readPreface(bytes, this.#prefaceLeft);
    if (rest.length > 0) this.#incoming.read(rest);
    this.#deliverHeld();
  }

  #deliverHeld(): void {
    for (const stream of this.#holding) {
      this.#holding.delete(stream);
      stream.deliver();
    }
  }

  #readPreface(bytes: Buffer, expected: Buffer): Buffer {
    const size = Math.min(bytes.length, expected.length);
    if (bytes.compare(expected, 0, size, 0, size) !== 0) {
      this.fail(Http2Error.protocol, 'no preface');
      return bytes.subarray(bytes.length);
    }
    this.#prefaceLeft = size === expected.length ? null : expected.subarray(size);
    return bytes.subarray(size);
  }

  data({ stream: id, bytes, length, ends }: DataFrame): boolean {
    if (this.#isIdle(id)) return this.fail(Http2Error.protocol, 'DATA without a stream');
    this.#receiveWindow -= length;
    if (this.#receiveWindow < 0) return this.fail(Http2Error.flowControl, 'window exceeded');
    if (bytes.length === 0 && !ends && !this.idle()) return false;
    const stream = this.#streams.get(id);
    if (stream === undefined || stream.isRemoteEnded) {
      this.taken(length);
      return this.#onClosedStream(id, stream, bytes.length);
    }
    if (!stream.received(bytes, length)) {
      this.taken(length);
      return this.#resetFaulty(stream, Http2Error.flowControl);
    }
    if (ends && !stream.isClosed) stream.receivedEnd(NO_TRAILERS);
    return this.#goesOn;
  }

  /** DATA of so many bytes for a stream that has ended, at least on that side. */
  #onClosedStream(id: number, stream: Http2Stream | undefined, bytes: number): boolean {
    if (this.#resets.has(id)) return this.#tooMuch(this.#futile.addLate(bytes));
    if (stream !== undefined) return this.#resetFaulty(stream, Http2Error.streamClosed);
    this.sendReset(id, Http2Error.streamClosed);
    return this.idle();
  }

  headers(id: number, list: HeaderList, ends: boolean): boolean {
    const stream = this.#streams.get(id);
    if (stream === undefined) return this.#isIdle(id) ? this.#open(id, list, ends) : this.#onLateHeaders(id);
    if (stream.isRemoteEnded) return this.fail(Http2Error.streamClosed, 'HEADERS behind the end');
    if (!this.#isServer) return this.#onAnswer(stream, list, ends);
    if (!ends) return this.#resetFaulty(stream, Http2Error.protocol);
    stream.receivedEnd(list);
    return this.#goesOn;
  }

  /** Receives a response, an interim response or trailers as a client. */
  #onAnswer(stream: Http2Stream, list: HeaderList, ends: boolean): boolean {
    const isHead = list.fields[0]?.name === ':status';
    if (!isHead && !ends) return this.#resetFaulty(stream, Http2Error.protocol);
    if (isHead) stream.user?.headers(list, ends);
    if (ends && !stream.isClosed) stream.receivedEnd(isHead ? NO_TRAILERS : list);
    return this.#goesOn;
  }

  #onLateHeaders(id: number): boolean {
    return this.#resets.has(id)
      ? this.idle()
      : this.fail(Http2Error.streamClosed, 'HEADERS on a closed stream');
  }

  #open(id: number, list: HeaderList, ends: boolean): boolean {
    if (!this.#isServer || id % 2 === 0) return this.fail(Http2Error.protocol, 'not a stream of yours');
    this.#lastPeerStream = id;
    if (this.#isLeaving || this.#streams.size >= this.#limits.streams) {
      this.sendReset(id, Http2Error.refusedStream);
      return this.idle();
    }
    const stream = this.#newStream(id);
    const user = this.#user.opened(stream);
    stream.user = user;
    user.headers(list, ends);
    if (ends && !stream.isClosed) stream.receivedEnd(NO_TRAILERS);
    return this.#goesOn;
  }

  reset(id: number, code: number): boolean {
    if (this.#isIdle(id)) return this.fail(Http2Error.protocol, 'RST_STREAM without a stream');
    const stream = this.#streams.get(id);
    // A whole response may be followed by a reset at once (RFC 9113, section 8.1).
    if (stream !== undefined && this.#holding.delete(stream)) stream.deliver();
    stream?.ended(code);
    // A response that the client cancelled was work in vain.
    return this.#isServer ? this.idle() : this.#goesOn;
  }

  settings(settings: Settings): boolean {
    if (!this.#apply(settings)) return this.fail(Http2Error.flowControl, 'SETTINGS');
    this.#isReady = true;
    this.#output.write(frame(FrameType.settings, Flag.ack, 0, NOTHING));
    this.#user.settled();
    this.#pump();
    return this.#goesOn;
  }

  #apply(settings: Settings): boolean {
    this.#peerStreams = settings.get(Setting.maxConcurrentStreams) ?? this.#peerStreams;
    if (settings.get(Setting.enableConnectProtocol) === 1) this.#peerConnects = true;
    if (settings.has(Setting.headerTableSize)) this.#owesTableSize = true;
    const window = settings.get(Setting.initialWindowSize) ?? this.#peerWindow;
    const difference = window - this.#peerWindow;
    this.#peerWindow = window;
    return difference === 0 || [...this.#streams.values()].every((stream) => stream.windowGrew(difference));
  }

  ping(payload: Buffer): boolean {
    if (!this.idle()) return false;
    this.#output.write(frame(FrameType.ping, Flag.ack, 0, payload));
    return true;
  }

  windowGrew(id: number, bytes: number): boolean {
    if (id !== 0 && this.#isIdle(id)) return this.fail(Http2Error.protocol, 'WINDOW_UPDATE without a stream');
    if (this.#futile.addUpdate()) return this.fail(Http2Error.enhanceYourCalm, 'too many window updates');
    if (id === 0) {
      this.#sendWindow += bytes;
      if (bytes === 0) return this.fail(Http2Error.protocol, 'WINDOW_UPDATE of 0');
      if (this.#sendWindow > MAX_WINDOW) return this.fail(Http2Error.flowControl, 'window too large');
    } else {
      const stream = this.#streams.get(id);
      if (stream !== undefined && bytes === 0) return this.#resetFaulty(stream, Http2Error.protocol);
      if (stream?.windowGrew(bytes) === false) return this.#resetFaulty(stream, Http2Error.flowControl);
    }
    this.#pump();
    return this.#goesOn;
  }

  goAway(last: number): boolean {
    if (!this.idle()) return false;
    if (this.#isServer) return true;
    this.#isLeaving = true;
    this.#deliverHeld();
    for (const stream of [...this.#streams.values()]) {
      if (stream.id > last) stream.ended(Http2Error.refusedStream);
    }
    this.#user.goingAway();
    return this.#goesOn;
  }

  /** Counts a useless frame. Returns false after too many. */
  idle(): boolean {
    return this.#tooMuch(this.#futile.add());
  }

  #tooMuch(isTooMuch: boolean): boolean {
    return isTooMuch ? this.fail(Http2Error.enhanceYourCalm, 'too many futile frames') : this.#goesOn;
  }

  get #goesOn(): boolean {
    return !this.#isOver;
  }

  #isIdle(id: number): boolean {
    const isOwn = id % 2 === 1 && !this.#isServer;
    return isOwn ? id >= this.#nextStream : id > this.#lastPeerStream;
  }

  #resetFaulty(stream: Http2Stream, code: number): boolean {
    const { user } = stream;
    stream.reset(code);
    user?.lost(code);
    return this.idle();
  }

  // ----- what goes out

  /** The transport takes bytes again. */
  drained(): void {
    this.#output.isBlocked = false;
    this.taken(0);
    this.#pump();
  }

  get room(): number {
    return this.#output.isBlocked ? 0 : this.#sendWindow;
  }

  sendHeaders(id: number, fields: Iterable<HeaderField>, ends: boolean): void {
    if (!this.#isServer) this.#newestAsked = Math.max(this.#newestAsked, id);
    const encoded = encodeHeaders(fields);
    const block = this.#owesTableSize ? Buffer.concat([NO_TABLE, encoded]) : encoded;
    this.#owesTableSize = false;
    const endsFlag = ends ? Flag.endStream : 0;
    if (block.length <= MAX_FRAME) {
      this.#output.write(frame(FrameType.headers, endsFlag | Flag.endHeaders, id, block));
      return;
    }
    this.#output.write(frame(FrameType.headers, endsFlag, id, block.subarray(0, MAX_FRAME)));
    for (let at = MAX_FRAME; at < block.length; at += MAX_FRAME) {
      const flags = at + MAX_FRAME >= block.length ? Flag.endHeaders : 0;
      this.#output.write(frame(FrameType.continuation, flags, id, block.subarray(at, at + MAX_FRAME)));
    }
  }

  sendData(id: number, bytes: Buffer, ends: boolean): void {
    this.#sendWindow -= bytes.length;
    this.#futile.dataSent();
    const flags = ends ? Flag.endStream : 0;
    this.#output.write(frameHead({ length: bytes.length, type: FrameType.data, flags, stream: id }));
    if (bytes.length > 0) this.#output.write(bytes);
  }

  sendReset(id: number, code: number): void {
    // Its head still waits: to the other side a reset of it would be a fault of the whole connection (RFC 9113, section 6.4).
    if (!this.#isServer && id > this.#newestAsked) return;
    this.#resets.add(id);
    if (this.#resets.size > REMEMBERED_RESETS)
      for (const oldest of this.#resets) {
        this.#resets.delete(oldest);
        break;
      }
    this.#output.write(numberFrame(FrameType.rstStream, id, code));
  }

  sendCredit(id: number, bytes: number): void {
    this.#output.write(numberFrame(FrameType.windowUpdate, id, bytes));
  }

  taken(bytes: number): void {
    this.#uncredited += bytes;
    // Credit is returned in portions of half a stream's window. Bytes without returned credit are missing to other
    // streams, in addition to streams that are not read.
    if (this.#isOver || this.#uncredited < this.#limits.streamWindow / 2) return;
    // A peer that does not read gets no more: each update would wait for it here.
    if (this.isBlocked) return;
    this.#receiveWindow += this.#uncredited;
    this.sendCredit(0, this.#uncredited);
    this.#uncredited = 0;
  }

  holds(stream: Http2Stream): void {
    this.#holding.add(stream);
  }

  waits(stream: Http2Stream): void {
    this.#waiting.add(stream);
  }

  over(stream: Http2Stream): void {
    this.#streams.delete(stream.id);
    this.#waiting.delete(stream);
    if (this.#isLeaving && this.#streams.size === 0 && !this.#isOver) this.#finish();
  }

  /** One frame of each stream that waits, in turn, for as long as there is room. */
  #pump(): void {
    let hasSent = true;
    while (hasSent && this.#waiting.size > 0 && !this.isBlocked) {
      hasSent = false;
      const free: Http2Stream[] = [];
      for (const stream of [...this.#waiting]) {
        this.#waiting.delete(stream);
        if (stream.sendOne()) hasSent = true;
        if (stream.isBlocked) this.#waiting.add(stream);
        else free.push(stream);
      }
      // A notified user may open a stream at once. It must come after the streams whose heads waited, since the peer
      // accepts them only in order.
      for (const stream of free) stream.drained();
    }
  }
}

const NOTHING = Buffer.alloc(0);
/** A table of header fields with room for none. */
const NO_TABLE = Buffer.from([0x20]);
