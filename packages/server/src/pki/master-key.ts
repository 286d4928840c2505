/**
 * Reads the master keys from the environment or from a file of the data dir. During a rotation there are several: the
 * first one seals, all of them open.
 * Invariant: an unreadable key is never replaced, because secrets depend on it.
 */
import { randomBytes } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, replaceFile, syncDirectory } from '../system/files.ts';
import { makeFolder } from '../system/make-folder.ts';
import { readRegularFile, UnreadableFile } from '../system/named-file.ts';
import { KEY_BYTES } from './seal.ts';

export const MASTER_KEY_VARIABLE = 'UNDERPASS_MASTER_KEY';
export const MASTER_KEY_FILE = 'master.key';
const KEY_TEXT = /^[0-9a-f]{64}$/i;

/** The first seals, all open. */
export type MasterKeys = readonly [Buffer, ...Buffer[]];

/** The master key cannot be had. The message names where it was looked for and what to do: it is for the operator. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

export interface MasterKeyPlace {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The master keys: 64 hex digits each, from the environment (with commas between them), or else from `<dataDir>/master.key` (a line each),
 * which is made on first use. `inUse`: whether something is sealed already; a new key would open nothing of it, so none is made.
 * Rejects with MasterKeyError.
 */
export async function loadMasterKeys({
  dataDir,
  env,
  inUse = false,
}: MasterKeyPlace & { readonly inUse?: boolean }): Promise<MasterKeys> {
  const given = env[MASTER_KEY_VARIABLE];
  if (given !== undefined)
    return parseKeys(given, /\s*,\s*/, `the environment variable ${MASTER_KEY_VARIABLE}`);
  const path = join(dataDir, MASTER_KEY_FILE);
  try {
    const text = await readIfThere(path);
    if (text === null && inUse) {
      throw new MasterKeyError(
        `the secrets in the database are sealed under a master key, and ${path} is missing: put back the one that belongs to the database, or set ${MASTER_KEY_VARIABLE}.`,
      );
    }
    return parseKeys((text ?? (await createKey(dataDir, path))).trim(), /\s+/, path);
  } catch (cause) {
    if (cause instanceof MasterKeyError) throw cause;
    if (cause instanceof UnreadableFile)
      throw new MasterKeyError(
        `the master key ${path} ${cause.reason}. Put the key there, or set ${MASTER_KEY_VARIABLE}.`,
      );
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MasterKeyError(
      `the master key ${path} can be neither read nor made: ${why}. Make it accessible to this user, or set ${MASTER_KEY_VARIABLE}.`,
      { cause },
    );
  }
}

/** Puts these keys in the place of those in the file. */
export async function saveMasterKeys(dataDir: string, keys: MasterKeys): Promise<void> {
  const text = keys.map((key) => `${key.toString('hex')}\n`).join('');
  await replaceFile(join(dataDir, MASTER_KEY_FILE), text, 0o600);
}

export function newMasterKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

function parseKeys(text: string, separator: RegExp, where: string): MasterKeys {
  const [first = '', ...more] = text.split(separator);
  return [parseKey(first, where), ...more.map((one) => parseKey(one, where))];
}

function parseKey(text: string, where: string): Buffer {
  if (KEY_TEXT.test(text)) return Buffer.from(text, 'hex');
  throw new MasterKeyError(
    `${where} does not hold a master key: 64 hexadecimal digits are expected, ${text.length} characters are there. Put the right key back; without it stored secrets cannot be opened.`,
  );
}

/** Writes the key aside and links it into place: it appears whole, and of two processes that make one, both use the first. */
async function createKey(dataDir: string, path: string): Promise<string> {
  makeFolder(dataDir);
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(`${newMasterKey().toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(aside, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await syncDirectory(dataDir);
  } finally {
    await rm(aside, { force: true });
  }
  return readRegularFile(path);
}
