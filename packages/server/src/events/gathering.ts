/**
 * Which events go into one file, for targets that take files: the oldest one, and what follows it within the size and the age of a
 * file. Never that what waits for its file is kept in memory.
 */
import { setImmediate } from 'node:timers/promises';
import type { QueuedEvent } from '../documents/index.ts';
import { toOutboxEvent } from './batch.ts';
import type { FileBounds } from './targets/file-bounds.ts';

/** Read at once, which holds up the event loop where the store is in this process. */
const PAGE = { limit: 500, bytes: 1_048_576 };

export interface Page {
  /** Only what waits at greater positions. */
  readonly after: number;
  readonly limit: number;
  readonly bytes: number;
}

export interface ClosedFile {
  /** The position of its last event. */
  readonly last: number;
  /** Of its lines. */
  readonly bytes: number;
  /** In milliseconds since the epoch. */
  readonly closedAt: number;
}

export interface GatheringOptions {
  readonly bounds: FileBounds;
  readonly mostEvents: number;
  /** What waits, oldest first. */
  readonly read: (page: Page) => Promise<readonly QueuedEvent[]>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime: () => number;
}

export class Gathering {
  readonly #options: GatheringOptions;
  /** May become another one while a file is filled. */
  mostEvents: number;
  /** As far as it was looked at. */
  #file: EventFile | null = null;
  /** The event that waits longest, and when it was seen first. */
  #oldest = { position: 0, since: 0 };

  constructor(options: GatheringOptions) {
    this.#options = options;
    this.mostEvents = options.mostEvents;
  }

  get bounds(): FileBounds {
    return this.#options.bounds;
  }

  /** In how many milliseconds the file of the oldest event is closed if nothing else comes; null: nothing waits. */
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

  /** The file that was looked at last; null where it was not closed. */
  get closed(): ClosedFile | null {
    return this.#file !== null && this.#leftMs(this.#file) === 0 ? this.#file : null;
  }

  /** The events up to this position. */
  async *upTo(last: number): AsyncGenerator<QueuedEvent> {
    for await (const page of this.#pages({ last: 0, isFull: false })) {
      for (const event of page) {
        if (event.position > last) return;
        yield event;
      }
    }
  }

  /** What waits behind the last position, as long as there is room in the file. Others have their turn between two pages. */
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

  /** By both clocks, as one of them jumps, and the other one does not know what was before. */
  #leftMs({ first, time, isFull }: EventFile): number {
    const { bounds, now, uptime } = this.#options;
    if (isFull) return 0;
    if (this.#oldest.position !== first) this.#oldest = { position: first, since: uptime() };
    const waitedMs = Math.max(now() - time, uptime() - this.#oldest.since);
    return Math.max(0, bounds.ageMs - waitedMs);
  }
}

/** How much is in a file. */
class EventFile implements ClosedFile {
  readonly #bounds: FileBounds;
  readonly #mostEvents: () => number;
  #events = 0;
  bytes = 0;
  /** Positions. */
  first = 0;
  last = 0;
  /** Of the first event. */
  time = 0;
  closedAt = 0;
  /** Nothing more goes into it. */
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
