/**
 * The Unix socket of a daemon for links on one machine, in a folder of its own below the system's temporary folder, or
 * below its data dir.
 * Invariant: only processes of the same user can connect to it.
 */
import { once } from 'node:events';
import { lstatSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PREFIX = 'underpass-link-';
const NAME = 'link.sock';
/** Bytes of a Unix socket's path that all supported systems accept. */
const LONGEST_PATH = 103;
/** Milliseconds after which a folder without a listening process has none: a start takes less. */
const START_MS = 10_000;

export interface SocketFolder {
  /** Path at which the caller listens. */
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes a folder with mode 0700 below `base`, and removes those of processes that have ended. `spare`: the folder to use
 * if `base` cannot be written, as in a container whose files are read-only. Rejects if there can be none.
 */
export async function makeSocketFolder(base = tmpdir(), spare?: string): Promise<SocketFolder> {
  await removeLeftovers(base);
  let folder: string;
  try {
    folder = await mkdtemp(join(base, PREFIX));
  } catch (error) {
    if (spare === undefined) throw error;
    return await makeSocketFolder(spare);
  }
  const path = join(folder, NAME);
  const made = { path, remove: () => removeFolder(folder) };
  if (Buffer.byteLength(path) <= LONGEST_PATH) return made;
  await made.remove();
  throw new Error(
    `${path} is longer than the ${LONGEST_PATH} bytes of a socket's path: set TMPDIR to a shorter folder`,
  );
}

/** Returns true if the socket's folder belongs to this user, and other users cannot put a socket there. */
export function isPrivate(path: string): boolean {
  if (Buffer.byteLength(path) > LONGEST_PATH) return false;
  const folder = lstatSync(dirname(path), { throwIfNoEntry: false });
  return folder !== undefined && isOwn(folder) && (folder.mode & 0o077) === 0;
}

/** Resolves with true if a process of this user listens at the path. */
export async function isReachable(path: string): Promise<boolean> {
  try {
    if (!isPrivate(path)) return false;
  } catch {
    // A folder above it belongs to another user.
    return false;
  }
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

async function removeLeftovers(base: string): Promise<void> {
  const names = await readdir(base).catch((): string[] => []);
  for (const name of names)
    if (name.startsWith(PREFIX)) await removeLeftover(join(base, name)).catch(() => {});
}

async function removeLeftover(folder: string): Promise<void> {
  const facts = await lstat(folder);
  if (!isOwn(facts) || Date.now() - facts.mtimeMs < START_MS) return;
  if (!(await isReachable(join(folder, NAME)))) await removeFolder(folder);
}

async function removeFolder(folder: string): Promise<void> {
  await rm(join(folder, NAME), { force: true });
  await rmdir(folder).catch(() => {});
}

function isOwn(folder: { isDirectory(): boolean; readonly uid: number }): boolean {
  return folder.isDirectory() && folder.uid === process.getuid?.();
}
