/** Hands on the spans of a body. A read that is cut into many spans is joined again, so that few pieces go on. */
import { GrowingBuffer } from '@underpass/wire';
import type { BodyReader } from '../../http-syntax/body.ts';

/** Receives a body. */
export interface BodyReceiver {
  requestData(data: Buffer): void;
}

/** Made once per connection, and begun again per body. */
export class BodySpans {
  readonly #body: Pick<BodyReader, 'from' | 'to' | 'tail' | 'done'>;
  /** Spans that come out of the read under way. */
  readonly #joined = new GrowingBuffer();

  constructor(body: Pick<BodyReader, 'from' | 'to' | 'tail' | 'done'>) {
    this.#body = body;
  }

  begin(): void {
    this.#joined.clear();
  }

  /** Hands on what the body reader has read of `bytes`, up to `next`. */
  giveTo(receiver: BodyReceiver, bytes: Buffer, next: number): void {
    const { from, to, tail, done } = this.#body;
    const isLast = done || next === bytes.length;
    const joined = this.#joined;
    if (isLast && joined.length === 0) {
      if (from < to)
        receiver.requestData(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
      if (tail !== null) receiver.requestData(tail);
      return;
    }
    if (from < to) joined.append(bytes.subarray(from, to));
    if (tail !== null) joined.append(tail);
    if (isLast && joined.length > 0) receiver.requestData(joined.take());
  }
}
