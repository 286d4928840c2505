/** Fixtures for tests of `follow`. */
import type { Follower } from '../follow.ts';
import type { Change, StoredDocument } from '../store.ts';
import { byId } from './harness.fixture.ts';

/** A follower that keeps all states and lets a test wait for one. */
export class Mirror implements Follower {
  documents = byId([]);
  resets = 0;
  applied: Change[] = [];
  readonly #waiting: (() => void)[] = [];

  reset(documents: readonly StoredDocument[]): void {
    this.resets += 1;
    this.documents = byId(documents);
    this.check();
  }

  apply(changes: readonly Change[]): void {
    this.applied.push(...changes);
    for (const { id, document } of changes) {
      if (document === null) this.documents.delete(id);
      else this.documents.set(id, document);
    }
    this.check();
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  check(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** A watch that yields nothing. */
export async function* silence(signal: AbortSignal): AsyncIterable<readonly Change[]> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
