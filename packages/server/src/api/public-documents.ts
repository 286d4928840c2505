/** What anyone may read without a key: the OpenAPI document, and a page that shows it. Nothing of it is fetched from elsewhere. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface PublicDocument {
  readonly path: string;
  /** In logs and metrics. */
  readonly operation: string;
  readonly contentType: string;
  readonly headers: readonly (readonly [string, string])[];
  read(): Promise<Buffer>;
}

const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const page = join(import.meta.dirname, 'docs-page');

/** The files change with the version of the daemon only. */
const assets: readonly (readonly [string, string, string])[] = [
  ['/docs/page.css', 'text/css; charset=utf-8', join(page, 'page.css')],
  ['/docs/page.js', 'text/javascript; charset=utf-8', join(page, 'page.js')],
  ['/docs/viewer.css', 'text/css; charset=utf-8', join(viewer, 'swagger-ui.css')],
  ['/docs/viewer.js', 'text/javascript; charset=utf-8', join(viewer, 'swagger-ui-bundle.js')],
  ['/docs/icon.png', 'image/png', join(viewer, 'favicon-32x32.png')],
];

/** The page may talk to this service only, and may not be shown inside another one. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The viewer sets styles on elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const guarded = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
] as const;

/** `openApi` is the OpenAPI document as JSON text. */
export function publicDocuments(openApi: string): readonly PublicDocument[] {
  const document = Buffer.from(openApi);
  return [
    {
      path: '/openapi.json',
      operation: 'openapi',
      contentType: 'application/json',
      headers: [],
      read: async () => document,
    },
    {
      path: '/docs',
      operation: 'docs',
      contentType: 'text/html; charset=utf-8',
      headers: [...guarded, ['content-security-policy', pagePolicy], ['cache-control', 'no-cache']],
      read: once(() => readFile(join(page, 'page.html'))),
    },
    ...assets.map(([path, contentType, file]) => ({
      path,
      operation: 'docs',
      contentType,
      headers: [...guarded, ['cache-control', 'max-age=3600']] as const,
      read: once(() => readFile(file)),
    })),
  ];
}

/** However many ask, there is one copy in memory; a file that could not be read is read again by the next one. */
function once(read: () => Promise<Buffer>): () => Promise<Buffer> {
  let kept: Promise<Buffer> | null = null;
  return () => {
    kept ??= read().catch((error: unknown) => {
      kept = null;
      throw error;
    });
    return kept;
  };
}
