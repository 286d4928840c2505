/** The files of a release by which people install it: scripts, a Homebrew formula, and manifests for winget. */
import type { ReleaseList } from '../about.ts';
import { homebrewFormula } from './homebrew.ts';
import { type InstallScript, installScripts } from './scripts.ts';
import { wingetManifests } from './winget.ts';

/** `releases`: address of all releases. Each has the folder `download/vX.Y.Z` there. */
export function installFiles(root: string, list: ReleaseList, releases: string): readonly InstallScript[] {
  const folder = `${releases}/download/v${list.version}`;
  return [
    ...installScripts(root, releases),
    { file: 'underpass.rb', text: homebrewFormula(list, folder) },
    ...wingetManifests(list, folder),
  ];
}
