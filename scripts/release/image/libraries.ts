/** Fetches the libraries of an image for another processor from Debian's packages. */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { neededLibraries } from './needed.ts';

/** Packages with everything that Node is linked with. */
const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1', 'libatomic1'];
const NEEDED = ['apt-get', 'dpkg-deb'];

export interface Library {
  /** Path in the image, without a slash at the start. */
  readonly path: string;
  readonly content: Buffer;
}

/** Returns the reason why this machine cannot fetch them; null: it can. */
export function obstacleToLibraries(): string | null {
  const missing = NEEDED.find((name) => spawnSync(name, ['--version']).status !== 0);
  return missing === undefined
    ? null
    : `its libraries come from packages of Debian, and ${missing} is missing`;
}

/**
 * Returns the libraries that a program for arm64 needs, and those that they need. apt checks the signatures of the
 * packages. `folder` is for files in between. Throws if a library is in no package.
 */
export function librariesOf(program: Buffer, folder: string): readonly Library[] {
  const root = fetchPackages(folder);
  const found = new Map<string, Library>();
  const unread = neededLibraries(program);
  for (let name = unread.pop(); name !== undefined; name = unread.pop()) {
    if (found.has(name)) continue;
    const library = libraryIn(root, name);
    found.set(name, library);
    unread.push(...neededLibraries(library.content));
  }
  return [...found.values()];
}

/** Returns the folder with the files of the packages. */
function fetchPackages(folder: string): string {
  const own = join(folder, 'debian-arm64');
  const [lists, archives, root] = ['state/lists/partial', 'cache/archives/partial', 'root'].map((name) =>
    join(own, name),
  ) as [string, string, string];
  for (const made of [lists, archives, root]) mkdirSync(made, { recursive: true });
  const settings = {
    'Dir::State': join(own, 'state'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(own, 'cache'),
    'APT::Architecture': 'arm64',
    'APT::Architectures': 'arm64',
    // The user of downloads cannot enter a private folder.
    'APT::Sandbox::User': 'root',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = (...args: readonly string[]): void => {
    execFileSync('apt-get', [...options, '-qq', ...args], {
      cwd: own,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  apt('update');
  apt('download', ...PACKAGES);
  for (const file of globSync('*.deb', { cwd: own })) execFileSync('dpkg-deb', ['-x', join(own, file), root]);
  return root;
}

/** The loader has a path that programs name. Others are found in the folder of the processor. */
function libraryIn(root: string, name: string): Library {
  const [found] = globSync(`{,usr/}lib/aarch64-linux-gnu/${name}`, { cwd: root });
  if (found === undefined) throw new Error(`no package of Debian has ${name}: ${PACKAGES.join(', ')}`);
  const isLoader = name.startsWith('ld-linux');
  const path = join('usr/lib', isLoader ? '' : 'aarch64-linux-gnu', basename(found));
  return { path, content: readFileSync(realpathSync(join(root, found))) };
}
