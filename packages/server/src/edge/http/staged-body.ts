/** The body of an answer on its way through a filter. Never that bytes wait in it without a bound: each side waits for the next. */
import type { ByteFilter } from '../sites/site.ts';
import { type AnswerOwner, relayChunk } from './answer-relay.ts';
import type { ChunkData } from './chunk-data.ts';

const LAST_CHUNK = Buffer.from('0\r\n\r\n');

export class StagedBody {
  readonly #filter: ByteFilter;
  readonly #data: ChunkData | null;

  /** `data` finds the data in what comes in chunks; null: all of it is data. */
  constructor(filter: ByteFilter, data: ChunkData | null, owner: AnswerOwner) {
    this.#filter = filter;
    this.#data = data;
    filter.onData = (bytes) => relayChunk(owner, bytes);
    filter.onDrain = () => owner.pauseUpstream(false);
    filter.onError = () => owner.answerCut();
    filter.onEnd = () => {
      owner.relay(LAST_CHUNK, false);
      owner.answerDone();
    };
    this.#pause = () => owner.pauseUpstream(true);
  }

  readonly #pause: () => void;

  write(span: Buffer): void {
    for (const bytes of this.#data?.spans(span) ?? [span]) {
      if (!this.#filter.write(bytes)) this.#pause();
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
