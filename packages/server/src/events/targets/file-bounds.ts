/** Bounds of files, for targets that accept events in files. They are known without the code of the target. */
import type { EventTarget } from '../../documents/index.ts';

/** Events in all open files of an account. Otherwise a few destinations could fill its outbox. */
const ALL_EVENTS = 25_000;
export const MOST_IN_FILE = 10_000;
const DEFAULT_BYTES = 5_242_880;
const DEFAULT_SECONDS = 300;

export interface FileBounds {
  /** Bytes of its lines. A single event may be larger. */
  readonly bytes: number;
  /** Milliseconds that its first event waits for others. */
  readonly ageMs: number;
}

export function takesFiles({ type }: EventTarget): boolean {
  return type === 's3';
}

/** Returns null for a target that accepts events without files. */
export function fileBoundsOf(target: EventTarget): FileBounds | null {
  if (target.type !== 's3') return null;
  const { max_file_size, max_file_age } = target.settings;
  const seconds = max_file_age || DEFAULT_SECONDS;
  return { bytes: max_file_size || DEFAULT_BYTES, ageMs: seconds * 1000 };
}

/** `files` is the number of the account's destinations that accept files. */
export function mostInFile(files: number): number {
  return Math.max(1, Math.min(MOST_IN_FILE, Math.floor(ALL_EVENTS / files)));
}
