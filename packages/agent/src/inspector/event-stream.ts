/**
 * Streams the changes of the store to one reader. Builds an event from the store only when the sink has room for it.
 * A slow reader costs one event, and gets the current state when it reads again.
 */
import type { ExchangesEvent, StatusView } from './api-types.ts';
import type { Store } from './store.ts';
import { summaryOf } from './views.ts';

/** Target of the events: an HTTP response. */
export interface EventSink {
  /** False: no more until `drain`. */
  write(text: string): boolean;
  on(event: 'drain' | 'close', listener: () => void): unknown;
}

export interface EventStreamParts {
  readonly sink: EventSink;
  readonly store: Store;
  /** Distinguishes this run of the agent from other runs in event ids. */
  readonly run: string;
  readonly status: () => StatusView;
  /** Watches the value of `status`, like `Store.watch`. */
  readonly watchStatus: (changed: () => void) => () => void;
  /** Id of the last event that the reader has; null: the reader begins. */
  readonly lastEventId: string | null;
}

/** Changes are gathered so long. */
const GATHER_MS = 50;
/** Detects a reader that is gone, and keeps proxies from closing an idle connection. */
const PING_MS = 15_000;
const EVENT_MAX = 200;

export class EventStream {
  readonly #parts: EventStreamParts;
  readonly #ends: (() => void)[];
  #sent: number;
  #oldest = 0;
  #isStatusNew = true;
  #isFull = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: EventStreamParts) {
    this.#parts = parts;
    const [run, revision] = parts.lastEventId?.split('-') ?? [];
    this.#sent = run === parts.run ? Number(revision) || 0 : 0;
    const ping = setInterval(() => this.#write(': ping\n\n'), PING_MS);
    this.#ends = [
      () => clearInterval(ping),
      () => clearTimeout(this.#timer ?? undefined),
      parts.store.watch(() => this.#wake()),
      parts.watchStatus(() => {
        this.#isStatusNew = true;
        this.#wake();
      }),
    ];
    parts.sink.on('drain', () => {
      this.#isFull = false;
      this.#flush();
    });
    parts.sink.on('close', () => this.#end());
    this.#flush();
  }

  #end(): void {
    for (const end of this.#ends) end();
  }

  #wake(): void {
    if (this.#isFull) return;
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  /** Sends what is new until there is no more room or nothing more. */
  #flush(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    if (this.#isStatusNew && !this.#isFull) {
      this.#isStatusNew = false;
      this.#write(`event: status\ndata: ${JSON.stringify(this.#parts.status())}\n\n`);
    }
    while (!this.#isFull && this.#hasNews) this.#sendNews();
  }

  get #hasNews(): boolean {
    const { store } = this.#parts;
    return store.revision > this.#sent || store.oldestId !== this.#oldest;
  }

  #sendNews(): void {
    const { store, run } = this.#parts;
    const news = store.since(this.#sent);
    const batch = news.slice(0, EVENT_MAX);
    this.#sent = batch.length < news.length ? batch.at(-1)!.revision : store.revision;
    this.#oldest = store.oldestId;
    const event: ExchangesEvent = { oldest: this.#oldest, exchanges: batch.map(summaryOf) };
    this.#write(`id: ${run}-${this.#sent}\nevent: exchanges\ndata: ${JSON.stringify(event)}\n\n`);
  }

  #write(text: string): void {
    if (this.#isFull) return;
    this.#isFull = !this.#parts.sink.write(text);
  }
}
