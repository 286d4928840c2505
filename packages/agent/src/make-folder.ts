/**
 * Makes folders, and never waits without end. Node's own `recursive` does so if a file system accepts no folder, such
 * as /proc.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates the folder and its parents. Throws the system's error. */
export function makeFolder(path: string, mode: number): void {
  if (existsSync(path)) return;
  // A drive of Windows that is absent has no parent.
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error;
  }
}
