/** A header block that comes in several frames. Never that anything comes between them, or that they are more or longer than allowed. */
import type { Http2Limits } from './limits.ts';

export interface OpenBlock {
  readonly stream: number;
  readonly endsStream: boolean;
}

export class HeaderAssembly {
  readonly #limits: Pick<Http2Limits, 'listBytes' | 'continuations'>;
  #open: OpenBlock | null = null;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(limits: Pick<Http2Limits, 'listBytes' | 'continuations'>) {
    this.#limits = limits;
  }

  /** What has begun and is not whole; until it is nothing else may come. */
  get open(): OpenBlock | null {
    return this.#open;
  }

  begin(block: OpenBlock): void {
    this.#open = block;
    this.#pieces = [];
    this.#bytes = 0;
  }

  /** False: it is too long, or comes in too many pieces. */
  add(piece: Buffer): boolean {
    this.#bytes += piece.length;
    const { listBytes, continuations } = this.#limits;
    return this.#pieces.push(piece) <= continuations + 1 && this.#bytes <= listBytes;
  }

  take(): Buffer {
    const pieces = this.#pieces;
    this.#open = null;
    this.#pieces = [];
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }
}
