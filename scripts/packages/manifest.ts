/** Makes the `package.json` of an installed package from the one in the checkout. */

/** The `package.json` of a package in the checkout. Its exports are sources. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  /** Scripts of the checkout; installed packages have none. */
  readonly scripts?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: string | Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const OURS = '@underpass/';
/** Clients of the cloud. Only some event destinations need them, so operators install them separately. */
const ON_REQUEST = ['@aws-sdk/', '@smithy/'];
/** Loaded by its name when there is something to read, which most starts have not. */
const LOADED_LATER = 'yaml';
/** The bundler, which only a checkout needs. */
const BUILDER = 'esbuild';

/**
 * Returns true if something that is imported is looked up where the package is installed; all else is inside what was
 * built.
 */
export function staysPackage(path: string): boolean {
  return path.startsWith(OURS) || path === LOADED_LATER || path === BUILDER || isOnRequest(path);
}

/** Returns the path of the build of a source, next to its types. */
function builtPath(source: string): string {
  return source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '.js');
}

/** Returns the names of our own packages among the dependencies. */
export function ownDependencies({ dependencies = {} }: Manifest): readonly string[] {
  return Object.keys(dependencies).filter((name) => name.startsWith(OURS));
}

/**
 * Returns true if the archive contains the package in the version of the lock file, so that an installation downloads
 * nothing.
 */
export function isPacked(name: string): boolean {
  return name === LOADED_LATER;
}

/** `bundled`: all packages in the archive, including those of our own dependencies. */
export function installedManifest(manifest: Manifest, bundled: readonly string[]): object {
  const { private: _, scripts: __, devDependencies: ___, exports, dependencies = {}, ...others } = manifest;
  const onRequest = pick(dependencies, isOnRequest);
  const names = Object.keys(onRequest);
  return {
    ...others,
    engines: { node: '>=24' },
    ...(exports === undefined ? {} : { exports: builtExports(exports) }),
    files: ['bin', 'dist', 'THIRD-PARTY-LICENSES'],
    dependencies: pick(dependencies, (name) => staysPackage(name) && !isOnRequest(name)),
    ...(names.length === 0
      ? {}
      : {
          peerDependencies: onRequest,
          peerDependenciesMeta: Object.fromEntries(names.map((name) => [name, { optional: true }])),
        }),
    ...(bundled.length === 0 ? {} : { bundleDependencies: bundled }),
  };
}

function isOnRequest(name: string): boolean {
  return ON_REQUEST.some((scope) => name.startsWith(scope));
}

function builtExports(exports: NonNullable<Manifest['exports']>): object {
  const entries = typeof exports === 'string' ? { '.': exports } : exports;
  return Object.fromEntries(
    Object.entries(entries).map(([name, source]) => {
      const built = builtPath(source);
      return [name, { types: built.replace(/\.js$/, '.d.ts'), default: built }];
    }),
  );
}

function pick(
  versions: Readonly<Record<string, string>>,
  isWanted: (name: string) => boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(versions).filter(([name]) => isWanted(name)));
}
