/** Answers requests with the files of a folder, or a page that lists them. Never anything else than reading. */
import { type FileHandle, realpath } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Decision, decide, type Version } from './conditions.ts';
import { contentType } from './content-type.ts';
import { indexPage, PAGE_POLICY } from './index-page.ts';
import { list, timeOf } from './listing.ts';
import { type Folder, isAbsent, type Located, locate, partsOf } from './locate.ts';
import { openFile } from './open-file.ts';

/** Reading folders is the most expensive operation. Clients retry further ones. */
const LISTINGS_AT_ONCE = 16;

interface Exchange {
  readonly folder: Folder;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The decoded path. */
  readonly parts: readonly string[];
}

/** Serves a folder; a folder's own page is its index.html, if there is one. */
export function serveFolder(folder: Folder): RequestListener {
  let listings = 0;
  const listed = async (exchange: Exchange, path: string): Promise<void> => {
    if (listings === LISTINGS_AT_ONCE) return sendReason(exchange.response, 503, { 'retry-after': '1' });
    listings++;
    try {
      await sendIndex(exchange, path);
    } finally {
      listings--;
    }
  };
  return (request, response) => {
    // Bodies are nothing to a folder.
    request.resume();
    respond(folder, request, response, listed).catch((error: unknown) => fail(response, error));
  };
}

async function respond(
  folder: Folder,
  request: IncomingMessage,
  response: ServerResponse,
  listed: (exchange: Exchange, path: string) => Promise<void>,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return sendReason(response, 405, { allow: 'GET, HEAD' });
  const parts = partsOf(request.url ?? '');
  if (parts === null) return sendReason(response, 400);
  const located = await locate(folder, parts);
  if (located === null) return sendReason(response, 404);
  const exchange = { folder, request, response, parts };
  const isFolderAsked = parts.at(-1) === '';
  if (located.stats.isFile())
    return isFolderAsked ? sendReason(response, 404) : await sendFile(exchange, located);
  if (!located.stats.isDirectory()) return sendReason(response, 404);
  if (!isFolderAsked) return redirect(exchange);
  const index = await locate(folder, [...parts.slice(0, -1), 'index.html']);
  if (index?.stats.isFile()) return await sendFile(exchange, index);
  await listed(exchange, located.path);
}

/** Links on the page of a folder are relative to its slash. */
function redirect({ request, response, parts }: Exchange): void {
  const [, query] = /^[^?]*(\?.*)$/.exec(request.url ?? '') ?? [];
  const location = `/${parts.map(encodeURIComponent).join('/')}/${query ?? ''}`;
  sendReason(response, 301, { location });
}

async function sendIndex({ folder, request, response, parts }: Exchange, path: string): Promise<void> {
  const listing = await list(folder, parts, path);
  // A link may have taken its place meanwhile.
  if ((await realpath(path)) !== path) return sendReason(response, 404);
  const page = Buffer.from(indexPage(parts, listing));
  response.writeHead(200, {
    ...COMMON,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PAGE_POLICY,
    'content-length': page.length,
  });
  response.end(request.method === 'HEAD' ? undefined : page);
}

async function sendFile(exchange: Exchange, { path }: Located): Promise<void> {
  const handle = await openFile(path);
  if (handle === null) return sendReason(exchange.response, 404);
  try {
    await sendOpened(exchange, path, handle);
  } finally {
    await handle.close();
  }
}

async function sendOpened({ request, response }: Exchange, path: string, handle: FileHandle): Promise<void> {
  const stats = await handle.stat({ bigint: true });
  if (!stats.isFile()) return sendReason(response, 404);
  const version: Version = {
    etag: `"${stats.mtimeNs.toString(36)}-${stats.size.toString(36)}"`,
    modified: Math.floor(timeOf(stats.mtimeMs) / 1_000) * 1_000,
    size: Number(stats.size),
  };
  const decision = decide(request, version);
  if (decision.status === 412) return sendReason(response, 412);
  if (decision.status === 416)
    return sendReason(response, 416, { 'content-range': `bytes */${version.size}` });
  const part = partOf(decision, version.size);
  response.writeHead(decision.status, {
    ...COMMON,
    etag: version.etag,
    'last-modified': new Date(version.modified).toUTCString(),
    ...(decision.status === 304 ? {} : { 'content-type': contentType(path), 'content-length': part.length }),
    ...(decision.status === 206
      ? { 'content-range': `bytes ${decision.start}-${decision.end}/${version.size}` }
      : { 'accept-ranges': 'bytes' }),
  });
  if (request.method === 'HEAD' || part.length === 0) return void response.end();
  await sendBytes(response, handle, part);
}

interface Part {
  readonly start: number;
  readonly length: number;
}

function partOf(decision: Decision, size: number): Part {
  if (decision.status === 206) return { start: decision.start, length: decision.end - decision.start + 1 };
  return { start: 0, length: decision.status === 200 ? size : 0 };
}

async function sendBytes(
  response: ServerResponse,
  handle: FileHandle,
  { start, length }: Part,
): Promise<void> {
  const bytes = handle.createReadStream({ start, end: start + length - 1, autoClose: false });
  await pipeline(bytes, response, { end: false });
  // A file that became shorter meanwhile must not look whole.
  if (bytes.bytesRead < length) response.destroy();
  else response.end();
}

/** Files may change at any time, so clients must revalidate, and must not guess their type. */
const COMMON: OutgoingHttpHeaders = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };

const REASONS: Readonly<Record<number, string>> = {
  301: 'Moved to the address with a slash.',
  400: 'The path is not valid.',
  404: 'Nothing is here.',
  405: 'Only GET and HEAD are answered.',
  412: 'The file is another one by now.',
  416: 'The file has no such bytes.',
  500: 'The file could not be read.',
  503: 'There are too many requests at once. Try again.',
};

function sendReason(response: ServerResponse, status: number, headers: OutgoingHttpHeaders = {}): void {
  const text = `${REASONS[status]}\n`;
  response.writeHead(status, {
    ...COMMON,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

/** Too many open files pass; for the rest there is nothing that a visitor could do. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else if (isAbsent(error)) sendReason(response, 404);
  else sendReason(response, isCrowded(error) ? 503 : 500);
}

function isCrowded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
