/**
 * The files that an open database is in, and whether they are still where they were. A file that was removed or replaced goes on living
 * for whoever has it open: what is written into it then is gone with the process.
 */
import { statSync } from 'node:fs';

interface OpenFile {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

export type OpenFiles = readonly OpenFile[];

/** A file of the database is not the one that is open. */
export class FileRemovedError extends Error {
  override readonly name = 'FileRemovedError';
}

/** Asked while the database is open: its log is there as long as somebody has it open. */
export function filesOf(path: string): OpenFiles {
  return [path, `${path}-wal`].flatMap((each) => {
    const found = statSync(each, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? [] : [{ path: each, device: found.dev, inode: found.ino }];
  });
}

/** Which file is no longer in its place, for the operator; null when all are. */
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
