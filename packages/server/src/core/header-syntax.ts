/** What a header that a user sets must look like, so that it breaks neither a message's framing nor its lines (RFC 9110). */
import { ERROR_CODE_HEADER, type Settings } from './settings.ts';

export const maxHeaderNameBytes = 128;
export const maxHeaderValueBytes = 4096;

/** A token of RFC 9110, section 5.6.2. */
const namePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible ASCII, spaces and tabs: nothing that ends a line or that peers decode differently. */
const valuePattern = /^[\t\x20-\x7e]*$/;

/**
 * Framing and hop-by-hop headers (RFC 9110, section 7.6.1), the mark of requests that come back (RFC 8586), and the one by which the
 * edge marks its own errors.
 */
const keptByEdge: ReadonlySet<string> = new Set([
  'cdn-loop',
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  ERROR_CODE_HEADER,
]);

export function isHeaderName(name: string): boolean {
  return namePattern.test(name);
}

export function isHeaderValue(value: string): boolean {
  return valuePattern.test(value);
}

/** Whether only the edge itself sets and removes it. Any case. */
export function isKeptByEdge(name: string, { errorCodeHeader }: Pick<Settings, 'errorCodeHeader'>): boolean {
  const lower = name.toLowerCase();
  return keptByEdge.has(lower) || lower === errorCodeHeader;
}
