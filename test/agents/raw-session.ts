/** An agent's side of a multiplexed session (agent protocol, sections 2 and 3), by hand. What the service does wrong is kept as a fault. */
import type { TLSSocket } from 'node:tls';
import { encodeFrame, Flag, type Frame, FrameReader, FrameType, uint32 } from './frames.ts';
import { RawStream } from './raw-stream.ts';

export const StreamType = {
  auth: 0,
  bind: 1,
  unbind: 2,
  proxy: 3,
  restart: 4,
  stop: 5,
  update: 6,
  startTunnelWithLabel: 7,
  srvInfo: 8,
  stopTunnel: 9,
  patchTunnelState: 10,
  heartbeat: 0xffffffff,
} as const;

/** Limit of the known agents (agent protocol, section 2). */
const MOST_STREAMS = 512;
const ACCEPT_QUEUE = 64;
const ACCEPT_QUEUE_FULL = 9;
/** Milliseconds in which a full queue is emptied: an agent that is not quick. */
const ACCEPT_MS = 5;

export interface RawSessionOptions {
  /** It takes as many streams as the known agents, refuses those that its queue has no room for, and ends when it gets too many. */
  readonly isStrict?: boolean;
  /** So much of a stream is read before its window goes back. */
  readonly windowStep: number;
  readonly accept: (stream: RawStream) => void;
  readonly fault: (what: string) => void;
}

export class RawSession {
  /** Reason for its end: the text of a GOAWAY, or the way the connection ended. */
  readonly over: Promise<string>;
  readonly #socket: TLSSocket;
  readonly #options: RawSessionOptions;
  readonly #streams = new Map<number, RawStream>();
  #nextId = 1;
  #lastAccepted = 0;
  #queue: RawStream[] = [];
  /** Streams that were refused since the queue was full. */
  refused = 0;
  #reason = 'the connection was closed';

  constructor(socket: TLSSocket, options: RawSessionOptions) {
    this.#socket = socket;
    this.#options = options;
    const reader = new FrameReader();
    socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) this.#received(frame);
    });
    socket.on('error', ({ message }) => {
      this.#reason = message;
    });
    this.over = new Promise((resolve) => {
      socket.once('close', () => {
        for (const stream of [...this.#streams.values()]) stream.break(this.#reason);
        resolve(this.#reason);
      });
    });
  }

  /** Streams that either side has not ended. */
  get streams(): number {
    return this.#streams.size;
  }

  /** Opens a stream with this as its first bytes. */
  open(type: number, first: Buffer): RawStream {
    const id = this.#nextId;
    this.#nextId += 2;
    const stream = this.#stream(id);
    this.#send({
      type: FrameType.data,
      flags: Flag.syn,
      streamId: id,
      body: Buffer.concat([uint32(type), first]),
    });
    return stream;
  }

  /** Ends the session for good, as an agent does that stops. */
  goAway(): void {
    const body = Buffer.concat([uint32(this.#lastAccepted), uint32(0)]);
    this.#send({ type: FrameType.goaway, flags: 0, streamId: 0, body });
    this.#socket.end();
  }

  /** The network is gone. */
  cut(): void {
    this.#socket.destroy();
  }

  #stream(id: number, first?: Buffer): RawStream {
    const port = {
      send: (type: number, flags: number, body: Buffer) => this.#send({ type, flags, streamId: id, body }),
      fault: (what: string) => this.#options.fault(`${what} on stream ${id}`),
      closed: () => this.#streams.delete(id),
    };
    const stream = new RawStream(port, this.#options.windowStep, first);
    this.#streams.set(id, stream);
    return stream;
  }

  #send(frame: Frame): void {
    const socket = this.#socket;
    if (socket.destroyed || !socket.writable) return;
    // The frames of one turn leave together.
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(encodeFrame(frame));
  }

  #received(frame: Frame): void {
    const { type, streamId, body } = frame;
    if (type === FrameType.goaway) this.#goneAway(frame);
    else if (streamId === 0) this.#options.fault(`a frame of type ${type} without a stream`);
    else if (type === FrameType.data) this.#data(frame);
    else if (type > FrameType.goaway || body.length !== 4)
      this.#options.fault(`a frame of type ${type} with ${body.length} bytes`);
    else if (type === FrameType.rst)
      this.#known(streamId)?.break(`reset by the service: ${body.readUInt32BE()}`);
    else this.#known(streamId)?.granted(body.readUInt32BE());
  }

  #data({ flags, streamId, body }: Frame): void {
    const isLast = (flags & Flag.fin) !== 0;
    if ((flags & Flag.syn) === 0) {
      this.#known(streamId)?.received(body, isLast);
      return;
    }
    if (streamId % 2 === 1 || streamId <= this.#lastAccepted)
      this.#options.fault(`the service opened stream ${streamId} after ${this.#lastAccepted}`);
    this.#lastAccepted = streamId;
    if (this.#options.isStrict === true && !this.#admits(streamId)) return;
    const stream = this.#stream(streamId, body);
    stream.received(body, isLast);
    if (this.#options.isStrict === true) this.#enqueue(stream);
    else this.#options.accept(stream);
  }

  #admits(streamId: number): boolean {
    let open = 0;
    for (const id of this.#streams.keys()) if (id % 2 === 0) open += 1;
    if (open >= MOST_STREAMS) {
      this.#options.fault(`more than ${MOST_STREAMS} streams`);
      this.cut();
      return false;
    }
    if (this.#queue.length < ACCEPT_QUEUE) return true;
    this.refused += 1;
    this.#send({ type: FrameType.rst, flags: 0, streamId, body: uint32(ACCEPT_QUEUE_FULL) });
    return false;
  }

  #enqueue(stream: RawStream): void {
    if (this.#queue.push(stream) > 1) return;
    setTimeout(() => {
      const queue = this.#queue;
      this.#queue = [];
      for (const one of queue) this.#options.accept(one);
    }, ACCEPT_MS);
  }

  /** Returns null for a stream that has ended: its late frames have no receiver. */
  #known(streamId: number): RawStream | null {
    const wasOpened = streamId % 2 === 1 ? streamId < this.#nextId : streamId <= this.#lastAccepted;
    if (!wasOpened) this.#options.fault(`a frame of stream ${streamId}, which nobody opened`);
    return this.#streams.get(streamId) ?? null;
  }

  #goneAway({ streamId, body }: Frame): void {
    if (streamId !== 0 || body.length < 8) this.#options.fault('a malformed GOAWAY');
    this.#reason = `GOAWAY ${body.readUInt32BE(4)} ${body.subarray(8)}`;
    this.#socket.destroy();
  }
}
