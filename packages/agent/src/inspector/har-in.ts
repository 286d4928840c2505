/**
 * Reads a HAR file into the store.
 * Invariant: if one part of a file is wrong, no part is stored.
 */
import { field } from '@underpass/wire';
import { InvalidInput } from '../address.ts';
import type { HarAnswer } from './api-types.ts';
import { inBytes } from './head.ts';
import { isHeader, isMethod, isTarget } from './request-syntax.ts';
import type { Store } from './store.ts';

interface Entry {
  readonly startedAt: number;
  readonly method: string;
  readonly target: string;
  readonly scheme: 'http' | 'https';
  readonly requestLines: string;
  readonly requestBody: Buffer;
  /** Bytes of it that are not in the file. */
  readonly requestMissing: number;
  readonly status: number;
  readonly responseLines: string;
  readonly responseBody: Buffer;
  readonly responseMissing: number;
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly endedMs: number;
}

/** Throws InvalidInput. */
export function importHar(text: string, store: Store): HarAnswer {
  const all = readEntries(text);
  const entries = all.filter((entry) => entry !== null);
  for (const entry of entries) add(entry, store);
  return { imported: entries.length, leftOut: all.length - entries.length };
}

function add(entry: Entry, store: Store): void {
  const { method, target, scheme, startedAt, status, responseLines, requestBody, responseBody } = entry;
  const origin = { tunnel: null, client: '', replayOf: null, method, target, scheme, startedAt };
  const exchange = store.add(origin, entry.requestLines);
  exchange.requestBody(requestBody, 0, requestBody.length);
  exchange.request.skip(entry.requestMissing);
  if (status > 0) {
    exchange.responseHead(status, responseLines);
    exchange.responseBody(responseBody, 0, responseBody.length);
    exchange.response.skip(entry.responseMissing);
  }
  exchange.sentMs = entry.sentMs;
  exchange.answeredMs = entry.answeredMs;
  exchange.end(status > 0);
  exchange.endedMs = entry.endedMs;
}

/** Null in place of those that are of no HTTP. */
function readEntries(text: string): (Entry | null)[] {
  const entries = field(field(parse(text), 'log'), 'entries');
  if (!Array.isArray(entries)) throw new InvalidInput('This is no HAR file: it has no log.entries.');
  return entries.map((entry: unknown, index) => {
    try {
      return readEntry(entry);
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      throw new InvalidInput(`log.entries[${index}]: ${error.message}`);
    }
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput('This is no HAR file: it is not JSON.');
  }
}

function readEntry(entry: unknown): Entry | null {
  const request = field(entry, 'request');
  const response = field(entry, 'response');
  const method = textIn(request, 'method');
  const url = URL.parse(textIn(request, 'url'));
  if (!isMethod(method)) throw new InvalidInput('request.method is no method.');
  if (url === null) throw new InvalidInput('request.url is no absolute URL.');
  // Browsers list what pages have within themselves, too.
  if (!/^(?:http|ws)s?:$/.test(url.protocol)) return null;
  const target = url.pathname + url.search;
  if (!isTarget(target)) throw new InvalidInput('request.url has no valid path.');
  const startedAt = Date.parse(textIn(entry, 'startedDateTime'));
  if (Number.isNaN(startedAt)) throw new InvalidInput('startedDateTime is no time.');
  const status = numberIn(response, 'status');
  const timings = field(entry, 'timings');
  const sentMs = numberIn(timings, 'send');
  const answeredMs = sentMs + numberIn(timings, 'wait');
  const scheme = /s:$/.test(url.protocol) ? 'https' : 'http';
  const requestBody = postedBy(field(request, 'postData'));
  const responseBody = bodyOf(field(response, 'content'));
  return {
    ...{ startedAt, method, target, scheme, status, sentMs, answeredMs },
    endedMs: answeredMs + numberIn(timings, 'receive'),
    requestLines: `${method} ${target} HTTP/1.1\r\n${linesOf(request, url.host)}`,
    requestBody,
    requestMissing: missingOf(request, requestBody),
    responseLines: `HTTP/1.1 ${status} ${lineSafe(textIn(response, 'statusText'))}\r\n${linesOf(response, null)}`,
    responseBody,
    responseMissing: field(response, '_isCut') === true ? missingOf(response, responseBody) : 0,
  };
}

/** `host`: for a request of HTTP/2, which has none. Bodies are in the file without what they were compressed with. */
function linesOf(message: unknown, host: string | null): string {
  const given = field(message, 'headers');
  if (!Array.isArray(given)) throw new InvalidInput('headers is no list.');
  const headers = given.map((header: unknown) => [textIn(header, 'name'), textIn(header, 'value')] as const);
  const plain = headers.filter(
    ([name]) => !name.startsWith(':') && name.toLowerCase() !== 'content-encoding',
  );
  for (const [name, value] of plain)
    if (!isHeader(name, value)) throw new InvalidInput(`headers: ${JSON.stringify(name)} cannot be one.`);
  const hasHost = host === null || plain.some(([name]) => name.toLowerCase() === 'host');
  const all = hasHost ? plain : [['Host', host] as const, ...plain];
  return all.map(([name, value]) => `${name}: ${inBytes(value)}\r\n`).join('');
}

/** The body that was sent. A form may have only its fields in the file. */
function postedBy(data: unknown): Buffer {
  const params = field(data, 'params');
  const isForm = textIn(data, 'mimeType').startsWith('application/x-www-form-urlencoded');
  if (textIn(data, 'text') !== '' || !isForm || !Array.isArray(params)) return bodyOf(data);
  const fields = params.map((param: unknown) => [textIn(param, 'name'), textIn(param, 'value')]);
  return Buffer.from(new URLSearchParams(fields).toString());
}

function bodyOf(content: unknown): Buffer {
  const text = textIn(content, 'text');
  return Buffer.from(text, textIn(content, 'encoding') === 'base64' ? 'base64' : 'utf8');
}

/**
 * Number of bytes of a body that are missing. The inspector keeps only the beginning of long bodies. Browsers keep
 * nothing of uploaded files, and record their length only as a header.
 */
function missingOf(message: unknown, body: Buffer): number {
  const size = Math.max(numberIn(message, 'bodySize'), contentLength(message));
  if (field(message, '_isCut') === true) return Math.max(1, size - body.length);
  return body.length === 0 ? size : 0;
}

function contentLength(message: unknown): number {
  const given = field(message, 'headers');
  const headers: readonly unknown[] = Array.isArray(given) ? given : [];
  const header = headers.find((it) => textIn(it, 'name').toLowerCase() === 'content-length');
  const value = textIn(header, 'value');
  return /^\d{1,15}$/.test(value) ? Number(value) : 0;
}

function lineSafe(text: string): string {
  return isHeader('x', text) ? inBytes(text) : '';
}

function textIn(value: unknown, name: string): string {
  const text = field(value, name);
  return typeof text === 'string' ? text : '';
}

/** Unknown numbers are -1 in these files. */
function numberIn(value: unknown, name: string): number {
  const number = field(value, name);
  return typeof number === 'number' && Number.isFinite(number) ? Math.max(0, number) : 0;
}
