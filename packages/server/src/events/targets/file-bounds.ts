/** Which targets take events in files, and when one is closed. Known of a destination before the code of its target is loaded. */
import type { EventTarget } from '../../documents/index.ts';

/** What leaves the outbox in one write. */
export const MOST_IN_FILE = 10_000;
const DEFAULT_BYTES = 5_242_880;
const DEFAULT_SECONDS = 300;

export interface FileBounds {
  readonly events: number;
  /** Of its lines; a single event may be larger. */
  readonly bytes: number;
  /** How long its first event waits for others. */
  readonly ageMs: number;
}

/** Null for a target that takes whatever waits. */
export function fileBoundsOf(target: EventTarget): FileBounds | null {
  if (target.type !== 's3') return null;
  const { max_file_size, max_file_age } = target.settings;
  const seconds = max_file_age || DEFAULT_SECONDS;
  return { events: MOST_IN_FILE, bytes: max_file_size || DEFAULT_BYTES, ageMs: seconds * 1000 };
}
