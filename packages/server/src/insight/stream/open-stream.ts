/**
 * One client's open stream of events.
 * Invariant: nothing is written to a client that does not read; its events wait in a bounded queue.
 */
import type { BodyOutput, BodyWriter } from '../../http-server/streamed-body.ts';
import type { Principal } from '../../resources/definition.ts';
import type { StreamCall } from '../../resources/standalone/definition.ts';
import type { StreamTopic } from '../../resources/standalone/stream.ts';
import type { JsonObject, Revision } from '../../store/store.ts';
import { EventQueue, QUEUE_LIMITS } from './event-queue.ts';
import { retryText } from './event-text.ts';

/** A client, and its topics. */
export interface Subscription {
  readonly account: string;
  readonly principal: Principal;
  readonly topics: ReadonlySet<StreamTopic>;
  /** Returns true for requests that the client wants. */
  readonly wants: (request: JsonObject) => boolean;
  readonly isSourceAdmitted: StreamCall['isSourceAdmitted'];
  readonly isIdentified: StreamCall['isIdentified'];
}

export class OpenStream implements BodyWriter {
  readonly subscription: Subscription;
  /** Changes up to this revision were reported, or happened before; null: no change is reported yet. */
  reported: Revision | null = null;
  /** Aborts at the end of the stream. */
  readonly #over = new AbortController();
  readonly #output: BodyOutput;
  readonly #closed: (stream: OpenStream) => void;
  readonly #queue = new EventQueue(QUEUE_LIMITS);
  #isBlocked = false;

  /** `closed`: called once, at the end of the stream. */
  constructor(subscription: Subscription, output: BodyOutput, closed: (stream: OpenStream) => void) {
    this.subscription = subscription;
    this.#output = output;
    this.#closed = closed;
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** `topic`: that of the event; null for a text that belongs to none. */
  send(text: string, topic: StreamTopic | null): void {
    if (this.isOver) return;
    if (this.#queue.isEmpty && !this.#isBlocked) this.#isBlocked = !this.#output.write(text);
    else this.#queue.push(text, topic);
  }

  /** Counts events that have no text. */
  countDropped(count: number, topic: StreamTopic): void {
    this.#queue.countDropped(count, topic);
    if (!this.#isBlocked) this.drained();
  }

  /** Sends a text that does not matter to a client that does not read. */
  sendIfRead(text: string): void {
    if (!this.#isBlocked) this.send(text, null);
  }

  drained(): void {
    this.#isBlocked = false;
    while (!this.#isBlocked && !this.isOver) {
      const text = this.#queue.shift();
      if (text === undefined) return;
      this.#isBlocked = !this.#output.write(text);
    }
  }

  gone(): void {
    this.#close();
  }

  /** Ends the stream. `retryMs`: the client connects again after this time; null for the one of its own. */
  end(retryMs: number | null): void {
    if (this.isOver) return;
    if (retryMs !== null && !this.#isBlocked) this.#output.write(retryText(retryMs));
    this.#close();
    this.#output.end();
  }

  #close(): void {
    if (this.isOver) return;
    this.#over.abort();
    this.#closed(this);
  }
}
