/**
 * Makes an installation out of a backup, in an empty data dir and an empty database.
 * Invariant: nothing is overwritten. A database appears only if it is the backup's and its secrets open.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadMasterKeys } from '../pki/master-key.ts';
import { Sealer } from '../pki/seal.ts';
import { type CopyTarget, copy, type Progress } from '../store/copy/copy.ts';
import { type Database, nameOf } from '../store/databases/database.ts';
import { openFileSource, openTarget } from '../store/databases/open-copy.ts';
import { readIfThere, replaceFile } from '../system/files.ts';
import { makeFolder } from '../system/make-folder.ts';
import { asBackupError, requireEmpty } from './backup.ts';
import { DATABASE, readManifest, requireDigests, SIDE_FILES } from './backup-manifest.ts';
import { requireOpenable } from './sealed-check.ts';

export interface RestorePlan {
  readonly directory: string;
  readonly dataDir: string;
  readonly database: Database;
}

/** Returns the text of the report. Rejects with OperatorError, CopyError or StoreOpenError. */
export async function restore(plan: RestorePlan, progress: Progress): Promise<string> {
  const { directory, dataDir, database } = plan;
  try {
    await requireEmpty(dataDir, 'name a new one with --data-dir');
    const files = await readManifest(directory);
    await requireDigests(directory, files);
    const path = join(directory, DATABASE);
    const keys = await loadMasterKeys({ dataDir: directory, env: process.env, inUse: true });
    const secrets = await requireOpenable(path, new Sealer(...keys));
    makeFolder(dataDir);
    const documents = await restoreInto(plan, await openTarget(database, '--database'), progress);
    return `restored ${documents} documents and ${secrets} secrets from ${directory} to ${nameOf(database)}, and the files beside them to ${dataDir}`;
  } catch (error) {
    throw asBackupError(dataDir, error);
  }
}

/** The database appears last: what an interruption leaves before that is no installation, and a daemon does not start on it. */
async function restoreInto(
  { directory, dataDir, database }: RestorePlan,
  target: CopyTarget,
  progress: Progress,
): Promise<number> {
  const written = database.kind === 'sqlite' ? [`${database.path}.lock`] : [];
  const source = openFileSource(join(directory, DATABASE));
  try {
    for (const name of SIDE_FILES) {
      const text = await readIfThere(join(directory, name));
      if (text === null) continue;
      written.push(join(dataDir, name));
      await replaceFile(join(dataDir, name), text, name === 'ca.pem' ? 0o644 : 0o600);
    }
    const { counts } = await copy(source, target, progress);
    await target.close();
    return counts.get('documents') ?? 0;
  } catch (error) {
    await target.close();
    for (const path of written) await rm(path, { force: true });
    throw error;
  } finally {
    await source.close();
  }
}
