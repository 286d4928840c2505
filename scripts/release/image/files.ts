/** Reads the files of an image's root as entries of an archive. */
import { globSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../archives/entry.ts';
import type { Owned } from '../archives/tar.ts';

/** Folders that a container fills itself. */
const MOUNTED = ['proc', 'dev', 'sys'];
const PERMISSIONS = 0o7777;
const SHARED_FOLDER = 0o1777;

/** Throws if something is neither a file, a folder nor a link. */
export function filesOf(root: string): readonly (Entry & Owned)[] {
  const paths = globSync('**', { cwd: root, exclude: (name) => MOUNTED.includes(name) });
  const inside = paths.filter((path) => path !== '.' && path !== '');
  return [...new Set([...inside, ...MOUNTED, 'tmp'])].map((path) => entryAt(root, path));
}

function entryAt(root: string, path: string): Entry & Owned {
  const file = join(root, path);
  const status = lstatSync(file, { throwIfNoEntry: false });
  const owner = { user: status?.uid ?? 0, group: status?.gid ?? 0 };
  const mode = path === 'tmp' ? SHARED_FOLDER : (status?.mode ?? 0o755) & PERMISSIONS;
  if (status?.isSymbolicLink() === true) return { kind: 'link', path, target: readlinkSync(file), ...owner };
  if (status === undefined || status.isDirectory()) return { kind: 'folder', path, mode, ...owner };
  if (status.isFile()) return { kind: 'file', path, mode, content: readFileSync(file), ...owner };
  throw new Error(`${path} is neither a file, a folder nor a link`);
}
