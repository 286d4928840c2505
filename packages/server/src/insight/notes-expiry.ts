/**
 * Removes old notes: some hundred in a write, then a pause for other writes. It runs an hour apart, on every daemon: one
 * that finds nothing old only reads.
 */
import type { Logger } from 'pino';
import type { DocumentStore } from '../documents/index.ts';
import { type After, Resting } from '../events/resting.ts';
import { isOutage } from '../store/outage-log.ts';
import type { NoteKind } from '../store/store.ts';

export interface NotesExpiryOptions {
  readonly store: Pick<DocumentStore, 'oldestNote' | 'write'>;
  /** Milliseconds for which notes stay, by kind. */
  readonly kept: Readonly<Partial<Record<NoteKind, number>>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: After;
  readonly log: Logger;
}

const MOST = 500;
const PAUSE_MS = 50;
const EVERY_MS = 3_600_000;

export class NotesExpiry {
  readonly #options: NotesExpiryOptions;
  readonly #resting: Resting;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: NotesExpiryOptions) {
    this.#options = options;
    this.#resting = new Resting(options.after);
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#resting.end();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const isMore = await this.step().catch((error: unknown) => this.#failed(error));
      if (!this.#stopped) await this.#resting.rest(isMore ? PAUSE_MS : EVERY_MS);
    }
  }

  /** Removes some notes of each kind. Returns true if more may be old. */
  async step(): Promise<boolean> {
    const { store, kept, now } = this.#options;
    let isMore = false;
    for (const [kind, keptMs] of Object.entries(kept) as [NoteKind, number][]) {
      const before = now() - keptMs;
      const oldest = await store.oldestNote(kind);
      if (oldest === null || oldest >= before) continue;
      await store.write(() => [{ op: 'expire', kind, before, most: MOST }]);
      isMore = true;
    }
    return isMore;
  }

  #failed(error: unknown): boolean {
    if (!isOutage(error)) this.#options.log.error({ err: error }, 'removing old notes failed');
    return false;
  }
}
