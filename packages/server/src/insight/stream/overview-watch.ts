/**
 * Reports the overviews of accounts whose streams have the topic `overview`.
 * Invariant: an overview is read at most once a second for all streams of its account, and one read at a time.
 */
import type { JsonObject } from '../../store/store.ts';
import { eventText } from './event-text.ts';

export interface OverviewWatchOptions {
  readonly read: (account: string) => Promise<JsonObject>;
  /** Receives the text of an event whose overview differs from the one before. */
  readonly report: (account: string, text: string) => void;
  readonly failed: (error: unknown) => void;
}

interface Watched {
  /** The event that was reported last; null before the first one. */
  text: string | null;
  /** The reported overview without its time. */
  content: string;
  isReading: boolean;
}

const PERIOD_MS = 1000;

export class OverviewWatch {
  readonly #options: OverviewWatchOptions;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: OverviewWatchOptions) {
    this.#options = options;
  }

  /** Begins to report. Returns the event that was reported last; null if the first one follows. */
  add(account: string): string | null {
    const known = this.#watched.get(account);
    if (known !== undefined) return known.text;
    this.#watched.set(account, { text: null, content: '', isReading: false });
    this.#timer ??= setInterval(() => this.look(), PERIOD_MS).unref();
    void this.#read(account);
    return null;
  }

  delete(account: string): void {
    this.#watched.delete(account);
    if (this.#watched.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Reads every overview that is not being read. */
  look(): void {
    for (const account of this.#watched.keys()) void this.#read(account);
  }

  async #read(account: string): Promise<void> {
    const watched = this.#watched.get(account);
    if (watched === undefined || watched.isReading) return;
    watched.isReading = true;
    try {
      const overview = await this.#options.read(account);
      const content = JSON.stringify({ ...overview, as_of: '' });
      // Its streams may have ended meanwhile.
      if (content === watched.content || this.#watched.get(account) !== watched) return;
      watched.content = content;
      watched.text = eventText('overview', overview);
      this.#options.report(account, watched.text);
    } catch (error) {
      this.#options.failed(error);
    } finally {
      watched.isReading = false;
    }
  }
}
