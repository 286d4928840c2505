/**
 * Lists a folder.
 * Invariant: the list is bounded, and contains only served files.
 */
import type { Dirent, Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isName } from './file-names.ts';
import { type Folder, isAbsent, isHidden, locate } from './locate.ts';

export interface Entry {
  readonly name: string;
  /** Null of a folder. */
  readonly size: number | null;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

export interface Listing {
  /** Folders first, then by name. */
  readonly entries: readonly Entry[];
  /** True if there are more than are listed. */
  readonly isCut: boolean;
}

const MOST_ENTRIES = 2_000;
/** Concurrent calls to the system. */
const BATCH = 32;

/** Lists what lies at the decoded `parts`, with '' at their end, which lead to the folder at `path`. */
export async function list(folder: Folder, parts: readonly string[], path: string): Promise<Listing> {
  const found: Dirent[] = [];
  let isCut = false;
  for await (const dirent of await opendir(path)) {
    if (!mayBeShown(folder, dirent)) continue;
    if (found.length === MOST_ENTRIES) {
      isCut = true;
      break;
    }
    found.push(dirent);
  }
  const entries: Entry[] = [];
  for (let at = 0; at < found.length; at += BATCH) {
    const batch = found.slice(at, at + BATCH).map((dirent) => entryOf(folder, parts, dirent));
    for (const entry of await Promise.all(batch)) if (entry !== null) entries.push(entry);
  }
  return { entries: entries.sort(inOrder), isCut };
}

function mayBeShown({ hidden }: Folder, dirent: Dirent): boolean {
  if (!isName(dirent.name) || (isHidden(dirent.name) && !hidden)) return false;
  return dirent.isFile() || dirent.isDirectory() || dirent.isSymbolicLink();
}

/** Null: it is gone meanwhile, or a link that leads nowhere, or where nothing is served. */
async function entryOf(folder: Folder, parts: readonly string[], dirent: Dirent): Promise<Entry | null> {
  const stats = await statsOf(folder, parts, dirent);
  if (!stats?.isFile() && !stats?.isDirectory()) return null;
  const size = stats.isDirectory() ? null : stats.size;
  return { name: dirent.name, size, modified: timeOf(stats.mtimeMs) };
}

async function statsOf(folder: Folder, parts: readonly string[], dirent: Dirent): Promise<Stats | null> {
  if (dirent.isSymbolicLink())
    return (await locate(folder, [...parts.slice(0, -1), dirent.name]))?.stats ?? null;
  try {
    return await lstat(join(dirent.parentPath, dirent.name));
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** A file system may know later times than a Date does. */
export function timeOf(ms: number | bigint): number {
  return Math.min(Number(ms), 8.64e15);
}

const names = new Intl.Collator('en', { numeric: true });

function inOrder(a: Entry, b: Entry): number {
  if ((a.size === null) !== (b.size === null)) return a.size === null ? -1 : 1;
  return names.compare(a.name, b.name);
}
