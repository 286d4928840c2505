/**
 * Which events go into one file, for targets that take files: the oldest one, and what follows it within the size and the age of a
 * file. Never that this depends on who looks when, so that a file that is sent again is the same; never that what waits for its file
 * is kept in memory.
 */
import type { QueuedEvent } from '../documents/index.ts';
import { toOutboxEvent } from './batch.ts';
import type { FileBounds } from './targets/file-bounds.ts';

/** Read at once. */
const PAGE = 500;

export interface GatheringOptions {
  readonly bounds: FileBounds;
  /** What waits at greater positions, oldest first. */
  readonly read: (after: number, limit: number) => Promise<readonly QueuedEvent[]>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime: () => number;
}

export class Gathering {
  readonly #options: GatheringOptions;
  /** As far as it was looked at. */
  #file: EventFile | null = null;
  /** The event that waits longest, and when it was seen first. */
  #oldest = { position: 0, since: 0 };

  constructor(options: GatheringOptions) {
    this.#options = options;
  }

  /** In how many milliseconds the file of the oldest event is closed if nothing else comes; null: nothing waits. */
  async closesInMs(): Promise<number | null> {
    const [oldest] = await this.#options.read(0, 1);
    if (oldest === undefined) return null;
    if (this.#file?.first !== oldest.position) this.#file = new EventFile(this.#options.bounds);
    await this.#fill(this.#file);
    return this.#leftMs(this.#file);
  }

  /** When the file that was looked at last was closed or will be, in milliseconds since the epoch. */
  get closedAt(): number {
    return this.#file?.closedAt ?? 0;
  }

  /** The events of the oldest file; none when it is not closed. */
  async take(): Promise<readonly QueuedEvent[]> {
    const events: QueuedEvent[] = [];
    // Measured anew: what nobody wants any more has left it since.
    this.#file = new EventFile(this.#options.bounds);
    await this.#fill(this.#file, events);
    return this.#leftMs(this.#file) === 0 ? events : [];
  }

  async #fill(file: EventFile, into?: QueuedEvent[]): Promise<void> {
    let isMore = true;
    while (isMore && !file.isFull) {
      const page = await this.#options.read(file.last, PAGE);
      const added = page.slice(0, file.add(page));
      into?.push(...added);
      isMore = page.length === PAGE;
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
class EventFile {
  readonly #bounds: FileBounds;
  #bytes = 0;
  #events = 0;
  /** Positions. */
  first = 0;
  last = 0;
  /** Of the first event. */
  time = 0;
  closedAt = 0;
  /** Nothing more goes into it. */
  isFull = false;

  constructor(bounds: FileBounds) {
    this.#bounds = bounds;
  }

  /** How many of these go into it. */
  add(page: readonly QueuedEvent[]): number {
    for (const [at, event] of page.entries()) {
      if (this.isFull || !this.#takes(event)) return at;
    }
    return page.length;
  }

  #takes(event: QueuedEvent): boolean {
    const { bytes, events, ageMs } = this.#bounds;
    const { time, text } = toOutboxEvent(event);
    const size = Buffer.byteLength(text) + 1;
    if (this.#events === 0) {
      this.first = event.position;
      this.time = time;
      this.closedAt = time + ageMs;
    } else if (this.#bytes + size > bytes || time >= this.closedAt) {
      this.#close(time);
      return false;
    }
    this.#bytes += size;
    this.#events += 1;
    this.last = event.position;
    if (this.#bytes >= bytes || this.#events >= events) this.#close(time);
    return true;
  }

  #close(time: number): void {
    this.isFull = true;
    this.closedAt = Math.min(this.closedAt, time);
  }
}
