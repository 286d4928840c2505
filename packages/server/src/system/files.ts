/**
 * Writes files atomically.
 * Invariant: a crash or a full disk leaves no partial file, and keeps the former one.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readRegularFile } from './named-file.ts';

/**
 * Puts `text` in the place of what is at `path`, on the disk when this resolves. `mode`: rights, e.g. 0o600. The file belongs to whom it
 * belonged to: an operator's command may run as root.
 */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(aside, 'wx', mode);
    try {
      await file.writeFile(text);
      await keepOwner(file, path);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
  await syncDirectory(dirname(path));
}

async function keepOwner(file: FileHandle, path: string): Promise<void> {
  const former = await stat(path).catch(() => null);
  const { uid, gid } = await file.stat();
  if (former !== null && (former.uid !== uid || former.gid !== gid)) await file.chown(former.uid, former.gid);
}

/** The same, where something else is there: a start that changes nothing writes nothing, because the disk may be full. */
export async function ensureFile(path: string, text: string, mode: number): Promise<void> {
  if ((await readIfThere(path)) !== text) await replaceFile(path, text, mode);
}

/** Null where there is no such file. Rejects for what is no regular file, or too large. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readRegularFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** A new name survives a power cut only when its directory was synced too. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
