/**
 * Keeps the body of a request until all of it is there and was judged. The request goes on only then.
 *
 * Invariant: the data is one buffer, whatever the pieces that it came in, and all bodies together have a bound.
 */
import { type BudgetShare, GrowingBuffer } from '@underpass/wire';
import type { ErrorName } from '../../errors/catalogue.ts';
import { ChunkData } from '../../http-syntax/chunk-data.ts';
import { CHUNKED, type Framing } from '../../http-syntax/framing.ts';
import type { Shared } from './shared.ts';
import type { UpstreamSide } from './visitor.ts';

const LAST_SIZE = Buffer.from('0\r\n');
const CRLF = Buffer.from('\r\n');

export interface BodyAwaiter {
  /** All of it is there. */
  bodyArrived(body: AwaitedBody): void;
  fail(name: ErrorName, values?: Readonly<Record<string, string>>): void;
}

export class AwaitedBody implements UpstreamSide {
  readonly opener = null;
  readonly isReused = false;
  readonly halfClosed = null;
  readonly lastHeard: number;
  /** The head as it goes on. */
  readonly head: Buffer;
  readonly #awaiter: BodyAwaiter;
  readonly #limit: number;
  readonly #share: BudgetShare;
  readonly #chunks: ChunkData | null;
  readonly #data: GrowingBuffer;
  #isOver = false;

  /** `limit`: bytes of the body, without the framing of chunks. */
  constructor(
    { clock, bodies }: Pick<Shared, 'clock' | 'bodies'>,
    awaiter: BodyAwaiter,
    { head, framing, limit }: { readonly head: Buffer; readonly framing: Framing; readonly limit: number },
  ) {
    this.lastHeard = clock;
    this.head = head;
    this.#awaiter = awaiter;
    this.#limit = limit;
    this.#chunks = framing === CHUNKED ? new ChunkData() : null;
    this.#data = new GrowingBuffer({ mostBytes: framing >= 0 ? framing : limit });
    this.#share = bodies.open(() => this.#end(() => awaiter.fail('requestGaveWay')));
  }

  /** The body with its framing, as it goes on: what came in chunks is one chunk. */
  get pieces(): readonly Buffer[] {
    const { data } = this;
    if (this.#chunks === null) return data.length === 0 ? [] : [data];
    const last = Buffer.concat([LAST_SIZE, this.#chunks.trailers ?? CRLF]);
    return data.length === 0 ? [last] : [sizeLine(data.length), data, Buffer.concat([CRLF, last])];
  }

  /** The body without its framing. */
  get data(): Buffer {
    return this.#data.bytes;
  }

  /** A request without a decision has not been sent anywhere. */
  movedTo(): void {}

  requestData(bytes: Buffer): void {
    if (this.#isOver) return;
    for (const span of this.#chunks?.spans(bytes) ?? [bytes]) {
      if (this.#data.length + span.length > this.#limit) {
        this.refuseTooLarge();
        return;
      }
      this.#data.append(span);
    }
    this.#share.keep(this.#data.capacity);
  }

  refuseTooLarge(): void {
    this.#end(() => this.#awaiter.fail('webhookBodyTooLarge', { limit: String(this.#limit) }));
  }

  requestEnded(): void {
    this.#end(() => this.#awaiter.bodyArrived(this));
  }

  cancel(): void {
    this.#end(() => {});
  }

  expire(): void {
    this.#end(() => this.#awaiter.fail('requestTimeout'));
  }

  visitorEnded(): void {}

  visitorDrained(): void {}

  #end(act: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#share.keep(0);
    act();
    this.#data.clear();
  }
}

function sizeLine(size: number): Buffer {
  return Buffer.from(`${size.toString(16)}\r\n`, 'latin1');
}
