/** Checks a request before its operation is known. */

import { isTokenShaped } from '../access/tokens.ts';
import { isFault, parseHostname } from '../core/names/hostname.ts';
import { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { Headers, Peer, Request } from '../http-server/request.ts';

const API_VERSION = '2';

/** Refuses what the reader of heads lets through but RFC 9112 (section 3.2) or common sense does not. Raises Problem. */
export function checkWellFormed(request: Request): void {
  const { method, target, authority, headers, repeated, isHttp10, peer } = request;
  if (target[0] !== '/' && !(target === '*' && method === 'OPTIONS'))
    throw malformed('the request target must be a path');
  const host = headers.get('host');
  if (repeated.has('host') || (host === undefined && !isHttp10))
    throw malformed('it must have exactly one Host header');
  // A sender of several must not choose the one that counts.
  if (repeated.has('authorization')) throw malformed('it has several Authorization headers');
  if (repeated.has('content-type')) throw malformed('it has several Content-Type headers');
  if (authority !== null && authority.toLowerCase() !== host?.toLowerCase())
    throw malformed('its target and its Host header name different hosts');
  if (host !== undefined && host !== peer.fittingHost) checkHost(host, peer);
}

function checkHost(host: string, peer: Peer): void {
  const { servername } = peer;
  if (servername !== null && !hostFits(host, servername))
    throw new Problem('hostMismatch', { host, servername });
  peer.fittingHost = host;
}

/** Returns true if a Host header, with or without a port, is the name that the TLS connection was made for. */
export function hostFits(host: string, servername: string): boolean {
  const name = parseHostname(host.replace(/:\d{1,5}$/, ''));
  return !isFault(name) && name === parseHostname(servername);
}

/**
 * The API key of a request, as a bearer token (RFC 6750, section 2.1) or as either half of Basic credentials (RFC 7617), or what is
 * wrong. What has two different keys is for neither.
 */
export function apiKeyOf(
  header: string | undefined,
): { readonly token: string } | { readonly fault: ErrorNeeding } {
  if (header === undefined || header === '') return { fault: 'authorizationMissing' };
  const bearer = /^bearer +([^\s]+)$/i.exec(header)?.[1];
  if (bearer !== undefined) return { token: bearer };
  const basic = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const token = basic === undefined ? '' : keyIn(Buffer.from(basic, 'base64').toString());
  return token === '' ? { fault: 'authorizationUnsupported' } : { token };
}

/** '' when there is none. */
function keyIn(credentials: string): string {
  const colon = credentials.indexOf(':');
  if (colon === -1) return '';
  const halves = [credentials.slice(0, colon), credentials.slice(colon + 1)];
  const keys = new Set(halves.filter(isTokenShaped));
  if (keys.size > 1) return '';
  const [key = halves.find((half) => half !== '') ?? ''] = keys;
  return key;
}

/** `names` are lower-case; each of them that is sent must have the supported version. Raises Problem naming `documented`. */
export function checkVersion(headers: Headers, names: readonly string[], documented: string): void {
  let sent = false;
  for (const name of names) {
    const value = headers.get(name);
    if (value === undefined) continue;
    if (value !== API_VERSION) {
      throw new Problem(
        'versionUnsupported',
        { value, header: name },
        { field: name, allowed: [API_VERSION] },
      );
    }
    sent = true;
  }
  if (!sent)
    throw new Problem(
      'versionMissing',
      { header: documented },
      { field: documented, allowed: [API_VERSION] },
    );
}

/** JSON, with or without parameters; a charset must be UTF-8. Raises Problem. */
export function checkContentType(value: string | undefined): void {
  if (value === 'application/json') return;
  if (value === undefined || value === '')
    throw new Problem('contentTypeMissing', {}, { allowed: ['application/json'] });
  const match = /^application\/json[ \t]*(?:;(.*))?$/i.exec(value);
  const charset = /(?:^|;)[ \t]*charset=([^;]*)/i.exec(match?.[1] ?? '')?.[1];
  if (match === null || (charset !== undefined && !/^"?utf-?8"?[ \t]*$/i.test(charset))) {
    throw new Problem('contentTypeUnsupported', { value }, { allowed: ['application/json'] });
  }
}

/** A body that is packed would be read as what it is not. Raises Problem. */
export function checkContentCoding(value = ''): void {
  if (!/^(?:identity)?$/i.test(value))
    throw new Problem('contentEncodingUnsupported', { value }, { allowed: ['identity'] });
}

function malformed(reason: string): Problem {
  return new Problem('requestMalformed', { reason });
}
