/**
 * Checks that the files of an open database are still in their place. A removed or replaced file lives on for processes
 * that have it open. Later writes into it are lost with the process.
 */
import { statSync } from 'node:fs';

interface OpenFile {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

export type OpenFiles = readonly OpenFile[];

/** A file of the database was removed or replaced. */
export class FileRemovedError extends Error {
  override readonly name = 'FileRemovedError';
}

/** Returns the files. Call it while the database is open, because its log exists only then. */
export function filesOf(path: string): OpenFiles {
  return [path, `${path}-wal`].flatMap((each) => {
    const found = statSync(each, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? [] : [{ path: each, device: found.dev, inode: found.ino }];
  });
}

/** Returns the file that is no longer in its place, for the operator; null if all are. */
export function removedOf(files: OpenFiles): string | null {
  for (const { path, device, inode } of files) {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return `${path} was removed`;
    if (found.dev !== device || found.ino !== inode) return `${path} was replaced by another file`;
  }
  return null;
}

/** Throws FileRemovedError. */
export function requireFiles(files: OpenFiles): void {
  const removed = removedOf(files);
  if (removed !== null) throw new FileRemovedError(removed);
}
