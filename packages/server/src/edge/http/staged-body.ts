/**
 * The body of a response on its way through a filter.
 * Invariant: waiting bytes have a limit, because each side waits for the next.
 */

import type { ChunkData } from '../../http-syntax/chunk-data.ts';
import type { ByteFilter } from '../sites/site.ts';
import { type AnswerOwner, LAST_CHUNK, relayChunk } from './answer-owner.ts';

export class StagedBody {
  readonly #filter: ByteFilter;
  readonly #data: ChunkData | null;
  readonly #owner: AnswerOwner;

  /** `data` finds the data in what comes in chunks; null: all of it is data. */
  constructor(filter: ByteFilter, data: ChunkData | null, owner: AnswerOwner) {
    this.#filter = filter;
    this.#data = data;
    this.#owner = owner;
    filter.onData = (bytes) => this.#try(() => this.#give(bytes));
    filter.onDrain = () => this.#try(() => owner.pauseUpstream(false));
    filter.onError = () => this.#try(() => owner.answerCut(null));
    filter.onEnd = () =>
      this.#try(() => {
        owner.relay(LAST_CHUNK, false);
        owner.answerDone();
      });
  }

  /** A filter calls in its own turns, where no caller would catch an error. */
  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#owner.crashed(error);
    }
  }

  #give(bytes: Buffer): void {
    this.#owner.saved(-bytes.length);
    relayChunk(this.#owner, bytes);
  }

  write(span: Buffer): void {
    for (const bytes of this.#data?.joined(span) ?? [span]) {
      this.#owner.saved(bytes.length);
      if (!this.#filter.write(bytes)) this.#owner.pauseUpstream(true);
    }
  }

  end(): void {
    this.#filter.end();
  }

  pause(): void {
    this.#filter.pause();
  }

  resume(): void {
    this.#filter.resume();
  }

  destroy(): void {
    this.#filter.destroy();
  }
}
