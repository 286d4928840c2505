/**
 * Joins a header block that comes in several frames.
 *
 * Invariant: nothing comes between the frames, and they are no more and no longer than allowed.
 */
import { GrowingBuffer } from '@underpass/wire';
import type { Http2Limits } from './limits.ts';

export interface OpenBlock {
  readonly stream: number;
  readonly endsStream: boolean;
}

export class HeaderAssembly {
  readonly #limits: Pick<Http2Limits, 'blockBytes' | 'continuations'>;
  #open: OpenBlock | null = null;
  /** The first piece, as it came: nearly all blocks have no other. */
  #first: Buffer | null = null;
  readonly #joined = new GrowingBuffer();
  #pieces = 0;
  #bytes = 0;

  constructor(limits: Pick<Http2Limits, 'blockBytes' | 'continuations'>) {
    this.#limits = limits;
  }

  /** The unfinished block. Until its end no other frame is allowed. */
  get open(): OpenBlock | null {
    return this.#open;
  }

  begin(block: OpenBlock): void {
    this.#open = block;
    this.#clear();
  }

  /** False: it is too long, or comes in too many pieces. */
  add(piece: Buffer): boolean {
    this.#bytes += piece.length;
    const { blockBytes, continuations } = this.#limits;
    this.#pieces += 1;
    if (this.#pieces > continuations + 1 || this.#bytes > blockBytes) return false;
    if (this.#pieces === 1) this.#first = piece;
    else this.#join(piece);
    return true;
  }

  take(): Buffer {
    const block = this.#first ?? this.#joined.take();
    this.#open = null;
    this.#clear();
    return block;
  }

  #join(piece: Buffer): void {
    if (this.#first !== null) this.#joined.append(this.#first);
    this.#first = null;
    this.#joined.append(piece);
  }

  #clear(): void {
    this.#first = null;
    this.#joined.clear();
    this.#pieces = 0;
    this.#bytes = 0;
  }
}
