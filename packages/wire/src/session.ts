/** A mux session over one socket. Never that anything a peer sends ends more than the session. */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ByteBudget } from './byte-budget.ts';
import { ErrorCode, type StreamType, toErrorCode } from './codes.ts';
import { Flag, MAX_STREAM_ID } from './frame.ts';
import { FrameDecoder, type FrameSink } from './frame-decoder.ts';
import type { MuxStream, StreamHandler } from './mux-stream.ts';
import { COPY_BYTES, Outbound } from './outbound.ts';
import { PeerIds } from './peer-ids.ts';
import { Stream, type StreamOwner } from './stream.ts';

/** What a peer may make this side keep. */
export interface PeerLimits {
  /** Streams at a time that it may have open; default 512. */
  readonly maxStreams: number;
  /** Where frames that it does not read count; default 8 MiB of its own. */
  readonly queued: ByteBudget;
  /** Streams, of both sides, at which open() says no; default OPEN_LIMIT. */
  readonly openLimit?: number;
}

/** Tells `receive` what comes, in the order in which it comes; the bytes are valid until that returns. */
export type Reads = (receive: (bytes: Buffer) => void) => void;

export interface SessionOptions extends Partial<PeerLimits> {
  /** Where what the peer sends comes from; default: the socket's 'data', whose chunks stay valid. */
  readonly reads?: Reads;
  /** The agent is the client (odd ids), the service the server (even ids). */
  readonly role: 'client' | 'server';
  /** A stream that the peer opened, its 4-byte type already read. `type` may be an unknown number: refuse it with reset. */
  readonly accept: (type: number, stream: MuxStream) => void;
  /** Once, when the session is over; `code` and `debug` from GOAWAY or the local reason. */
  readonly closed: (reason: { readonly code: ErrorCode; readonly debug: string }) => void;
}

/**
 * Streams, of both sides, at which open() says no. Known agents hold 512, and one of them drops the whole session when
 * a stream more comes; the distance is for streams that the agent has not let go of yet.
 */
export const OPEN_LIMIT = 480;
const MAX_STREAMS = 512;
/** Streams with full windows, up to which a narrow one may get one. */
export const MOST_WIDE = OPEN_LIMIT;
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;
/** How long a peer may take to close its side after a session ended here. */
const LINGER_MS = 5_000;
const EMPTY = new Uint8Array(0);

/** Peer's streams whose four type bytes are still coming. */
interface Untyped {
  value: number;
  missing: number;
}

/**
 * One multiplexed session over a connected byte stream (agent protocol, sections 1 to 3). Takes the socket over: reads
 * it at once, and ends it with the session.
 */
export class MuxSession {
  readonly #socket: Duplex;
  readonly #options: SessionOptions;
  #maxStreams: number;
  #openLimit: number;
  readonly #decoder: FrameDecoder;
  readonly #outbound: Outbound;
  readonly #owner: StreamOwner;
  readonly #streams = new Map<number, Stream>();
  readonly #untyped = new Map<Stream, Untyped>();
  readonly #peerIds: PeerIds;
  #peerStreams = 0;
  #nextId: number;
  #closed = false;
  /** Owner of the DATA frame whose body is coming; null while a body is thrown away. */
  #current: Stream | null = null;
  #reading = false;
  #received = 0;
  readonly #backlog: Buffer[] = [];

