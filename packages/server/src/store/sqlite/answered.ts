/**
 * Which revision was answered last, in a file beside the database. Never that it runs ahead of what is committed.
 *
 * SQLite ends its log at the first frame that is damaged, without a word: what was committed after it is gone. Whoever opens the database
 * next compares. The file is not synced, because a write would wait for the disk twice: after a power cut it may name an earlier revision,
 * so that less is said than was lost.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { readNamedFile } from '../../system/named-file.ts';
import type { Revision } from '../store.ts';

const DIGITS = 16;

/** Writes that were answered and are not in the database any more. */
export interface LostWrites {
  readonly from: Revision;
  readonly to: Revision;
}

export function pathOfAnswered(path: string): string {
  return `${path}.answered`;
}

export class AnsweredRevision {
  readonly #descriptor: number;

  /** `path`: of the database. Throws where the file can be neither opened nor made. */
  constructor(path: string) {
    const { O_CREAT, O_WRONLY, O_NONBLOCK } = constants;
    // The open of a pipe would wait for a reader.
    this.#descriptor = openSync(pathOfAnswered(path), O_CREAT | O_WRONLY | O_NONBLOCK, 0o600);
    if (fstatSync(this.#descriptor).isFile()) return;
    this.close();
    throw new Error(`${pathOfAnswered(path)} is no regular file`);
  }

  /** Throws when the disk is full, which it can be the first time only: later the place is there. */
  set(revision: Revision): void {
    writeSync(this.#descriptor, `${String(revision).padStart(DIGITS, '0')}\n`, 0);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** `revision`: the last one in the database. Null when nothing is missing, or nothing is known. */
export function findLostWrites(path: string, revision: Revision): LostWrites | null {
  let text: string;
  try {
    text = readNamedFile(pathOfAnswered(path));
  } catch {
    return null;
  }
  if (!/^\d{16}\n$/.test(text)) return null;
  const answered = Number(text);
  return answered > revision ? { from: revision + 1, to: answered } : null;
}

/** For the operator. */
export function describeLostWrites(path: string, { from, to }: LostWrites): string {
  return `the database ${path} has lost ${to - from + 1} answered writes (revisions ${from} to ${to}): its log ${path}-wal was damaged or taken away, or an older file was put in its place. What they changed is as it was before; a backup may have it.`;
}
