/**
 * Stores the last acknowledged revision in a file beside the database.
 * Invariant: it is never ahead of the committed revision.
 *
 * SQLite silently ends its log at the first damaged frame, so later commits are lost. The next process that opens the
 * database compares. The file is not synced, because a write would wait for the disk twice. After a power failure it
 * may have an earlier revision, and fewer losses are reported.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { readNamedFile } from '../../system/named-file.ts';
import type { Revision } from '../store.ts';

const DIGITS = 16;

/** Acknowledged writes that are missing in the database. */
export interface LostWrites {
  readonly from: Revision;
  readonly to: Revision;
}

export function pathOfAnswered(path: string): string {
  return `${path}.answered`;
}

export class AnsweredRevision {
  readonly #descriptor: number;

  /** `path` is the path of the database. Throws if the file can be neither opened nor created. */
  constructor(path: string) {
    const { O_CREAT, O_WRONLY, O_NONBLOCK } = constants;
    // Without O_NONBLOCK, opening a pipe would wait for a reader.
    this.#descriptor = openSync(pathOfAnswered(path), O_CREAT | O_WRONLY | O_NONBLOCK, 0o600);
    if (fstatSync(this.#descriptor).isFile()) return;
    this.close();
    throw new Error(`${pathOfAnswered(path)} is no regular file`);
  }

  /** Throws if the disk is full. Only the first call can fail, because later ones overwrite. */
  set(revision: Revision): void {
    writeSync(this.#descriptor, `${String(revision).padStart(DIGITS, '0')}\n`, 0);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** `revision` is the last one in the database. Returns null if nothing is missing, or nothing is known. */
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

/** Describes the loss for the operator. */
export function describeLostWrites(path: string, { from, to }: LostWrites): string {
  return `the database ${path} has lost ${to - from + 1} answered writes (revisions ${from} to ${to}): its log ${path}-wal was damaged or taken away, or an older file was put in its place. What they changed is as it was before; a backup may have it.`;
}
