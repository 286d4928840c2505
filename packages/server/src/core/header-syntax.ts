/** The syntax of header fields that a user configures. They must not break a message's framing or lines (RFC 9110). */
import { ERROR_CODE_HEADER, type Settings } from './settings.ts';

export const maxHeaderNameBytes = 128;
export const maxHeaderValueBytes = 4096;

/** A token of RFC 9110, section 5.6.2. */
const namePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible ASCII, spaces and tabs: nothing that ends a line or that peers decode differently. */
const valuePattern = /^[\t\x20-\x7e]*$/;

/**
 * Framing and hop-by-hop fields (RFC 9110, section 7.6.1), the field that detects loops (RFC 8586), and the edge's own
 * error code.
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

/** Returns true if only the edge may set and remove the field. The name may have any case. */
export function isKeptByEdge(name: string, { errorCodeHeader }: Pick<Settings, 'errorCodeHeader'>): boolean {
  const lower = name.toLowerCase();
  return keptByEdge.has(lower) || lower === errorCodeHeader;
}
