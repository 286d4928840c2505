/**
 * Names in headers and error codes that the operator chooses.
 * Invariant: such a name never has another meaning in a message.
 */

/** Fields with a meaning in HTTP, CORS or this service (RFC 9110, section 18.4), in lower case. */
const TAKEN: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'accept-ranges', 'age', 'allow', 'alt-svc'],
  ...['authorization', 'cache-control', 'connection', 'content-disposition', 'content-encoding'],
  ...['content-language', 'content-length', 'content-location', 'content-range', 'content-security-policy'],
  ...['content-type', 'cookie', 'date', 'etag', 'expect', 'expires', 'forwarded', 'host', 'http2-settings'],
  ...['if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'keep-alive'],
  ...['last-modified', 'link', 'location', 'max-forwards', 'origin', 'pragma', 'proxy-authenticate'],
  ...['proxy-authorization', 'proxy-connection', 'range', 'referer', 'retry-after', 'server', 'set-cookie'],
  ...['strict-transport-security', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent', 'vary'],
  ...['via', 'www-authenticate', 'x-content-type-options', 'x-real-ip'],
]);
const TAKEN_PREFIXES: readonly string[] = ['access-control-', 'sec-', 'x-forwarded-'];

/** Returns the name unchanged; null if it is no header name of letters, digits and hyphens, or has another meaning. */
export function parseHeaderName(text: string): string | null {
  const name = text.toLowerCase();
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || TAKEN.has(name)) return null;
  return TAKEN_PREFIXES.some((prefix) => name.startsWith(prefix)) ? null : text;
}

/** Returns the prefix with an underscore at its end; null for other characters than letters, digits and underscores. */
export function parseErrorPrefix(text: string): string | null {
  if (!/^[A-Za-z0-9_]+$/.test(text)) return null;
  return text.endsWith('_') ? text : `${text}_`;
}

export const HEADER_NAME_RULE =
  'must be a header name of letters, digits and hyphens that means nothing else';
export const ERROR_PREFIX_RULE = 'must be letters, digits and underscores';
