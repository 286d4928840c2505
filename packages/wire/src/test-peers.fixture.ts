/** Fixtures of this package: real TCP pairs, a peer that sends raw frames, sessions that record events. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestContext } from 'node:test';
import { socketPair } from '../../../test/harness/socket-pair.ts';
import type { ErrorCode } from './codes.ts';
import { HEADER_BYTES, writeHeader, writeUint32 } from './frame.ts';
import { FrameDecoder } from './frame-decoder.ts';
import type { MuxStream, StreamHandler } from './mux-stream.ts';
import { MuxSession, type Reads, type SessionOptions } from './session.ts';

export { until } from '../../../test/harness/until.ts';
export { socketPair };

export interface RawFrame {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly body: Buffer;
}

export function frame(type: number, flags: number, id: number, body: Uint8Array = new Uint8Array(0)): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + body.length);
  writeHeader(bytes, 0, body.length, type, flags, id);
  bytes.set(body, HEADER_BYTES);
  return bytes;
}

export function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    writeUint32(bytes, index * 4, value);
  });
  return bytes;
}

const RST = 0;
const DATA = 1;
const WNDINC = 2;
const GOAWAY = 3;
export const rst = (id: number, code: number): Buffer => frame(RST, 0, id, words(code));
export const wndinc = (id: number, increment: number): Buffer => frame(WNDINC, 0, id, words(increment));
export const data = (id: number, body: Uint8Array, flags = 0): Buffer => frame(DATA, flags, id, body);
export const fin = (id: number): Buffer => frame(DATA, 1, id);
/** SYN with the stream's type and what follows it. */
export const syn = (id: number, type = 3, body: Uint8Array = new Uint8Array(0), flags = 0): Buffer =>
  frame(DATA, 2 | flags, id, Buffer.concat([words(type), body]));
export const goAway = (lastId: number, code: number, debug = ''): Buffer =>
  frame(GOAWAY, 0, 0, Buffer.concat([words(lastId, code), Buffer.from(debug)]));

/** A peer that the test controls byte by byte. It reads unless `reads` is false. */
export class RawPeer {
  readonly socket: Socket;
  readonly frames: RawFrame[] = [];
  ended = false;

  constructor(socket: Socket) {
    this.socket = socket;
    let parts: Buffer[] = [];
    const whole = (type: number, id: number, body: Buffer, flags = 0): void => {
      this.frames.push({ type, flags, id, body });
    };
    const decoder = new FrameDecoder({
      data: (id, flags, _length, piece, first, last) => {
        if (first) parts = [];
        parts.push(piece);
        if (last) whole(DATA, id, Buffer.concat(parts), flags);
      },
      reset: (id, code) => whole(RST, id, words(code)),
      windowIncrement: (id, increment) => whole(WNDINC, id, words(increment)),
      goAway: (lastId, code, debug) => whole(GOAWAY, 0, Buffer.concat([words(lastId, code), debug])),
      malformed: (_code, what) => {
        throw new Error(`the session sent what is no frame: ${what}`);
      },
    });
    socket.on('data', (chunk: Buffer) => decoder.push(chunk));
    socket.on('end', () => {
      this.ended = true;
    });
  }

  send(...frames: Uint8Array[]): void {
    this.socket.write(Buffer.concat(frames));
  }

  /** DATA bytes that came for a stream, SYN's type included. */
  received(id: number): Buffer {
    return Buffer.concat(this.frames.filter((f) => f.type === DATA && f.id === id).map((f) => f.body));
  }

  resets(id: number): number[] {
    return this.frames.filter((f) => f.type === RST && f.id === id).map((f) => f.body.readUInt32BE(0));
  }

  /** Code of the GOAWAY that came, if any. */
  get goneAway(): number | undefined {
    return this.frames.find((f) => f.type === GOAWAY)?.body.readUInt32BE(4);
  }
}

/** A handler that records its events. */
export class Recorder implements StreamHandler {
  readonly chunks: Buffer[] = [];
  ends = 0;
  drains = 0;
  readonly closes: ErrorCode[] = [];

  data(chunk: Buffer): void {
    this.chunks.push(Buffer.from(chunk));
  }
  end(): void {
    this.ends++;
  }
  drain(): void {
    this.drains++;
  }
  close(code: ErrorCode): void {
    this.closes.push(code);
  }
  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

export interface Accepted {
  readonly type: number;
  readonly stream: MuxStream;
  readonly told: Recorder;
}

/** Reads a socket into one buffer that has other bytes in it afterwards. */
export function readsIntoOneBuffer(socket: Socket): Reads {
  const buffer = Buffer.alloc(16_384);
  return (receive) =>
    socket.on('data', (chunk: Buffer) => {
      for (let at = 0; at < chunk.length; ) {
        const length = chunk.copy(buffer, 0, at);
        receive(buffer.subarray(0, length));
        buffer.fill('?', 0, length);
        at += length;
      }
    });
}

/** A session that accepts every stream and records events. */
export interface WatchedSession {
  readonly session: MuxSession;
  readonly accepted: Accepted[];
  readonly reasons: { readonly code: ErrorCode; readonly debug: string }[];
}

export function watch(
  socket: Duplex,
  role: SessionOptions['role'],
  options: Partial<Pick<SessionOptions, 'accept' | 'maxStreams' | 'queued' | 'reads'>> = {},
): WatchedSession {
  const accepted: Accepted[] = [];
  const reasons: WatchedSession['reasons'] = [];
  const session = new MuxSession(socket, {
    role,
    accept: (type, stream) => {
      const told = new Recorder();
      stream.handler = told;
      accepted.push({ type, stream, told });
    },
    closed: (reason) => reasons.push(reason),
    ...options,
  });
  return { session, accepted, reasons };
}

/** Connects a server session and a raw peer (client: odd ids). */
export async function rawPair(
  t: TestContext,
  options: Parameters<typeof watch>[2] = {},
): Promise<WatchedSession & { near: Socket; peer: RawPeer }> {
  const [near, far] = await socketPair(t);
  return { ...watch(near, 'server', options), near, peer: new RawPeer(far) };
}

/** Connects a client and a server session. */
export async function sessionPair(
  t: TestContext,
  server: Parameters<typeof watch>[2] = {},
): Promise<{ client: WatchedSession; server: WatchedSession }> {
  const [near, far] = await socketPair(t);
  return { client: watch(near, 'client'), server: watch(far, 'server', server) };
}
