/**
 * Determines the events of one file, for targets that accept files: the oldest event, and its successors within the
 * size and age of a file.
 * Invariant: waiting events are not kept in memory.
 */
import { setImmediate } from 'node:timers/promises';
import type { QueuedEvent } from '../documents/index.ts';
import { toOutboxEvent } from './batch.ts';
import type { FileBounds } from './targets/file-bounds.ts';

/** Events and bytes of one read, which blocks the event loop if the store is in this process. */
const PAGE = { limit: 500, bytes: 1_048_576 };

export interface Page {
  /** Selects only events at greater positions. */
  readonly after: number;
  readonly limit: number;
  readonly bytes: number;
}

export interface ClosedFile {
  /** The position of its last event. */
  readonly last: number;
  /** Bytes of its lines. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly closedAt: number;
}

export interface GatheringOptions {
  readonly bounds: FileBounds;
  readonly mostEvents: number;
  /** Reads queued events, oldest first. */
  readonly read: (page: Page) => Promise<readonly QueuedEvent[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
}

export class Gathering {
  readonly #options: GatheringOptions;
  /** Events in a file at most. May change while a file is filled. */
  mostEvents: number;
  /** The file as far as it was read. */
  #file: EventFile | null = null;
  /** The oldest event, and the time when it was first seen. */
  #oldest = { position: 0, since: 0 };

  constructor(options: GatheringOptions) {
    this.#options = options;
    this.mostEvents = options.mostEvents;
  }

  get bounds(): FileBounds {
    return this.#options.bounds;
  }

  /** Returns milliseconds until the current file closes without further events; null if no event waits. */
  async closesInMs(): Promise<number | null> {
    const [oldest] = await this.#options.read({ after: 0, limit: 1, bytes: 1 });
    if (oldest === undefined) {
      this.#file = null;
      return null;
    }
    if (this.#file?.first !== oldest.position)
      this.#file = new EventFile(this.#options.bounds, () => this.mostEvents);
    const file = this.#file;
    for await (const page of this.#pages(file)) file.add(page);
    return this.#leftMs(file);
  }

  /** The current file; null if it is not closed. */
  get closed(): ClosedFile | null {
    return this.#file !== null && this.#leftMs(this.#file) === 0 ? this.#file : null;
  }

  /** Yields the events up to this position. */
  async *upTo(last: number): AsyncGenerator<QueuedEvent> {
    for await (const page of this.#pages({ last: 0, isFull: false })) {
      for (const event of page) {
        if (event.position > last) return;
        yield event;
      }
    }
  }

  /** Yields events after the last position while the file has room. Other work runs between two pages. */
  async *#pages(file: {
    readonly last: number;
    readonly isFull: boolean;
  }): AsyncGenerator<readonly QueuedEvent[]> {
    let after = file.last;
    while (!file.isFull) {
      const page = await this.#options.read({ after, ...PAGE });
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      after = last.position;
      await setImmediate();
    }
  }

  /** Uses both clocks, because one may jump, and the other does not know the time before the start. */
  #leftMs({ first, time, isFull }: EventFile): number {
    const { bounds, now, uptime } = this.#options;
    if (isFull) return 0;
    if (this.#oldest.position !== first) this.#oldest = { position: first, since: uptime() };
    const waitedMs = Math.max(now() - time, uptime() - this.#oldest.since);
    return Math.max(0, bounds.ageMs - waitedMs);
  }
}

/** The size of a file. */
class EventFile implements ClosedFile {
  readonly #bounds: FileBounds;
  readonly #mostEvents: () => number;
  #events = 0;
  bytes = 0;
  /** Position of the first event. */
  first = 0;
  last = 0;
  /** Time of the first event. */
  time = 0;
  closedAt = 0;
  /** True if nothing more is added. */
  isFull = false;

  constructor(bounds: FileBounds, mostEvents: () => number) {
    this.#bounds = bounds;
    this.#mostEvents = mostEvents;
  }

  add(page: readonly QueuedEvent[]): void {
    for (const event of page) if (this.isFull || !this.#takes(event)) return;
  }

  #takes(event: QueuedEvent): boolean {
    const { bytes, ageMs } = this.#bounds;
    const { time, text } = toOutboxEvent(event);
    const size = Buffer.byteLength(text) + 1;
    if (this.#events === 0) {
      this.first = event.position;
      this.time = time;
      this.closedAt = time + ageMs;
    } else if (this.bytes + size > bytes || time >= this.closedAt) {
      this.#close(time);
      return false;
    }
    this.bytes += size;
    this.#events += 1;
    this.last = event.position;
    if (this.bytes >= bytes || this.#events >= this.#mostEvents()) this.#close(time);
    return true;
  }

  #close(time: number): void {
    this.isFull = true;
    this.closedAt = Math.min(this.closedAt, time);
  }
}