  constructor(socket: Duplex, options: SessionOptions) {
    const client = options.role === 'client';
    this.#socket = socket;
    this.#options = options;
    const { maxStreams = MAX_STREAMS, queued = new ByteBudget(MAX_QUEUED_BYTES) } = options;
    this.#maxStreams = maxStreams;
    this.#openLimit = options.openLimit ?? OPEN_LIMIT;
    this.#nextId = client ? 1 : 2;
    this.#peerIds = new PeerIds(client ? 0 : 1);
    this.#decoder = new FrameDecoder(this.#sink());
    this.#outbound = new Outbound(socket, queued, (why) => {
      this.#outbound.abandon();
      this.#over(ErrorCode.writeTimeout, why, ErrorCode.writeTimeout);
      socket.destroy();
    });
    const { reads } = options;
    this.#owner = {
      outbound: this.#outbound,
      isReadIntoOneBuffer: reads !== undefined,
      wide: 0,
      mostWide: MOST_WIDE,
      release: (stream) => this.#release(stream),
    };
    if (reads === undefined) socket.on('data', (chunk: Buffer) => this.#read(chunk));
    else reads((bytes) => this.#read(bytes));
    socket.on('end', () =>
      this.#over(ErrorCode.peerEof, 'the peer closed the connection', ErrorCode.peerEof),
    );
    socket.on('error', (error) =>
      this.#over(ErrorCode.remoteGoneAway, error.message, ErrorCode.remoteGoneAway),
    );
    socket.on('close', () =>
      this.#over(ErrorCode.sessionClosed, 'the connection closed', ErrorCode.sessionClosed),
    );
    // Frames are gathered here already: held back again by the kernel, small answers would wait for acknowledgements.
    if (socket instanceof Socket) socket.setNoDelay(true);
    // 'close' of a socket that died before it came here is not told again.
    if (socket.destroyed) process.nextTick(() => socket.emit('close'));
    else socket.resume();
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** How often bytes came from the peer so far: unchanged, it has said nothing meanwhile. */
  get received(): number {
    return this.#received;
  }

  /** Streams that are open now, of both sides. */
  get streamCount(): number {
    return this.#streams.size;
  }

  /** Streams that are open now and may have a full window of unread bytes here. */
  get wideCount(): number {
    return this.#owner.wide;
  }

  /** Gives a stream narrow windows. The side that opened it and the one that accepts it call this at once, or neither does. */
  narrow(stream: MuxStream): void {
    this.#streams.get(stream.id)?.narrow();
  }

  /**
   * Opens a typed stream; null when the session is closed or streams are exhausted (`openLimit` at a time, 2^30 in all).
   * `first` is sent in the same SYN frame after the type, as far as it fits. `isAcknowledged`: the peer does so (`acknowledge`) when it
   * has passed the stream on, and until then there is room for a beginning only.
   */
  open(
    type: StreamType,
    handler: StreamHandler,
    first: Uint8Array = EMPTY,
    isAcknowledged = false,
  ): MuxStream | null {
    if (this.#closed || this.#streams.size >= this.#openLimit || this.#nextId > MAX_STREAM_ID) return null;
    const stream = new Stream(this.#nextId, this.#owner, handler);
    this.#nextId += 2;
    this.#streams.set(stream.id, stream);
    const sent = Math.min(first.length, COPY_BYTES);
    this.#outbound.syn(stream.id, type, first, sent);
    stream.opened(4 + sent);
    if (isAcknowledged) stream.awaitAcknowledgement();
    if (sent < first.length) stream.write(first.subarray(sent));
    return stream;
  }

  /** What the peer may do from now on. */
  allow({ maxStreams, queued, openLimit = OPEN_LIMIT }: PeerLimits): void {
    this.#maxStreams = maxStreams;
    this.#openLimit = openLimit;
    this.#outbound.countIn(queued);
  }

  /** Sends GOAWAY and ends the session: every stream closes with sessionClosed. */
  goAway(code: ErrorCode, debug = ''): void {
    this.#over(code, debug, ErrorCode.sessionClosed, true);
  }

  #read(chunk: Buffer): void {
    if (this.#closed) return;
    this.#received += 1;
    if (this.#reading) {
      // A socket that is a pair of streams in one process can answer from within a write.
      this.#backlog.push(chunk);
      return;
    }
    this.#reading = true;
    this.#decoder.push(chunk);
    for (let next = this.#backlog.shift(); next !== undefined; next = this.#backlog.shift()) {
      this.#decoder.push(next);
    }
    this.#reading = false;
  }

  #sink(): FrameSink {
    return {
      data: (id, flags, length, piece, first, last) => this.#data(id, flags, length, piece, first, last),
      reset: (id, code) => {
        const stream = this.#lookUp(id, 'RST');
        if (stream === null) return;
        stream.lost(code === ErrorCode.none ? ErrorCode.streamReset : toErrorCode(code));
      },
      windowIncrement: (id, increment) => this.#lookUp(id, 'WNDINC')?.addCredit(increment),
      goAway: (_lastId, code, debug) =>
        this.#over(toErrorCode(code), debug.toString(), ErrorCode.remoteGoneAway),
      malformed: (code, what) => this.#over(code, what, ErrorCode.sessionClosed, true),
    };
  }

  #data(id: number, flags: number, length: number, piece: Buffer, first: boolean, last: boolean): void {
    if (first) this.#current = this.#target(id, flags, length);
    const stream = this.#current;
    if (stream === null || stream.closed) return;
    if (piece.length > 0) {
      const untyped = this.#untyped.size === 0 ? undefined : this.#untyped.get(stream);
      if (untyped === undefined) stream.receive(piece);
      else this.#readType(stream, untyped, piece);
    }
    if (last && (flags & Flag.fin) !== 0 && !stream.closed) {
      if (this.#untyped.has(stream)) stream.reset(ErrorCode.protocol);
      else stream.receiveEnd();
    }
  }

  /** The stream that a DATA frame is for; null when its body is to be ignored. */
  #target(id: number, flags: number, length: number): Stream | null {
    const syn = (flags & Flag.syn) !== 0;
    const stream = syn ? this.#accept(id) : this.#streams.get(id);
    if (stream) return stream.admits(length) ? stream : null;
    if (syn) return null;
    // An agent that gives up a stream before its first byte says FIN for an id that it never opened.
    if (length > 0) this.#lookUp(id, 'DATA');
    return null;
  }

  #accept(id: number): Stream | null {
    if (!this.#peerIds.use(id)) {
      this.goAway(ErrorCode.protocol, `SYN on stream ${id}, which is used or not yours to open`);
      return null;
    }
    if (this.#peerStreams >= this.#maxStreams) {
      this.#outbound.reset(id, ErrorCode.streamRefused);
      return null;
    }
    const stream = new Stream(id, this.#owner, null);
    this.#streams.set(id, stream);
    this.#untyped.set(stream, { value: 0, missing: 4 });
    this.#peerStreams++;
    return stream;
  }

  #readType(stream: Stream, untyped: Untyped, piece: Buffer): void {
    const size = Math.min(untyped.missing, piece.length);
    for (let i = 0; i < size; i++) untyped.value = ((untyped.value << 8) | piece[i]!) >>> 0;
    untyped.missing -= size;
    stream.consumed(size);
    if (untyped.missing > 0) return;
    this.#untyped.delete(stream);
    try {
      this.#options.accept(untyped.value, stream);
    } catch (error) {
      process.emitWarning(error as Error);
      stream.reset(ErrorCode.internal);
    }
    if (size < piece.length && !stream.closed) stream.receive(piece.subarray(size));
  }

  /** The open stream of a frame; a frame for a closed one is late and means nothing, for one never opened is an error. */
  #lookUp(id: number, frame: string): Stream | null {
    const stream = this.#streams.get(id);
    if (stream !== undefined) return stream;
    const used = this.#peerIds.mine(id) ? this.#peerIds.used(id) : id < this.#nextId;
    if (!used) this.goAway(ErrorCode.protocol, `${frame} on stream ${id}, which nobody opened`);
    return null;
  }

  #release(stream: Stream): void {
    if (!this.#streams.delete(stream.id)) return;
    this.#untyped.delete(stream);
    if (this.#peerIds.mine(stream.id)) this.#peerStreams--;
  }

  #over(code: ErrorCode, debug: string, streamCode: ErrorCode, tell = false): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#decoder.stop();
    if (tell) this.#outbound.goAway(Math.max(0, this.#peerIds.highest), code, debug);
    this.#outbound.end();
    this.#linger();
    // First, so that who looks for another way when a stream is lost is not led here again.
    try {
      this.#options.closed({ code, debug });
    } catch (error) {
      process.emitWarning(error as Error);
    }
    for (const stream of [...this.#streams.values()]) stream.lost(streamCode);
  }

  /** Waits for the peer to close too, reading and ignoring what it still says; but not for ever. */
  #linger(): void {
    if (this.#socket.destroyed) return;
    const timer = setTimeout(() => this.#socket.destroy(), LINGER_MS);
    timer.unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }
}
