/** Facts about a running command for its users: version, commit, platform and Node. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface VersionFacts {
  readonly version: string;
  /** Null if it is not known. */
  readonly commit: string | null;
  /** System and processor as Node names them, such as `linux-x64`. */
  readonly platform: string;
  readonly node: string;
}

/** The parts of a `package.json` of ours. Releases have the commit in it. */
export interface VersionManifest {
  readonly version: string;
  readonly gitHead?: string;
}

/** `here`: URL of a file in `packages/<name>/src`, if the command runs from a checkout. */
export function versionFacts({ version, gitHead }: VersionManifest, here: string): VersionFacts {
  return {
    version,
    commit: gitHead ?? commitOf(here),
    platform: `${process.platform}-${process.arch}`,
    node: process.version,
  };
}

export function versionText(name: string, { version, commit, platform, node }: VersionFacts): string {
  return [
    `${name} ${version}`,
    `commit    ${commit ?? 'unknown'}`,
    `platform  ${platform}`,
    `Node      ${node}`,
  ].join('\n');
}

/** Ignores the repository of another project around an installed package. */
function commitOf(here: string): string | null {
  try {
    const root = fileURLToPath(new URL('../../..', here));
    const marks = ['.git', 'packages/agent/bin/underpass.js'];
    if (!marks.every((mark) => existsSync(join(root, mark)))) return null;
    const options = { encoding: 'utf8', timeout: 5_000 } as const;
    const commit = execFileSync('git', ['-C', root, 'rev-parse', 'HEAD'], {
      ...options,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return /^[0-9a-f]{40,64}$/.test(commit) ? commit : null;
  } catch {
    // There is no git, or it does not trust the owner of the checkout.
    return null;
  }
}
