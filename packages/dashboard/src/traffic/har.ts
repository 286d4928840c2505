/**
 * Writes recorded requests as HAR 1.2, the format in which browsers save their requests.
 * Invariant: a field that the list of requests does not have is empty, or -1 if it is a number.
 */
import type { TrafficRequest } from '@underpass/client';
import type { BodyContent } from './body-content.ts';

/** A request with its recorded bodies. Null: there is none. */
export interface HarRecord {
  readonly request: TrafficRequest;
  readonly bodies: { readonly request: BodyContent | null; readonly response: BodyContent | null } | null;
}

const CREATOR = { name: 'underpass console', version: '1' };
const COMMENT = 'Headers are not recorded, and values of queries may be hidden.';

export function toHar(records: readonly HarRecord[]) {
  const entries = records.filter(({ request }) => request.kind === 'http').map(entryOf);
  return { log: { version: '1.2', creator: CREATOR, entries, comment: COMMENT } };
}

function entryOf({ request: record, bodies }: HarRecord) {
  const { id, end_ts, duration_ms: time, first_byte_ms, error, reason } = record;
  const wait = Math.min(first_byte_ms ?? time, time);
  return {
    startedDateTime: new Date(Date.parse(end_ts) - time).toISOString(),
    time,
    request: requestOf(record, bodies?.request ?? null),
    response: responseOf(record, bodies?.response ?? null),
    cache: {},
    timings: { send: 0, wait, receive: Math.max(0, time - wait) },
    comment: [error, reason].filter((text) => text !== '').join(' '),
    _id: id,
  };
}

/** Fields that both messages have. */
const UNKNOWN = { httpVersion: '', cookies: [], headers: [], headersSize: -1 };

function requestOf({ method, host, path, query, bytes_in }: TrafficRequest, body: BodyContent | null) {
  const search = query === '' ? '' : `?${query}`;
  return {
    ...{ method, url: `https://${host}${path || '/'}${search}`, ...UNKNOWN, bodySize: bytes_in },
    queryString: Array.from(new URLSearchParams(query), ([name, value]) => ({ name, value })),
    ...(body === null ? {} : { postData: postDataOf(body) }),
  };
}

function postDataOf(body: BodyContent) {
  const text = textOf(body.bytes);
  // The format has no binary request bodies.
  const content = text === null ? { text: '', _base64: base64Of(body.bytes) } : { text };
  return { mimeType: body.type, ...content, ...commentOf(body) };
}

function responseOf({ status_code, bytes_out }: TrafficRequest, body: BodyContent | null) {
  return {
    ...{ status: status_code, statusText: '', ...UNKNOWN, redirectURL: '' },
    bodySize: body?.size ?? -1,
    content: body === null ? { size: 0, mimeType: '' } : contentOf(body),
    _bytesOut: bytes_out,
  };
}

function contentOf(body: BodyContent) {
  const text = textOf(body.bytes);
  const content = text === null ? { text: base64Of(body.bytes), encoding: 'base64' } : { text };
  return { size: body.bytes.length, mimeType: body.type, ...content, ...commentOf(body) };
}

function commentOf({ isCut, encoding }: BodyContent) {
  const parts = [
    isCut ? 'Only the beginning was recorded.' : '',
    encoding === '' ? '' : `It is compressed: ${encoding}.`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? {} : { comment: parts.join(' ') };
}

/** Null: it is no UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
