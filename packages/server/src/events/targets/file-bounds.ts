/** Which targets take events in files, and when one is closed. Known of a destination before the code of its target is loaded. */
import type { EventTarget } from '../../documents/index.ts';

/** Of all files of an account that are not closed, in events. Else some destinations with files would fill its outbox. */
const ALL_EVENTS = 25_000;
export const MOST_IN_FILE = 10_000;
const DEFAULT_BYTES = 5_242_880;
const DEFAULT_SECONDS = 300;

export interface FileBounds {
  /** Of its lines; a single event may be larger. */
  readonly bytes: number;
  /** How long its first event waits for others. */
  readonly ageMs: number;
}

export function takesFiles({ type }: EventTarget): boolean {
  return type === 's3';
}

/** Null for a target that takes whatever waits. */
export function fileBoundsOf(target: EventTarget): FileBounds | null {
  if (target.type !== 's3') return null;
  const { max_file_size, max_file_age } = target.settings;
  const seconds = max_file_age || DEFAULT_SECONDS;
  return { bytes: max_file_size || DEFAULT_BYTES, ageMs: seconds * 1000 };
}

/** `files`: destinations of the account that take files. */
export function mostInFile(files: number): number {
  return Math.max(1, Math.min(MOST_IN_FILE, Math.floor(ALL_EVENTS / files)));
}
