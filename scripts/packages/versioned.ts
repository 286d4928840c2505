/** Sets the version of a release in our packages. The checkout keeps its own. */
import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import type { Manifest } from './manifest.ts';

const OURS = '@underpass/';

/**
 * Returns the manifest in this version, with our other packages in the same, and with the commit; undefined: unchanged.
 */
export function inVersion(manifest: Manifest, version: string | undefined): Manifest {
  if (version === undefined) return manifest;
  const { dependencies = {} } = manifest;
  const changed = Object.entries(dependencies).map(([name, one]) => [
    name,
    name.startsWith(OURS) ? version : one,
  ]);
  return { ...manifest, version, ...commitField(), dependencies: Object.fromEntries(changed) };
}

/** Returns the commit, in the field of npm. Sources without a repository have none. */
function commitField(): { readonly gitHead?: string } {
  try {
    const options: ExecFileSyncOptionsWithStringEncoding = {
      ...{ cwd: import.meta.dirname, encoding: 'utf8' },
      stdio: ['ignore', 'pipe', 'ignore'],
    };
    return { gitHead: execFileSync('git', ['rev-parse', 'HEAD'], options).trim() };
  } catch {
    return {};
  }
}

/** Bundles the `package.json` of our packages in this version. */
export function versioned(version: string | undefined): Plugin {
  return {
    name: 'version of the release',
    setup({ onLoad }) {
      onLoad({ filter: /\/packages\/\w+\/package\.json$/ }, ({ path }) => {
        const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
        return { contents: JSON.stringify(inVersion(manifest, version)), loader: 'json' };
      });
    },
  };
}
