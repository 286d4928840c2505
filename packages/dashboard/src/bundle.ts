/** Bundles the pages from their sources: when a release is built, and in a checkout at the first visit. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BuildResult, Metafile } from 'esbuild';

const FOLDER = import.meta.dirname;
const PACKAGES = 'node_modules/';

/** Pages by the name of their HTML: the entries of each, and the chunk that it loads first. */
const PAGES = {
  'index.html': { script: 'main.tsx', style: 'console.css', first: 'pages/home.tsx' },
  'docs.html': { script: 'docs/main.tsx', style: 'docs/docs.css', first: 'docs/main.tsx' },
} as const;
const CHART = 'chart-drawing.ts';
type PageName = keyof typeof PAGES;

export interface BundledPages {
  /** Contents by name: `index.html`, and assets with a hash in their names. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Names of the scripts that the first visit of a page loads. */
  readonly first: Readonly<Record<PageName, readonly string[]>>;
  /** Names of the scripts that the first chart loads beside those. */
  readonly chart: readonly string[];
  /** Paths of the files of other projects in the bundle, from `node_modules` on. */
  readonly inside: readonly string[];
}

/** Rejects if esbuild is not installed. */
export async function bundlePages(): Promise<BundledPages> {
  const { build, stop } = await import('esbuild');
  const entries = Object.values(PAGES).flatMap(({ script, style }) => [script, style]);
  const built = await build({
    entryPoints: [...new Set(entries), CHART].map((name) => join(FOLDER, name)),
    ...{ outdir: FOLDER, absWorkingDir: FOLDER, entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]' },
    ...{ bundle: true, splitting: true, minify: true, write: false, metafile: true },
    ...{ format: 'esm', target: 'es2024', jsx: 'automatic', jsxImportSource: 'preact' },
    ...{ legalComments: 'none', logLevel: 'silent' },
  });
  await stop();
  return await pagesOf(built);
}

async function pagesOf({
  outputFiles,
  metafile,
}: BuildResult<{ write: false; metafile: true }>): Promise<BundledPages> {
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
  const first: Partial<Record<PageName, readonly string[]>> = {};
  for (const name of Object.keys(PAGES) as PageName[]) {
    const { script, style, first: chunk } = PAGES[name];
    const scripts = [...new Set([...graphOf(metafile, script), ...graphOf(metafile, chunk)])];
    first[name] = scripts;
    const html = await readFile(join(FOLDER, name), 'utf8');
    const heads = htmlHead(scripts, outputOf(metafile, style));
    files.set(name, Buffer.from(html.replace('<!-- assets -->', heads)));
  }
  const inside = Object.keys(metafile.inputs).filter((path) => path.includes(PACKAGES));
  files.set('icon.svg', await readFile(join(FOLDER, 'icon.svg')));
  return {
    files,
    first: first as Record<PageName, readonly string[]>,
    chart: graphOf(metafile, CHART).filter((name) => !first['index.html']?.includes(name)),
    inside: inside.map((path) => path.slice(path.lastIndexOf(PACKAGES))),
  };
}

/** The first script is the entry; the others are preloaded. */
function htmlHead([entry = '', ...others]: readonly string[], style: string): string {
  return [
    `<link rel="stylesheet" href="/ui/assets/${style}">`,
    ...others.map((name) => `<link rel="modulepreload" href="/ui/assets/${name}">`),
    `<script type="module" src="/ui/assets/${entry}"></script>`,
  ].join('\n');
}

/** Names of the output of an entry and of all that it imports at once, the entry first. */
function graphOf(metafile: Metafile, entry: string): readonly string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement') visit(next);
  };
  visit(pathOf(metafile, entry));
  return [...found].map((path) => basename(path));
}

function outputOf(metafile: Metafile, entry: string): string {
  return basename(pathOf(metafile, entry));
}

function pathOf(metafile: Metafile, entry: string): string {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
  if (found === undefined) throw new Error(`nothing is built from ${entry}`);
  return found[0];
}
