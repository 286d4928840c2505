/** A folder as users write it: `file:path`. */
import { realpathSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { InvalidInput, type Upstream } from '../address.ts';
import type { Folder } from './locate.ts';

/** What is forwarded to is a folder, which the agent serves itself. */
export interface FolderTarget {
  readonly scheme: 'http';
  readonly folder: Folder;
  /** How it is shown: `file:///path`. */
  readonly text: string;
}

/** What a tunnel of the command leads to. */
export type Target = Upstream | FolderTarget;

const FILE = 'file:';

export function isFolderText(text: string): boolean {
  return text.startsWith(FILE);
}

/** Parses `file:path`, relative to the folder `from`, or `file:///path`. Throws InvalidInput. */
export function parseFolderText(text: string, from: string, hidden: boolean): FolderTarget {
  const rest = text.slice(FILE.length);
  return parseFolder(rest.startsWith('//') ? pathIn(text) : rest, from, hidden);
}

/** Parses a path, relative to the folder `from`. Throws InvalidInput. */
export function parseFolder(given: string, from: string, hidden: boolean): FolderTarget {
  const path = resolve(from, given);
  const stats = statsOf(path);
  if (given === '' || !stats.isDirectory())
    throw new InvalidInput(`"${given}" is no folder. Give the path of one.`);
  return {
    scheme: 'http',
    folder: { root: realpathSync(path), hidden },
    text: pathToFileURL(path).href,
  };
}

function statsOf(path: string): Stats {
  try {
    return statSync(path);
  } catch {
    throw new InvalidInput(`There is no folder "${path}" that this user may read. Give the path of one.`);
  }
}

function pathIn(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new InvalidInput(`"${url}" is no path of this machine. Give file:///path.`);
  }
}
