/** The files of the pages in browsers: built ones of a release, or bundled from the sources of a checkout at the first visit. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddedFile } from '@underpass/wire';
import { Content } from './content.ts';

/** The folder of the built pages; only a packed daemon has it. */
const BUILT = 'dashboard-built';

/** The page of a checkout without the packages that build it. */
const NOT_BUILT = Buffer.from(
  '<!doctype html><title>Underpass</title><p>This checkout cannot build its pages. ' +
    'Run <code>npm ci</code> without <code>--omit=dev</code>. The API works.</p>\n',
);

type Files = ReadonlyMap<string, Content>;
let files: Promise<Files> | undefined;

/** The HTML of a page; a text that explains its absence if this checkout cannot build it. */
export async function pageHtml(name: 'index.html' | 'docs.html'): Promise<Buffer> {
  const content = (await builtFiles()).get(name);
  return content === undefined ? NOT_BUILT : (await content.for('identity')).bytes;
}

/** Null: there is no such file. */
export async function pageAsset(name: string): Promise<Content | null> {
  return (await builtFiles()).get(name) ?? null;
}

/** Empty if this checkout cannot build them. */
async function builtFiles(): Promise<Files> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return new Map();
    throw error;
  }
}

/** Reads the pages once; the next request tries again after a failure. */
function load(): Promise<Files> {
  files ??= readBuilt()
    .catch(bundled)
    .then((all) => new Map([...all].map(([name, bytes]) => [name, new Content(async () => bytes)])));
  files.catch(() => {
    files = undefined;
  });
  return files;
}

async function bundled(): Promise<ReadonlyMap<string, Buffer>> {
  const { bundlePages } = await import('@underpass/dashboard/bundle.ts');
  return (await bundlePages()).files;
}

/** Rejects in a checkout. */
async function readBuilt(): Promise<ReadonlyMap<string, Buffer>> {
  const read = async (name: string): Promise<Buffer> =>
    embeddedFile(`${BUILT}/${name}`) ?? (await readFile(join(import.meta.dirname, BUILT, name)));
  const names = JSON.parse((await read('files.json')).toString()) as string[];
  return new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
}
