/** The page, as it is served: built when the agent was packed, or in a checkout at the first visit. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddedFile } from '@underpass/wire';
import type { PageFiles } from './page-bundle.ts';

export interface Asset {
  readonly status: 200 | 503;
  readonly type: string;
  readonly body: string;
}

/** The folder of the built page; only a packed agent has it. */
const BUILT = join(import.meta.dirname, 'page-built');

/** Allows only scripts, requests and images of this origin; images of bodies are made in the page. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src blob: data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

let files: Promise<PageFiles> | undefined;

/** Null: there is none at this path. `token`: that the page may have; '' none. */
export async function pageAsset(path: string, token: () => Promise<string>): Promise<Asset | null> {
  try {
    return await assetAt(path, token);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    return NOT_BUILT;
  }
}

/** The response in a checkout without the packages that build the page. */
const NOT_BUILT: Asset = {
  status: 503,
  type: 'text/plain; charset=utf-8',
  body: 'This checkout has nothing to build the page with: run "npm ci" without --omit=dev. The API is there.\n',
};

async function assetAt(path: string, token: () => Promise<string>): Promise<Asset | null> {
  switch (path) {
    case '/':
      return {
        ...{ status: 200, type: 'text/html; charset=utf-8' },
        body: withToken((await built()).html, await token()),
      };
    case '/page.js':
      return { status: 200, type: 'text/javascript; charset=utf-8', body: (await built()).js };
    case '/page.css':
      return { status: 200, type: 'text/css; charset=utf-8', body: (await built()).css };
    default:
      return null;
  }
}

function withToken(html: string, token: string): string {
  return html.replace('name="token" content=""', `name="token" content="${token}"`);
}

function built(): Promise<PageFiles> {
  files ??= readBuilt().catch(async () => await (await import('./page-bundle.ts')).bundlePage());
  return files;
}

async function readBuilt(): Promise<PageFiles> {
  const read = async (name: string) =>
    embeddedFile(`page-built/${name}`)?.toString() ?? (await readFile(join(BUILT, name), 'utf8'));
  return { html: await read('index.html'), js: await read('page.js'), css: await read('page.css') };
}
