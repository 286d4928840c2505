/**
 * The body of a request that goes nowhere before it is there as a whole and was judged; then it goes on as it came, to the byte. Never
 * that what visitors leave half-sent is kept without a bound, of one or of all.
 */
import type { BudgetShare } from '@underpass/wire';
import type { ErrorName } from '../../errors/catalogue.ts';
import { ChunkData } from '../../http-syntax/chunk-data.ts';
import { CHUNKED, type Framing } from '../../http-syntax/framing.ts';
import type { Shared } from './shared.ts';
import type { UpstreamSide } from './visitor.ts';

export interface BodyAwaiter {
  /** All of it is there. */
  bodyArrived(body: AwaitedBody): void;
  fail(name: ErrorName, values?: Readonly<Record<string, string>>): void;
}

export class AwaitedBody implements UpstreamSide {
  readonly opener = null;
  readonly isReused = false;
  readonly lastHeard: number;
  /** The head as it goes on. */
  readonly head: Buffer;
  readonly #awaiter: BodyAwaiter;
  readonly #limit: number;
  readonly #share: BudgetShare;
  readonly #chunks: ChunkData | null;
  /** With their framing. */
  #pieces: Buffer[] = [];
  #data: Buffer[] = [];
  #size = 0;
  #isOver = false;

  /** `limit`: bytes of the body, with its framing. */
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
    this.#share = bodies.open(() => this.#end(() => awaiter.fail('requestGaveWay')));
  }

  /** As it goes on. */
  get pieces(): readonly Buffer[] {
    return this.#pieces;
  }

  /** Without its framing. */
  get data(): Buffer {
    return Buffer.concat(this.#data);
  }

  /** Of what is not judged yet nothing went anywhere. */
  movedTo(): void {}

  requestData(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#size += bytes.length;
    if (this.#size > this.#limit) {
      this.refuseTooLarge();
      return;
    }
    // What came with it in the buffer of the network is not kept.
    const kept = Buffer.from(bytes);
    this.#pieces.push(kept);
    for (const data of this.#chunks?.spans(kept) ?? [kept]) this.#data.push(data);
    this.#share.keep(this.#size);
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
    this.#pieces = [];
    this.#data = [];
  }
}
