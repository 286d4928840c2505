/**
 * Finds the file of a request.
 * Invariant: it is inside the folder, and not hidden unless hidden files are served.
 */
import type { Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isName } from './file-names.ts';

export interface Folder {
  /** Its real path: no symbolic links are in it. */
  readonly root: string;
  /** True if files and folders are served whose names begin with a dot. */
  readonly hidden: boolean;
}

export interface Located {
  /** Path without symbolic links. */
  readonly path: string;
  readonly stats: Stats;
}

/** The parts of a request target's path, decoded; null: they cannot be names. A folder's has '' at its end. */
export function partsOf(target: string): readonly string[] | null {
  const [path = ''] = target.split('?', 1);
  if (!path.startsWith('/')) return null;
  try {
    return path.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Returns null for files that are missing or not served. Rejects with errors of the system. */
export async function locate(folder: Folder, parts: readonly string[]): Promise<Located | null> {
  const names = parts.at(-1) === '' ? parts.slice(0, -1) : parts;
  if (!names.every((name) => isName(name))) return null;
  try {
    const path = await realpath(join(folder.root, ...names));
    return isServed(folder, path) ? { path, stats: await lstat(path) } : null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/**
 * Returns true if a real path is inside, and no name below the folder is hidden. The links on the way to it do not
 * matter.
 */
export function isServed({ root, hidden }: Folder, path: string): boolean {
  if (path === root) return true;
  const start = root.endsWith(sep) ? root : root + sep;
  if (!path.startsWith(start)) return false;
  return hidden || !path.slice(start.length).split(sep).some(isHidden);
}

export function isHidden(name: string): boolean {
  return name.startsWith('.');
}

const ABSENT = new Set<unknown>(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES', 'EPERM']);

/** Also what this user may not read, which visitors need not know. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ABSENT.has(error.code);
}
