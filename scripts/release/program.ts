/**
 * Bundles a program into one script, with the files that it reads and the threads that it starts.
 * Invariant: nothing in it is looked up on the target, except modules of Node.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundlePage } from '../../packages/agent/src/inspector/page-bundle.ts';
import { bundlePages } from '../../packages/dashboard/src/bundle.ts';
import { REQUIRE, threadsOf } from '../packages/bundle.ts';
import { allOnDemand } from '../packages/on-demand.ts';
import { versioned } from '../packages/versioned.ts';

export type ProgramName = 'underpass' | 'underpassd';

export interface Program {
  readonly name: ProgramName;
  /** The main script, an ECMAScript module. */
  readonly script: string;
  /** The flags of Node in the first line of the command. */
  readonly flags: readonly string[];
  /** Files that the program reads by name. */
  readonly assets: ReadonlyMap<string, Buffer>;
  /** Paths below the root of what is inside from `node_modules`. */
  readonly inside: readonly string[];
}

const PACKAGES: Readonly<Record<ProgramName, string>> = { underpass: 'agent', underpassd: 'server' };

/** A thread is a module of a `data:` URL, which is no place to load packages from. */
const THREAD_URL = `const ownUrl = process.getBuiltinModule('node:url').pathToFileURL(process.execPath).href;`;

/** `version`: the one that the program states. Rejects if something cannot be bundled. */
export async function bundleProgram(root: string, name: ProgramName, version: string): Promise<Program> {
  const from = join(root, 'packages', PACKAGES[name]);
  const entry = join(from, 'bin', `${name}.js`);
  const main = await bundleOne(entry, { root, version, banner: REQUIRE });
  const threads = await Promise.all(threadsOf(from).map((file) => bundleThread(file, root, version)));
  const page = await (name === 'underpass' ? inspectorPage() : dashboard());
  const assets = [
    ...threads.map(({ file, script }) => [`${basename(file, '.ts')}.js`, Buffer.from(script)] as const),
    ...page.assets,
  ];
  return {
    ...{ name, script: main.script, flags: flagsOf(entry) },
    assets: new Map(assets.sort(([one], [other]) => (one < other ? -1 : 1))),
    inside: [...new Set([main, ...threads, page].flatMap(({ inside }) => inside))].sort(),
  };
}

interface Bundled {
  readonly script: string;
  readonly inside: readonly string[];
}

async function bundleThread(
  file: string,
  root: string,
  version: string,
): Promise<Bundled & { file: string }> {
  const define = { 'import.meta.url': 'ownUrl' };
  const banner = `${THREAD_URL}\n${REQUIRE.replace('import.meta.url', 'ownUrl')}`;
  return { file, ...(await bundleOne(file, { root, version, banner, define })) };
}

interface Ways {
  readonly root: string;
  readonly version: string;
  readonly banner: string;
  readonly define?: BuildOptions['define'];
}

async function bundleOne(entry: string, { root, version, banner, define }: Ways): Promise<Bundled> {
  const { outputFiles, metafile } = await build({
    ...{ entryPoints: [entry], absWorkingDir: root, outfile: 'program.js', write: false },
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node26', minifySyntax: true },
    ...{ metafile: true, legalComments: 'none', logLevel: 'error', banner: { js: banner } },
    ...(define === undefined ? {} : { define }),
    // `pg` looks for the first, and the inspector of a checkout loads the second.
    external: ['pg-native', 'esbuild'],
    plugins: [allOnDemand, versioned(version)],
  });
  const inside = Object.keys(metafile.inputs).filter((file) => file.includes('node_modules/'));
  return { script: outputFiles[0]?.text ?? '', inside };
}

type Asset = readonly [name: string, content: Buffer];

async function inspectorPage(): Promise<{ assets: readonly Asset[]; inside: readonly string[] }> {
  const { html, js, css, inside } = await bundlePage();
  const files = { 'index.html': html, 'page.js': js, 'page.css': css };
  return {
    assets: Object.entries(files).map(([name, text]) => [`page-built/${name}`, Buffer.from(text)]),
    inside,
  };
}

async function dashboard(): Promise<{ assets: readonly Asset[]; inside: readonly string[] }> {
  const { files, inside } = await bundlePages();
  const all = [...files, ['files.json', Buffer.from(JSON.stringify([...files.keys()].sort()))] as const];
  return { assets: all.map(([name, content]) => [`dashboard-built/${name}`, content]), inside };
}

function flagsOf(entry: string): readonly string[] {
  const [first = ''] = readFileSync(entry, 'utf8').split('\n');
  const words = first.split(' ');
  return words.slice(words.indexOf('node') + 1);
}
