/**
 * Opens a located file.
 * Invariant: it opens no other file, even if a link has replaced the file or a folder around it meanwhile.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';

/** `path`: without symbolic links. Returns null if another file is there by now. Rejects with errors of the system. */
export async function openFile(path: string): Promise<FileHandle | null> {
  // A pipe is not waited for.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (await isFrom(handle, path)) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return null;
}

async function isFrom(handle: FileHandle, path: string): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null);
  // Linux knows; another one may have been put in its place since then.
  if (opened !== null) return opened === path || opened === `${path} (deleted)`;
  if ((await realpath(path)) !== path) return false;
  const [there, here] = [await lstat(path, { bigint: true }), await handle.stat({ bigint: true })];
  return there.ino === here.ino && there.dev === here.dev;
}
