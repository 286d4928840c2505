/**
 * The contents of a backup, as listed in its file `backup.json`.
 * Invariant: a manifest of an unknown format is rejected.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isObject } from '../resources/keywords.ts';
import type { JsonObject } from '../store/store.ts';
import { readIfThere } from '../system/files.ts';
import { requireRegularFile } from '../system/named-file.ts';
import { OperatorError } from './operator-error.ts';

export const MANIFEST = 'backup.json';
export const DATABASE = 'underpass.db';
export const MASTER_KEY = 'master.key';
/** Taken from the data dir where they are there. */
export const SIDE_FILES: readonly string[] = [MASTER_KEY, 'bootstrap.json', 'ca.pem'];

/** Version of the directory's and the manifest's format. */
const FORMAT = 1;
const SHA_256 = /^[0-9a-f]{64}$/;

/** SHA-256 of each file, by name. */
export type Digests = ReadonlyMap<string, string>;

export function writeManifest(files: Digests, facts: JsonObject): string {
  return `${JSON.stringify({ format: FORMAT, ...facts, sha256: Object.fromEntries(files) }, null, 2)}\n`;
}

/** Rejects with OperatorError. */
export async function readManifest(directory: string): Promise<Digests> {
  const path = join(directory, MANIFEST);
  const text = await readIfThere(path);
  if (text === null)
    throw new OperatorError(
      `${directory} is no backup: there is no ${MANIFEST} in it. Give the directory that underpassd backup made as <dir>.`,
    );
  const content = parse(text);
  if (content === null) throw damaged(path);
  if (content.format !== FORMAT) {
    throw new OperatorError(
      `${path} is of format ${String(content.format)}; this program knows format ${FORMAT}: restore with the program that made it`,
    );
  }
  if (!isObject(content.sha256)) throw damaged(path);
  const files = new Map<string, string>();
  for (const [name, digest] of Object.entries(content.sha256)) {
    const isKnown = name === DATABASE || SIDE_FILES.includes(name);
    if (!isKnown || typeof digest !== 'string' || !SHA_256.test(digest)) throw damaged(path);
    files.set(name, digest);
  }
  if (!files.has(DATABASE)) throw damaged(path);
  return files;
}

/** Rejects with OperatorError unless every file is there as it was written. */
export async function requireDigests(directory: string, files: Digests): Promise<void> {
  for (const [name, expected] of files) {
    const path = join(directory, name);
    const found = await digestOf(path).catch((error: Error) => {
      throw new OperatorError(
        `the backup is not whole: ${error.message}. Take another backup. Nothing was restored.`,
      );
    });
    if (found !== expected) throw damaged(path);
  }
}

export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await requireRegularFile(path);
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const content: unknown = JSON.parse(text);
    return isObject(content) ? content : null;
  } catch {
    return null;
  }
}

function damaged(path: string): OperatorError {
  return new OperatorError(
    `${path} is not what the backup wrote: take another backup. Nothing was restored.`,
  );
}
