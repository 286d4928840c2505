/**
 * A mux session over one socket.
 * Invariant: a faulty peer ends at most its own session.
 */
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

/** Limits for the memory that a peer occupies. */
export interface PeerLimits {
  /** Streams that the peer may have open; default 512. */
  readonly maxStreams: number;
  /** The budget that counts unread frames; default 8 MiB for this session. */
  readonly queued: ByteBudget;
  /** Streams of both sides from which on open() returns null; default OPEN_LIMIT. */
  readonly openLimit?: number;
}

/** Passes the peer's bytes to `receive`, in order. They are valid until `receive` returns. */
export type Reads = (receive: (bytes: Buffer) => void) => void;

export interface SessionOptions extends Partial<PeerLimits> {
  /** The source of the peer's bytes. Default: the socket's 'data', whose chunks stay valid. */
  readonly reads?: Reads;
  /** The agent is the client (odd ids), the service the server (even ids). */
  readonly role: 'client' | 'server';
  /**
   * Receives a stream that the peer opened, after its 4-byte type. `type` may be an unknown number: refuse it with
   * reset.
   */
  readonly accept: (type: number, stream: MuxStream) => void;
  /** Called once, when the session has ended, with the code and text of GOAWAY or of the local reason. */
  readonly closed: (reason: { readonly code: ErrorCode; readonly debug: string }) => void;
}

/**
 * Streams of both sides from which on open() returns null. Known agents hold 512, and one of them drops the whole
 * session at one more. The margin is for streams that the agent has not released yet.
 */
export const OPEN_LIMIT = 480;
const MAX_STREAMS = 512;
/** Streams with full windows, up to which a narrow one may become wide. */
export const MOST_WIDE = OPEN_LIMIT;
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;
/** Milliseconds that a peer may take to close its side after a session ended here. */
const LINGER_MS = 5_000;
const EMPTY = new Uint8Array(0);

/** A stream of the peer whose four type bytes are incomplete. */
interface Untyped {
  value: number;
  missing: number;
}

/**
 * One multiplexed session over a connected byte stream (agent protocol, sections 1 to 3). It owns the socket: it reads
 * at once, and ends the socket with the session.
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
  /** Owner of the current DATA frame; null while its body is discarded. */
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
    // Frames are already gathered here. With Nagle's algorithm, small responses would wait for acknowledgements.
    if (socket instanceof Socket) socket.setNoDelay(true);
    // A socket that closed before emits no further 'close'.
    if (socket.destroyed) process.nextTick(() => socket.emit('close'));
    else socket.resume();
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Counts the reads from the peer. If it is unchanged, the peer has sent nothing. */
  get received(): number {
    return this.#received;
  }

  /** Open streams of both sides. */
  get streamCount(): number {
    return this.#streams.size;
  }

  /** Open streams that may have a full window of unread bytes here. */
  get wideCount(): number {
    return this.#owner.wide;
  }

  /** Gives a stream narrow windows. Both sides must call this directly after open and accept, or neither. */
  narrow(stream: MuxStream): void {
    this.#streams.get(stream.id)?.narrow();
  }

  /**
   * Opens a typed stream. Returns null if the session is closed or no stream is left (`openLimit` at a time, 2^30 in
   * all). `first` is sent in the same SYN frame after the type, as far as it fits. `isAcknowledged`: the peer
   * acknowledges the stream when it has passed it on, and until then only a beginning is sent.
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

  /** Sets new limits for the peer. */
  allow({ maxStreams, queued, openLimit = OPEN_LIMIT }: PeerLimits): void {
    this.#maxStreams = maxStreams;
    this.#openLimit = openLimit;
    this.#outbound.countIn(queued);
  }

  /** Sends GOAWAY and ends the session. Every stream closes with sessionClosed. */
  goAway(code: ErrorCode, debug = ''): void {
    this.#over(code, debug, ErrorCode.sessionClosed, true);
  }

  #read(chunk: Buffer): void {
    if (this.#closed) return;
    this.#received += 1;
    if (this.#reading) {
      // A socket that is a pair of streams in one process can respond from within a write.
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

  /** Returns the stream of a DATA frame; null if its body is to be ignored. */
  #target(id: number, flags: number, length: number): Stream | null {
    const syn = (flags & Flag.syn) !== 0;
    const stream = syn ? this.#accept(id) : this.#streams.get(id);
    if (stream) return stream.admits(length) ? stream : null;
    if (syn) return null;
    // An agent that gives up a stream before its first byte sends FIN for an id that it never opened.
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

  /**
   * Returns the open stream of a frame. A late frame of a closed stream is ignored. A frame of a stream that was never
   * opened is an error.
   */
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
    // Notify the owner first. Then code that replaces a lost stream does not use this session again.
    try {
      this.#options.closed({ code, debug });
    } catch (error) {
      process.emitWarning(error as Error);
    }
    for (const stream of [...this.#streams.values()]) stream.lost(streamCode);
  }

  /** Waits for the peer to close, and discards what it sends. The wait has a limit. */
  #linger(): void {
    if (this.#socket.destroyed) return;
    const timer = setTimeout(() => this.#socket.destroy(), LINGER_MS);
    timer.unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }
}
