/**
 * The dashboard at /ui/: the same HTML for every path of a page, and its assets, whose names change with their content.
 * Invariant: every part comes from this service, and no other site can embed or read it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddedFile } from '@underpass/wire';
import type { Settings } from '../core/settings.ts';
import type { Headers } from '../http-server/request.ts';
import type { Answer } from './answer.ts';
import { asksForPage, Content } from './content.ts';
import type { PublicDocument } from './public-documents.ts';
import type { RequestRecord } from './request-record.ts';

/** The folder of the built pages; only a packed daemon has it. */
const BUILT = 'dashboard-built';
const HOME = '/ui/';
const ASSETS = '/ui/assets/';
const YEAR = 'public, max-age=31536000, immutable';

/** Styles of single elements are set by script, which the policy of styles does not concern. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const guarded = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
] as const;

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** The place in the HTML for the name of the version header. */
const VERSION = '<meta name="version-header" content="">';

/** Contents by name. */
type Files = ReadonlyMap<string, Content>;
let files: Promise<Files> | undefined;

/** The dashboard of one service, which states the name of its version header to the page. */
export class Dashboard {
  readonly #versionHeader: string;
  #html: Content | null = null;

  constructor({ versionHeaders }: Pick<Settings, 'versionHeaders'>) {
    this.#versionHeader = versionHeaders[0] ?? '';
  }

  /** The document at a path below /ui/; null if there is none, or the client does not want a page. */
  async document(path: string, headers: Headers): Promise<PublicDocument | null> {
    if (!path.startsWith(HOME)) return null;
    if (path.startsWith(ASSETS)) return await assetAt(path);
    if (!asksForPage(headers.get('accept'))) return null;
    this.#html ??= await this.#page();
    return page('/ui/{path}', this.#html);
  }

  /** Null if this checkout cannot build it. */
  async #page(): Promise<Content | null> {
    const content = await contentOf('index.html');
    if (content === null) return null;
    const html = (await content.for('identity')).bytes.toString();
    const stated = html.replace(VERSION, VERSION.replace('""', `"${this.#versionHeader}"`));
    return new Content(async () => Buffer.from(stated));
  }
}

/** Redirects a browser that leaves out the final slash; null for every other request. */
export function dashboardRedirect({ pathname }: Pick<RequestRecord, 'pathname'>): Answer | null {
  if (`${pathname}/` !== HOME) return null;
  return { status: 308, headers: [['location', HOME]], body: null };
}

async function assetAt(path: string): Promise<PublicDocument | null> {
  const name = path.slice(ASSETS.length);
  const content = (await load().catch(() => null))?.get(name);
  const contentType = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (content === undefined || contentType === undefined) return null;
  const names = { path: `${ASSETS}{name}`, operation: 'dashboard' };
  return { ...names, contentType, headers: guarded, cacheControl: YEAR, content };
}

function page(path: string, content: Content | null): PublicDocument {
  const names = { path, operation: 'dashboard', cacheControl: 'no-cache' as const };
  if (content === null) return { ...names, ...NOT_BUILT };
  const headers = [...guarded, ['content-security-policy', POLICY]] as const;
  return { ...names, contentType: 'text/html; charset=utf-8', headers, content };
}

/** The page of a checkout without the packages that build it. */
const NOT_BUILT = {
  contentType: 'text/plain; charset=utf-8',
  headers: guarded,
  content: new Content(async () =>
    Buffer.from('This checkout cannot build its pages: run "npm ci" without --omit=dev. The API works.\n'),
  ),
};

/** Null if this checkout cannot build it. */
async function contentOf(name: string): Promise<Content | null> {
  try {
    return (await load()).get(name) ?? null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** Reads the pages once; a failure is tried again by the next request. */
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
