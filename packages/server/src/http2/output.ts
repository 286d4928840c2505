/**
 * Bytes that are sent on a connection, gathered until the end of the tick.
 * Invariant: at most a bounded number of bytes waits for that end.
 */

/** Target of a connection's bytes. */
export interface Transport {
  /** Returns false if the transport is full. It reports when it has room again. */
  write(bytes: Buffer): boolean;
  /** Half-closes after what was written. */
  end(): void;
}

/** Copied together up to this: one write, and one record of TLS. */
const JOINED_BYTES = 16 * 1024;
const GATHERED_BYTES = 64 * 1024;

export class Output {
  /** The transport has not yet taken what was written. */
  isBlocked = false;
  readonly #transport: Transport;
  #frames: Buffer[] = [];
  #bytes = 0;
  #isEnded = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  write(bytes: Buffer): void {
    if (this.#isEnded) return;
    if (this.#frames.push(bytes) === 1) process.nextTick(this.#flushSoon);
    this.#bytes += bytes.length;
    if (this.#bytes >= GATHERED_BYTES) this.flush();
  }

  readonly #flushSoon = (): void => this.flush();

  flush(): void {
    const frames = this.#frames;
    const bytes = this.#bytes;
    if (frames.length === 0) return;
    this.#frames = [];
    this.#bytes = 0;
    if (frames.length === 1 || bytes <= JOINED_BYTES) {
      this.#give(frames.length === 1 ? frames[0]! : Buffer.concat(frames, bytes));
      return;
    }
    for (const joined of joinSmall(frames)) this.#give(joined);
  }

  #give(bytes: Buffer): void {
    if (!this.#transport.write(bytes)) this.isBlocked = true;
  }

  /** Ends the output after the bytes written so far. Later writes are ignored. */
  end(): void {
    if (this.#isEnded) return;
    this.flush();
    this.#isEnded = true;
    this.#transport.end();
  }
}

/** The head of a frame before its payload, and what is as short, in one piece; payloads as they are. */
function* joinSmall(frames: readonly Buffer[]): Iterable<Buffer> {
  let small: Buffer[] = [];
  for (const one of frames) {
    if (one.length < 1024) {
      small.push(one);
      continue;
    }
    if (small.length > 0) yield Buffer.concat(small);
    small = [];
    yield one;
  }
  if (small.length > 0) yield Buffer.concat(small);
}
