/**
 * Folders for many small writes, such as databases of tests: in memory if there is room, because a disk costs a fifth
 * of the time. Not for large files, or for programs, which may not run from there.
 */
import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux: tmpfs(5). A container often has a small one. */
const IN_MEMORY = '/dev/shm';
const LEAST_BYTES = 2 ** 30;

interface Room {
  /** Path of a folder in memory. */
  readonly inMemory?: string;
  /** Free bytes that it must have. */
  readonly leastBytes?: number;
}

/** A new folder, whose name begins so. Who makes it removes it. Where it lies depends on the machine: nothing is renamed into it. */
export function temporaryFolder(
  name: string,
  { inMemory = IN_MEMORY, leastBytes = LEAST_BYTES }: Room = {},
): string {
  return mkdtempSync(join(hasRoom(inMemory, leastBytes) ? inMemory : tmpdir(), name));
}

function hasRoom(directory: string, leastBytes: number): boolean {
  try {
    accessSync(directory, constants.W_OK);
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize >= leastBytes;
  } catch {
    return false;
  }
}
