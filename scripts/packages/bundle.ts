/**
 * JavaScript of a package as it is installed: one file for each of its entries, and further ones for what several of them share or load later. They
 * lie in one folder, so that what is beside a source is beside what was built of it. What comes from other people is inside, with its licenses.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { type Manifest, staysPackage } from './manifest.ts';
import { onDemand } from './on-demand.ts';
import { versioned } from './versioned.ts';

/** Lets CommonJS packages load modules of Node. It declares no name that a source may declare. */
export const REQUIRE = `const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);`;

interface Places {
  readonly root: string;
  /** The package. */
  readonly from: string;
  readonly to: string;
  /** Undefined: the one of the checkout. */
  readonly version: string | undefined;
}

/** Answers the files of node_modules that are in it. */
export async function bundle({ root, from, to, version }: Places): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [...entriesOf(from)].map(([out, file]) => ({ in: file, out })),
    ...{ outdir: to, chunkNames: '[name]-[hash]', absWorkingDir: root },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24' },
    ...{ metafile: true, legalComments: 'none', logLevel: 'error' },
    banner: { js: REQUIRE },
    // `pg` looks for it, and does without.
    external: ['pg-native'],
    plugins: [
      onDemand,
      versioned(version),
      {
        name: 'packages that stay packages',
        setup({ onResolve }) {
          onResolve({ filter: /^[\w@]/ }, ({ path }) =>
            staysPackage(path) ? { path, external: true } : undefined,
          );
        },
      },
    ],
  });
  return Object.keys(metafile.inputs).filter((file) => file.includes('node_modules/'));
}

/** Returns the source of each entry by its name: exports, commands and threads. */
export function entriesOf(from: string): ReadonlyMap<string, string> {
  const source = (path: string): string => join(from, 'src', path);
  const { exports = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Manifest;
  const exported = typeof exports === 'string' ? [exports] : Object.values(exports);
  const started = globSync(join(from, 'bin/*.js')).flatMap((file) =>
    matches(file, /'\.\.\/src\/(\w+\.ts)'/g).map(source),
  );
  const files = [...exported.map((path) => join(from, path)), ...started, ...threadsOf(from)];
  const entries = new Map(files.map((file) => [basename(file, '.ts'), file]));
  if (entries.size < new Set(files).size) throw new Error(`${from}: two entries have one name`);
  return entries;
}

/** Returns the sources of the threads that a package starts. */
export function threadsOf(from: string): readonly string[] {
  return globSync(join(from, 'src/**/*.ts'))
    .sort()
    .flatMap((file) =>
      matches(file, /moduleBeside\(import\.meta\.url, '([\w-]+)'\)/g).map((name) =>
        join(file, '..', `${name}.ts`),
      ),
    );
}

function matches(file: string, pattern: RegExp): string[] {
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name = '']) => name);
}
