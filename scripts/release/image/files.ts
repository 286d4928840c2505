/** Reads the files of an image's root as entries of an archive. */
import { globSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Entry, fileEntry } from '../archives/entry.ts';
import type { Owned } from '../archives/tar.ts';
import type { Library } from './libraries.ts';

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

/** The path of Node, and of libraries of the processor, in an image. */
const NODE = 'usr/local/bin/node';
const OF_PROCESSOR = /^usr\/(lib\/[\w-]+-linux-gnu\/.+|lib(64)?\/ld-linux.*)$/;

/** Returns the files of an image with the Node and the libraries of another processor. */
export function forProcessor(
  files: readonly (Entry & Partial<Owned>)[],
  node: Buffer,
  libraries: readonly Library[],
): readonly (Entry & Partial<Owned>)[] {
  const kept = files.filter(({ path }) => path !== NODE && !OF_PROCESSOR.test(path));
  const folders = new Set(libraries.map(({ path }) => dirname(path)));
  const missing = [...folders].filter((path) => kept.every((one) => one.path !== path));
  return [
    ...kept,
    fileEntry(NODE, node, 0o755),
    ...missing.map((path) => ({ kind: 'folder', path, mode: 0o755 }) as const),
    ...libraries.map(({ path, content }) => fileEntry(path, content, 0o755)),
  ];
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
