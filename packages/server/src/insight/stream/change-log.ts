/**
 * Follows the change log while streams of changes are open.
 * Invariant: without a listener nothing is read.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createdAt, suffixOf } from '../../core/id.ts';
import {
  type Change,
  OtherHistoryError,
  type Position,
  RevisionCompactedError,
  type Store,
} from '../../store/store.ts';
import type { EventPosition } from './last-event-id.ts';

/** The reason for which changes were missed. */
export type Missed = 'too_old' | 'other_history';

/** The parts of the store that streams read. */
export type LoggedStore = Pick<Store, 'watch' | 'scan' | 'lastId'>;

export interface ChangeListener {
  /** Receives changes in their order. `at`: the position after them. `isNew`: the resource was created. */
  changed(changes: readonly Change[], at: EventPosition, isNew: (change: Change) => boolean): void;
  /** Changes were missed. `at`: the position from which they are complete again. */
  missed(reason: Missed, at: EventPosition): void;
}

const RETRY_MS = 1000;

export class ChangeLog {
  readonly store: LoggedStore;
  readonly kinds: readonly string[];
  readonly #listener: ChangeListener;
  readonly #failed: (error: unknown) => void;
  #following: AbortController | null = null;
  #opening: Promise<void> | null = null;
  #position: Position | null = null;
  /** The newest id suffix at the position. */
  #newest = '';

  /** `failed`: receives reasons of interruptions. Following continues by itself. */
  constructor(
    store: LoggedStore,
    kinds: readonly string[],
    listener: ChangeListener,
    failed: (error: unknown) => void,
  ) {
    this.store = store;
    this.kinds = kinds;
    this.#listener = listener;
    this.#failed = failed;
  }

  /** The position up to which changes were reported; null while nothing is followed. */
  get position(): EventPosition | null {
    return this.#position === null ? null : this.#at(this.#position);
  }

  /** Resolves when changes are followed, or are no longer wanted. Rejects if the store is unavailable. */
  async open(isWanted: () => boolean): Promise<void> {
    while (this.#position === null && isWanted()) {
      this.#opening ??= this.#begin().finally(() => {
        this.#opening = null;
      });
      await this.#opening;
    }
  }

  /** Stops following. Later calls of `open` begin anew. */
  close(): void {
    this.#following?.abort();
    this.#following = null;
    this.#position = null;
  }

  async #begin(): Promise<void> {
    const following = new AbortController();
    this.#following = following;
    await this.#toHead();
    if (following.signal.aborted) this.#position = null;
    else void this.#follow(following.signal);
  }

  /** Continues from the end of the log. */
  async #toHead(): Promise<void> {
    // The id first: what is created in between is not reported, so it needs no mark as new.
    this.#newest = await this.store.lastId();
    for await (const { documents: _, ...position } of this.store.scan([])) {
      this.#position = position;
      break;
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#read(signal);
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(error, signal);
      }
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { revision, mark } = this.#position ?? { revision: 0 };
    const feed = this.store.watch(revision, this.kinds, signal, mark);
    for await (const changes of feed) {
      if (signal.aborted) return;
      this.#position = feed.position ?? { revision: changes.at(-1)?.revision ?? revision };
      const before = this.#newest;
      for (const { id } of changes) if (suffixOf(id) > this.#newest) this.#newest = suffixOf(id);
      this.#listener.changed(changes, this.#at(this.#position), ({ id }) => suffixOf(id) > before);
    }
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const reason: Missed | null =
      error instanceof OtherHistoryError
        ? 'other_history'
        : error instanceof RevisionCompactedError
          ? 'too_old'
          : null;
    try {
      if (reason === null) throw error;
      await this.#toHead();
      if (!signal.aborted && this.#position !== null) this.#listener.missed(reason, this.#at(this.#position));
    } catch (cause) {
      this.#failed(cause);
      await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  #at(position: Position): EventPosition {
    return { ...position, newest: this.#newest === '' ? 0 : createdAt(this.#newest).getTime() / 1000 };
  }
}
