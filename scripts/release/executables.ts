/** Makes the archives of the single executables of one platform. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licensesOf } from '../packages/licenses.ts';
import { gzipped, tar } from './archives/tar.ts';
import { zip } from './archives/zip.ts';
import { makeExecutable } from './executable.ts';
import { lockedPackage, nodePackage } from './node-package.ts';
import { PLATFORMS, type Platform } from './platforms.ts';
import type { Program } from './program.ts';
import type { ReleaseFacts } from './release-facts.ts';
import { checkExecutable } from './structure.ts';

export interface Executable {
  readonly program: Program;
  readonly platform: Platform;
  readonly bytes: Buffer;
  /** The licence of the project, and those of everything inside. */
  readonly licenses: { readonly own: Buffer; readonly others: string };
}

interface Places {
  readonly root: string;
  /** An empty folder for files in between. */
  readonly folder: string;
}

/** Builds a program for a platform, and checks the result. */
export function buildExecutable(program: Program, platform: Platform, { root, folder }: Places): Executable {
  const from = nodePackage(platform, root, folder);
  const bytes = makeExecutable(program, platform, join(from, platform.binary), join(folder, platform.name));
  checkExecutable(bytes, platform);
  const others = `${nodeLicense({ root, folder })}\n\n${licensesOf(root, program.inside)}`;
  return { program, platform, bytes, licenses: { own: readFileSync(join(root, 'LICENSE')), others } };
}

/** Returns the licence of Node and of all that is in it. The package for Windows lacks the file. */
export function nodeLicense({ root, folder }: Places): string {
  const [platform] = PLATFORMS;
  if (platform === undefined) throw new Error('there is no platform');
  const { version } = lockedPackage(root, platform.nodePackage);
  const text = readFileSync(join(nodePackage(platform, root, folder), 'LICENSE'), 'utf8');
  return `node ${version}\n\n${text.trim()}`;
}

export function archiveName({ program, platform }: Executable, { version }: ReleaseFacts): string {
  return `${program.name}-${version}-${platform.name}.${platform.archive}`;
}

/** Returns the archive: the executable and the licences. */
export async function archiveOf(executable: Executable, { time }: ReleaseFacts): Promise<Buffer> {
  const { program, platform, bytes, licenses } = executable;
  const files = [
    { kind: 'file', path: `${program.name}${platform.extension}`, mode: 0o755, content: bytes },
    { kind: 'file', path: 'LICENSE', mode: 0o644, content: licenses.own },
    { kind: 'file', path: 'THIRD-PARTY-LICENSES', mode: 0o644, content: Buffer.from(licenses.others) },
  ] as const;
  return platform.archive === 'zip' ? await zip(files, time) : await gzipped(tar(files, time));
}
