/** The static table of HPACK (RFC 7541, appendix A). */

/** A field of a table or a header block, one character a byte. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** A received field, and whether it is valid in a message. */
export interface ReceivedField extends HeaderField {
  readonly isSound: boolean;
}

const NAME = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const VALUE = /^[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?$/;

/**
 * Checks a field: names in lower case, values without controls and without surrounding white space (RFC 9113, section
 * 8.2.1).
 */
export function receivedField(name: string, value: string): ReceivedField {
  return { name, value, isSound: NAME.test(name) && (value === '' || VALUE.test(value)) };
}

/** The fields in order, from index 1 on. */
export const STATIC_TABLE: readonly ReceivedField[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language', ''],
  ['accept-ranges', ''],
  ['accept', ''],
  ['access-control-allow-origin', ''],
  ['age', ''],
  ['allow', ''],
  ['authorization', ''],
  ['cache-control', ''],
  ['content-disposition', ''],
  ['content-encoding', ''],
  ['content-language', ''],
  ['content-length', ''],
  ['content-location', ''],
  ['content-range', ''],
  ['content-type', ''],
  ['cookie', ''],
  ['date', ''],
  ['etag', ''],
  ['expect', ''],
  ['expires', ''],
  ['from', ''],
  ['host', ''],
  ['if-match', ''],
  ['if-modified-since', ''],
  ['if-none-match', ''],
  ['if-range', ''],
  ['if-unmodified-since', ''],
  ['last-modified', ''],
  ['link', ''],
  ['location', ''],
  ['max-forwards', ''],
  ['proxy-authenticate', ''],
  ['proxy-authorization', ''],
  ['range', ''],
  ['referer', ''],
  ['refresh', ''],
  ['retry-after', ''],
  ['server', ''],
  ['set-cookie', ''],
  ['strict-transport-security', ''],
  ['transfer-encoding', ''],
  ['user-agent', ''],
  ['vary', ''],
  ['via', ''],
  ['www-authenticate', ''],
].map(([name = '', value = '']) => receivedField(name, value));
