/** Makes folders, and never waits without end: Node's own `recursive` does so where a file system takes none, such as /proc. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates the folder and its parents, with mode 0700. Throws the system's error. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    // Another process was faster.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
