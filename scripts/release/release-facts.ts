/** Version and time of a release, from the commit. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ReleaseFacts {
  readonly version: string;
  /** Seconds since 1970: the time of all files. */
  readonly time: number;
  /** Null outside of a repository. */
  readonly commit: string | null;
}

/** Time of files outside of a repository: the first one that zip archives can have, 1980-01-01. */
const NO_TIME = '315532800';
const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/**
 * Returns the facts. `given`: the version of the command line; undefined: the one of the tag `vX.Y.Z` at HEAD, and without
 * a tag that of package.json. Throws if HEAD has several versions, or if one or the time is malformed.
 */
export function releaseFacts(root: string, given: string | undefined, env: NodeJS.ProcessEnv): ReleaseFacts {
  const git = (...args: readonly string[]): string | null => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  const tags = (git('tag', '--points-at', 'HEAD') ?? '').split('\n');
  const version = given ?? versionOfTags(tags) ?? versionOfPackage(root);
  if (!VERSION.test(version)) throw new Error(`--version ${version} is no version. Give one such as 1.2.3.`);
  const time = env.SOURCE_DATE_EPOCH ?? git('show', '--no-patch', '--format=%ct', 'HEAD') ?? NO_TIME;
  if (!/^\d+$/.test(time))
    throw new Error(`SOURCE_DATE_EPOCH "${time}" is no time. Give seconds since 1970.`);
  return { version, time: Number(time), commit: git('rev-parse', '--verify', '--quiet', 'HEAD') };
}

/** Returns the version of the only tag `vX.Y.Z`; null if there is none. Throws with several. */
export function versionOfTags(tags: readonly string[]): string | null {
  const versions = tags.filter((tag) => /^v\d/.test(tag)).map((tag) => tag.slice(1));
  if (versions.length > 1)
    throw new Error(`HEAD has several versions: ${versions.join(', ')}. Give --version.`);
  return versions[0] ?? null;
}

function versionOfPackage(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
