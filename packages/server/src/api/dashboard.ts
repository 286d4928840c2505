/**
 * The dashboard at /ui/: the same HTML for every path of a page, and its assets, whose names change with their content.
 * Invariant: every part comes from this service, and no other site can embed or read it.
 */
import type { Settings } from '../core/settings.ts';
import type { Headers } from '../http-server/request.ts';
import type { Answer } from './answer.ts';
import { asksForPage, Content } from './content.ts';
import { pageAsset, pageHtml } from './page-files.ts';
import type { PublicDocument } from './public-documents.ts';
import type { RequestRecord } from './request-record.ts';

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

/** The place for the host of the provider at which users sign in; '' for none. */
const PROVIDER = '<meta name="sign-in-host" content="">';

/** The dashboard of one service, which states the name of its version header, and its provider, to the page. */
export class Dashboard {
  readonly #html: Content;

  /** `provider`: host of the provider of the sign-in. A host name needs no escaping. */
  constructor({ versionHeaders }: Pick<Settings, 'versionHeaders'>, provider = '') {
    const stated = VERSION.replace('""', `"${versionHeaders[0] ?? ''}"`);
    const named = PROVIDER.replace('""', `"${provider}"`);
    this.#html = new Content(async () => {
      const html = (await pageHtml('index.html')).toString();
      return Buffer.from(html.replace(VERSION, stated).replace(PROVIDER, named));
    });
  }

  /** The document at a path below /ui/; null if there is none, or the client does not want a page. */
  async document(path: string, headers: Headers): Promise<PublicDocument | null> {
    if (!path.startsWith(HOME)) return null;
    if (path.startsWith(ASSETS)) return await assetAt(path);
    if (!asksForPage(headers.get('accept'))) return null;
    return page('/ui/{path}', this.#html);
  }
}

/** Redirects a browser that leaves out the final slash; null for every other request. */
export function dashboardRedirect({ pathname }: Pick<RequestRecord, 'pathname'>): Answer | null {
  if (`${pathname}/` !== HOME) return null;
  return { status: 308, headers: [['location', HOME]], body: null };
}

async function assetAt(path: string): Promise<PublicDocument | null> {
  const name = path.slice(ASSETS.length);
  const content = await pageAsset(name);
  const contentType = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (content === null || contentType === undefined) return null;
  const names = { path: `${ASSETS}{name}`, operation: 'dashboard' };
  return { ...names, contentType, headers: guarded, cacheControl: YEAR, content };
}

function page(path: string, content: Content): PublicDocument {
  const names = { path, operation: 'dashboard', cacheControl: 'no-cache' };
  const headers = [...guarded, ['content-security-policy', POLICY]] as const;
  return { ...names, contentType: 'text/html; charset=utf-8', headers, content };
}
