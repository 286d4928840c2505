/** Bundles the page from its sources, for the packed agent, and for a checkout at the first visit. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'page');
const PACKAGES = 'node_modules/';

export interface PageFiles {
  readonly html: string;
  readonly js: string;
  readonly css: string;
}

export interface BundledPage extends PageFiles {
  /** Paths of the files of other people that are in it, from `node_modules` on. */
  readonly inside: readonly string[];
}

/** Rejects where esbuild is not installed. */
export async function bundlePage(): Promise<BundledPage> {
  const { build, stop } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    entryPoints: ['main.tsx', 'page.css'].map((name) => join(FOLDER, name)),
    outdir: FOLDER,
    ...{ bundle: true, minify: true, write: false, metafile: true, format: 'esm', target: 'es2024' },
    ...{ jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none', logLevel: 'silent' },
  });
  await stop();
  const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const inside = Object.keys(metafile.inputs).filter((path) => path.includes(PACKAGES));
  return {
    html: await readFile(join(FOLDER, 'index.html'), 'utf8'),
    js: text('.js'),
    css: text('.css'),
    inside: inside.map((path) => path.slice(path.lastIndexOf(PACKAGES))),
  };
}
