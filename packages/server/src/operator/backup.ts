/**
 * Copies an installation, also while it is in use, into a directory that `restore` reads. The directory has the
 * database of one moment as a SQLite file, the master key, the files beside it, and their digests.
 * Invariant: a directory gets its final name only when it is whole and on the disk.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadMasterKeys, MASTER_KEY_VARIABLE, MasterKeyError } from '../pki/master-key.ts';
import { Sealer } from '../pki/seal.ts';
import { type Copied, type CopySource, copy, type Progress } from '../store/copy/copy.ts';
import { openTarget } from '../store/databases/open-copy.ts';
import type { JsonObject } from '../store/store.ts';
import { readIfThere, replaceFile, syncDirectory } from '../system/files.ts';
import { makeFolder } from '../system/make-folder.ts';
import { DATABASE, digestOf, MANIFEST, MASTER_KEY, SIDE_FILES, writeManifest } from './backup-manifest.ts';
import { OperatorError } from './operator-error.ts';
import { requireOpenable } from './sealed-check.ts';

export interface BackupPlan {
  readonly dataDir: string;
  /** Absolute; not there yet, or empty. */
  readonly directory: string;
}

/** Answers what is in the backup; closes the source. Rejects with OperatorError or CopyError, and then nothing is left behind. */
export async function backUp(plan: BackupPlan, source: CopySource, progress: Progress): Promise<JsonObject> {
  const { directory } = plan;
  const unfinished = `${directory}.unfinished-${randomBytes(4).toString('hex')}`;
  try {
    await requireEmpty(directory, 'give another <dir>');
    makeFolder(dirname(directory));
    await mkdir(unfinished, { mode: 0o700 });
    const answer = await fill(plan, unfinished, source, progress);
    await rename(unfinished, directory);
    await syncDirectory(dirname(directory));
    return answer;
  } catch (error) {
    // A failure of the removal is ignored: the reason of the backup's failure matters more.
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    throw asBackupError(directory, error);
  } finally {
    await source.close();
  }
}

/** Rejects with OperatorError, whose text ends in the `remedy`. */
export async function requireEmpty(directory: string, remedy: string): Promise<void> {
  const there = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (there.length > 0) throw new OperatorError(`the directory ${directory} is not empty: ${remedy}`);
}

async function fill(
  { dataDir }: BackupPlan,
  directory: string,
  source: CopySource,
  progress: Progress,
): Promise<JsonObject> {
  const path = join(directory, DATABASE);
  const copied = await copyTo(path, source, progress);
  // A key that comes from the environment is not in the data dir, whatever lies there.
  const hasKeyFile = process.env[MASTER_KEY_VARIABLE] === undefined;
  for (const name of SIDE_FILES) {
    const text = name === MASTER_KEY && !hasKeyFile ? null : await readIfThere(join(dataDir, name));
    if (text !== null) await replaceFile(join(directory, name), text, 0o600);
  }
  const keys = await loadMasterKeys({ dataDir: directory, env: process.env, inUse: true });
  const secrets = await requireOpenable(path, new Sealer(...keys));
  const digests = new Map<string, string>();
  for (const name of (await readdir(directory)).sort())
    digests.set(name, await digestOf(join(directory, name)));
  const facts = {
    made_at: new Date().toISOString(),
    documents: copied.counts.get('documents') ?? 0,
    secrets,
    master_key: hasKeyFile ? 'file' : 'environment',
  };
  await replaceFile(join(directory, MANIFEST), writeManifest(digests, facts), 0o600);
  return { ...facts, files: [...digests.keys(), MANIFEST] };
}

async function copyTo(path: string, source: CopySource, progress: Progress): Promise<Copied> {
  const target = await openTarget({ kind: 'sqlite', path }, '--to');
  try {
    return await copy(source, target, progress);
  } finally {
    await target.close();
    await rm(`${path}.lock`, { force: true });
  }
}

/** Turns an error that the operator can mend into a sentence with the remedy. `directory`: the directory to be written. */
export function asBackupError(directory: string, error: unknown): unknown {
  if (error instanceof MasterKeyError) return new OperatorError(error.message, { cause: error });
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new OperatorError(
        `the disk of ${directory} is full: nothing is left there. Make room, or name another directory.`,
        {
          cause: error,
        },
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EXDEV':
    case 'EBUSY':
      return new OperatorError(
        `${directory} cannot be made or read (${message}): give the daemon's user the permission; the directory cannot be a mount point, but can be below one`,
        { cause: error },
      );
    default:
      return error;
  }
}
