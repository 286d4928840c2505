/**
 * One stream of an agent's session, with its two windows.
 * Invariant: it sends and accepts no more than the windows.
 */
import { Flag, FrameType, uint32 } from './frames.ts';

const WINDOW_BYTES = 0x40000;
const PIECE_BYTES = 16 * 1024;

/** The part of a session that a stream uses. */
export interface StreamPort {
  send(type: number, flags: number, body: Buffer): void;
  /** The service did what the protocol does not allow. */
  fault(what: string): void;
  /** Nothing more comes or goes. */
  closed(): void;
}

export class RawStream {
  /** Data of the frame that opened the stream. */
  readonly first: Buffer;
  readonly #port: StreamPort;
  /** So much is read before the service gets its window back. */
  readonly #windowStep: number;
  readonly #chunks: Buffer[] = [];
  #changed = Promise.withResolvers<void>();
  #unread = 0;
  #owed = 0;
  #credit = WINDOW_BYTES;
  #hasEnded = false;
  #isEnded = false;
  #broken: string | null = null;

  constructor(port: StreamPort, windowStep: number, first: Buffer = Buffer.alloc(0)) {
    this.#port = port;
    this.#windowStep = windowStep;
    this.first = first;
  }

  /** Returns the next data; null if the service has ended its direction. Rejects if the stream is broken. */
  async chunk(): Promise<Buffer | null> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) return this.#consumed(chunk);
      if (this.#broken !== null) throw new Error(this.#broken);
      if (this.#hasEnded) return null;
      await this.#changed.promise;
    }
  }

  /** So many bytes; null when the stream ends before. */
  async read(count: number): Promise<Buffer | null> {
    const chunks: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      const chunk = await this.chunk();
      if (chunk === null) return null;
      chunks.push(chunk.subarray(0, missing));
      if (chunk.length > missing) this.#putBack(chunk.subarray(missing));
      missing -= Math.min(missing, chunk.length);
    }
    return Buffer.concat(chunks);
  }

  /** Resolves when the window has taken all of it. */
  async write(bytes: Buffer): Promise<void> {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#broken !== null) throw new Error(this.#broken);
      if (this.#credit === 0) await this.#changed.promise;
      const piece = rest.subarray(0, Math.min(this.#credit, PIECE_BYTES));
      if (piece.length === 0) continue;
      this.#credit -= piece.length;
      this.#port.send(FrameType.data, 0, piece);
      rest = rest.subarray(piece.length);
    }
  }

  end(): void {
    if (this.#isEnded || this.#broken !== null) return;
    this.#isEnded = true;
    this.#port.send(FrameType.data, Flag.fin, Buffer.alloc(0));
    if (this.#hasEnded) this.#port.closed();
  }

  reset(code: number): void {
    if (this.#broken !== null) return;
    this.#port.send(FrameType.rst, 0, uint32(code));
    this.break('reset by the agent');
  }

  /** The connection is gone, or one side reset the stream. */
  break(why: string): void {
    if (this.#broken !== null) return;
    this.#broken = why;
    this.#port.closed();
    this.#notify();
  }

  /** DATA from the service. */
  received(body: Buffer, isLast: boolean): void {
    if (this.#hasEnded) this.#port.fault('DATA after FIN');
    this.#unread += body.length;
    if (this.#unread + this.#owed > WINDOW_BYTES) this.#port.fault('more than the window of a stream');
    if (body.length > 0) this.#chunks.push(body);
    if (isLast) this.#hasEnded = true;
    if (isLast && this.#isEnded) this.#port.closed();
    this.#notify();
  }

  /** WNDINC from the service. */
  granted(bytes: number): void {
    this.#credit += bytes;
    if (this.#credit > WINDOW_BYTES) this.#port.fault('more window than was used');
    this.#notify();
  }

  #consumed(chunk: Buffer): Buffer {
    this.#unread -= chunk.length;
    this.#owed += chunk.length;
    if (this.#owed >= this.#windowStep && !this.#hasEnded) {
      this.#port.send(FrameType.wndinc, 0, uint32(this.#owed));
      this.#owed = 0;
    }
    return chunk;
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Its window may have gone back already: then it is owed less than nothing until it is read again. */
  #putBack(chunk: Buffer): void {
    this.#chunks.unshift(chunk);
    this.#unread += chunk.length;
    this.#owed -= chunk.length;
  }
}
