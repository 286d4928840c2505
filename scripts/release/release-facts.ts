/** Version and time of a release, from the commit. */
import { spawnSync } from 'node:child_process';

export interface ReleaseFacts {
  readonly version: string;
  /** Seconds since 1970: the time of all files. */
  readonly time: number;
  /** Null outside of a repository. */
  readonly commit: string | null;
}

const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/**
 * Returns the facts. `given`: the version of the command line; undefined: the one of the tag `vX.Y.Z` at HEAD.
 * Throws without a version, and without a time.
 */
export function releaseFacts(root: string, given: string | undefined, env: NodeJS.ProcessEnv): ReleaseFacts {
  const git = (...args: readonly string[]): string | null => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  const version = given ?? versionOfTags((git('tag', '--points-at', 'HEAD') ?? '').split('\n'));
  if (!VERSION.test(version)) throw new Error(`--version ${version} is no version. Give one such as 1.2.3.`);
  const time = env.SOURCE_DATE_EPOCH ?? git('show', '--no-patch', '--format=%ct', 'HEAD') ?? '';
  if (!/^\d+$/.test(time))
    throw new Error(`SOURCE_DATE_EPOCH "${time}" is no time. Without a commit, give seconds since 1970.`);
  return { version, time: Number(time), commit: git('rev-parse', '--verify', '--quiet', 'HEAD') };
}

/** Returns the version of the only tag `vX.Y.Z`. Throws without one, and with several. */
export function versionOfTags(tags: readonly string[]): string {
  const versions = tags.filter((tag) => /^v\d/.test(tag)).map((tag) => tag.slice(1));
  if (versions.length > 1)
    throw new Error(`HEAD has several versions: ${versions.join(', ')}. Give --version.`);
  const [version] = versions;
  if (version === undefined) throw new Error('HEAD has no tag vX.Y.Z. Set one, or give --version X.Y.Z.');
  return version;
}
