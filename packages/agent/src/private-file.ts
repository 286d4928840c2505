/**
 * Writes files with secrets.
 * Invariant: other users cannot read them, and readers never see a partial file. Windows ignores modes: there the
 * rights of the folder decide, and a user's own folders exclude other users.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InvalidInput } from './address.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Writes a file of mode 0600. A missing folder is made with mode 0700. A link is followed. Throws InvalidInput with
 * the system's reason.
 */
export function writePrivateFile(path: string, text: string): void {
  try {
    makeFolder(dirname(path), 0o700);
    replace(whereLinkLeads(path), text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidInput(`The file ${path} cannot be written: ${reason}`);
  }
}

/** A name beside the file for what is to replace it, with the same ending. */
export function nameBeside(path: string): string {
  return join(dirname(path), `.${randomBytes(6).toString('hex')}.${basename(path)}`);
}

function replace(path: string, text: string): void {
  const made = nameBeside(path);
  const file = openSync(made, 'wx', 0o600);
  try {
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(made, path);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

/** Configuration is often kept elsewhere and linked to. */
function whereLinkLeads(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
