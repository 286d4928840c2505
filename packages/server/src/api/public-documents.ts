/** The documents that need no key: the OpenAPI document, and a page that shows it. Every part comes from this service. */
import { AUTHORITY_PATH, type PublishedJoining } from '../core/joining.ts';
import { Problem } from '../errors/problem.ts';
import type { Headers } from '../http-server/request.ts';
import type { Answer } from './answer.ts';
import { asksForPage, Content, hasAlready } from './content.ts';
import { pageAsset, pageHtml } from './page-files.ts';
import type { RequestRecord } from './request-record.ts';

export interface PublicDocument {
  readonly path: string;
  /** The name in logs and metrics. */
  readonly operation: string;
  readonly contentType: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly cacheControl: string;
  /** Null: there is no such document at the moment. */
  readonly content: Content | null;
}

/** The page of the API. */
export const DOCS_PAGE = '/docs';
/** The target of the redirect for browsers that open the root. */
const CONSOLE = '/ui/';

/** The page may talk to this service only, and may not be shown inside another one. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const guarded = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
] as const;

/**
 * `openApi` makes the OpenAPI document as JSON text. It is called once, at the first request. `joining` and `authorityPem` are
 * called at each request, because certificates change.
 */
export function publicDocuments(
  openApi: () => string,
  joining?: () => PublishedJoining | null,
  authorityPem?: () => string | null,
): readonly PublicDocument[] {
  return [
    ...(joining === undefined ? [] : [joiningDocument(joining)]),
    ...(authorityPem === undefined ? [] : [authorityDocument(authorityPem)]),
    {
      path: '/openapi.json',
      operation: 'openapi',
      contentType: 'application/json',
      headers: [],
      // It is a response of the API, as each of them.
      cacheControl: 'no-store',
      content: new Content(async () => Buffer.from(openApi())),
    },
    {
      path: DOCS_PAGE,
      operation: 'docs',
      contentType: 'text/html; charset=utf-8',
      headers: [...guarded, ['content-security-policy', pagePolicy]],
      cacheControl: 'no-cache',
      content: new Content(() => pageHtml('docs.html')),
    },
    {
      ...{ path: `${DOCS_PAGE}/icon.svg`, operation: 'docs', contentType: 'image/svg+xml', headers: guarded },
      cacheControl: 'no-cache',
      content: new Content(
        async () => (await (await pageAsset('icon.svg'))?.for('identity'))?.bytes ?? Buffer.alloc(0),
      ),
    },
  ];
}

/** The facts by which machines join. A handshake shows all of them, too. */
function joiningDocument(joining: () => PublishedJoining | null): PublicDocument {
  return {
    ...{ path: '/join.json', operation: 'join', contentType: 'application/json', headers: [] },
    cacheControl: 'no-store',
    get content() {
      return new Content(async () => Buffer.from(JSON.stringify(joining())));
    },
  };
}

/** The certificate of the service's own authority. A handshake shows it, too. */
function authorityDocument(authorityPem: () => string | null): PublicDocument {
  return {
    ...{ path: AUTHORITY_PATH, operation: 'authority', contentType: 'application/x-x509-ca-cert' },
    // The tools of systems expect this ending.
    headers: [...guarded, ['content-disposition', 'attachment; filename="underpass-ca.crt"']],
    cacheControl: 'no-store',
    get content() {
      const pem = authorityPem();
      return pem === null ? null : new Content(async () => Buffer.from(pem));
    },
  };
}

/** Redirects a browser that opens the root to the console; null for every other request. `origin`: '' for this one. */
export function rootAnswer(
  { method, pathname, query }: Pick<RequestRecord, 'method' | 'pathname' | 'query'>,
  headers: Headers,
  origin: string,
): Answer | null {
  const isReading = method === 'GET' || method === 'HEAD';
  if (!isReading || pathname !== '/' || query !== '' || !asksForPage(headers.get('accept'))) return null;
  return {
    status: 302,
    headers: [
      ['location', `${origin}${CONSOLE}`],
      ['vary', 'accept'],
    ],
    body: null,
  };
}

/** The document, or that the client has it already. Raises Problem if there is none. */
export async function documentAnswer(
  { path, content, contentType, headers, cacheControl }: PublicDocument,
  asked: Headers,
): Promise<Answer> {
  if (content === null) throw new Problem('pathNotFound', { path });
  const { bytes, coding, etag } = await content.for(asked.get('accept-encoding'));
  const kept = [...headers, ['etag', etag], ['vary', 'accept-encoding']] as const;
  if (hasAlready(asked.get('if-none-match'), etag))
    return { status: 304, headers: kept, cacheControl, body: null };
  const coded = coding === 'identity' ? kept : [...kept, ['content-encoding', coding] as const];
  return { status: 200, headers: coded, contentType, cacheControl, body: bytes };
}
