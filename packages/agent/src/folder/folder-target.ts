/** A folder as users write it: `file:path`. */
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { InvalidInput, type Upstream } from '../address.ts';
import { bootstrapPath } from '../bootstrap.ts';
import { defaultConfigPath } from '../config-file.ts';
import { type Folder, isServed } from './locate.ts';

/** A folder as the target of a tunnel, which the agent serves itself. */
export interface FolderTarget {
  readonly scheme: 'http';
  readonly folder: Folder;
  /** Text for people: `file:///path`. */
  readonly text: string;
}

/** Options of a served folder. */
export interface Serving {
  readonly hidden?: boolean | undefined;
  /** The config file, as it was given. */
  readonly config?: string | undefined;
  /** Paths of the files with secrets of its tunnel. */
  readonly secrets?: readonly string[];
}

/** The target of the command's tunnel. */
export type Target = Upstream | FolderTarget;

const FILE = 'file:';

export function isFolderText(text: string): boolean {
  return text.startsWith(FILE);
}

/** Parses `file:path`, relative to the folder `from`, or `file:///path`. Throws InvalidInput. */
export function parseFolderText(text: string, from: string, how: Serving): FolderTarget {
  const rest = text.slice(FILE.length);
  return parseFolder(rest.startsWith('//') ? pathIn(text) : rest, from, how);
}

/** Parses a path, relative to the folder `from`. Throws InvalidInput. */
export function parseFolder(
  given: string,
  from: string,
  { hidden, config, secrets = [] }: Serving,
): FolderTarget {
  const path = resolve(from, given);
  const stats = statsOf(path);
  if (given === '' || !stats.isDirectory())
    throw new InvalidInput(`"${given}" is no folder. Give the path of one.`);
  const folder = { root: realpathSync.native(path), hidden: hidden === true };
  const secret = secretIn(folder, [...secrets, ...(config === undefined ? [] : [resolve(from, config)])]);
  if (secret !== undefined)
    throw new InvalidInput(
      `"${given}" has ${secret} in it, whose secrets every visitor could read. Give a folder without it.`,
    );
  return {
    scheme: 'http',
    folder,
    text: pathToFileURL(path).href,
  };
}

/**
 * Returns true for a file that holds this agent's token or another of its secrets; `named`: the files that its
 * options name.
 */
function secretIn(folder: Folder, named: readonly string[]): string | undefined {
  const files = [...named, bootstrapPath(process.cwd()), defaultConfigPath(process.env)];
  return files.find((file) => existsSync(file) && isServed(folder, realpathSync.native(file)));
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
