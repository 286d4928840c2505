/** The WebSocket messages of one connection, the latest of them. */
import { FrameReader, type Message } from './frames.ts';
import type { CaptureLimits } from './limits.ts';

export type Direction = 'sent' | 'received';

export interface KeptMessage extends Message {
  /** Seen from the visitor: `sent` to the upstream, `received` from it. */
  readonly direction: Direction;
  /** Milliseconds since the request. */
  readonly atMs: number;
}

/** Bytes of memory of a message beside its payload. */
const OVERHEAD = 256;

export class KeptMessages {
  /** Number of messages, kept or not. */
  count = 0;
  readonly #limits: CaptureLimits;
  readonly #elapsed: () => number;
  readonly #changed: (bytes: number) => void;
  readonly #readers: Readonly<Record<Direction, FrameReader>>;
  #kept: KeptMessage[] = [];
  #bytes = 0;

  /** Calls `changed` with the number of bytes that its memory grew; negative if it shrank. */
  constructor(limits: CaptureLimits, elapsed: () => number, changed: (bytes: number) => void) {
    this.#limits = limits;
    this.#elapsed = elapsed;
    this.#changed = changed;
    this.#readers = { sent: this.#reader('sent'), received: this.#reader('received') };
  }

  get kept(): readonly KeptMessage[] {
    return this.#kept;
  }

  add(direction: Direction, bytes: Buffer): void {
    this.#readers[direction].feed(bytes);
  }

  #reader(direction: Direction): FrameReader {
    return new FrameReader(this.#limits.messageBytes, {
      grown: (bytes) => this.#grown(bytes),
      message: (message) => {
        this.count++;
        this.#kept.push({ ...message, direction, atMs: this.#elapsed() });
        this.#grown(OVERHEAD);
      },
    });
  }

  #grown(bytes: number): void {
    const { messages, messagesBytes } = this.#limits;
    const before = this.#bytes;
    this.#bytes += bytes;
    while (this.#kept.length > messages || (this.#bytes > messagesBytes && this.#kept.length > 1)) {
      const oldest = this.#kept.shift()!;
      this.#bytes -= oldest.payload.memory + OVERHEAD;
    }
    this.#changed(this.#bytes - before);
  }
}
