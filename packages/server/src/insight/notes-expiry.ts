/**
 * Removes old notes: some hundred in a write, then a pause for other writes. It runs an hour apart, on every daemon: one
 * that finds nothing old only reads.
 */
import type { Logger } from 'pino';
import type { DocumentStore } from '../documents/index.ts';
import type { After } from '../events/resting.ts';
import { Rounds } from '../events/rounds.ts';
import { failureLog } from '../store/outage-log.ts';
import type { NoteKind } from '../store/store.ts';

export interface OldNotes {
  readonly store: Pick<DocumentStore, 'oldestNote' | 'write'>;
  /** Milliseconds for which notes stay, by kind. */
  readonly kept: Readonly<Partial<Record<NoteKind, number>>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const MOST = 500;
const PAUSE_MS = 50;
const EVERY_MS = 3_600_000;

export function notesExpiry(
  notes: OldNotes,
  { after, log }: { readonly after: After; readonly log: Logger },
): Rounds {
  return new Rounds({
    after,
    step: async () => ((await expireNotes(notes)) ? PAUSE_MS : EVERY_MS),
    failed: failureLog(log, 'removing old notes failed'),
    retryMs: EVERY_MS,
  });
}

/** Removes some notes of each kind. Returns true if more may be old. */
export async function expireNotes({ store, kept, now }: OldNotes): Promise<boolean> {
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
