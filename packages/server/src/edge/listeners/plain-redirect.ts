/**
 * The responses of plain HTTP: known names are redirected to HTTPS, whatever serves them.
 * Invariant: only a parsed host name and a strictly parsed target appear in the response.
 */
import type { Hostname } from '../../core/names/hostname.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { Field } from '../../http-syntax/fields.ts';
import type { Head } from '../../http-syntax/head.ts';
import { parseAuthority } from '../http/request.ts';
import type { Reply } from '../sites/site.ts';

/** An error of the catalogue with the values of its message, or where to go instead. */
export type PlainAnswer = { readonly error: ErrorName; readonly host: string } | Reply;

export interface PlainNames {
  isKnown(hostname: Hostname): boolean;
  /** The port of public URLs. */
  readonly publicPort: number;
}

const PERMANENT_REDIRECT = 308;
const text = Buffer.from('This is served over HTTPS only.\n');

/** `head`: a whole request. */
export function redirectOf(head: Head, names: PlainNames): PlainAnswer {
  const hostname = hostOf(head);
  if (hostname === null) return { error: 'requestHostInvalid', host: '' };
  const path = pathOf(head, hostname);
  if (typeof path === 'string') return { error: path, host: hostname };
  if (!names.isKnown(hostname)) return { error: 'nothingOnline', host: hostname };
  const port = names.publicPort === 443 ? '' : `:${names.publicPort}`;
  return {
    kind: 'reply',
    status: PERMANENT_REDIRECT,
    headers: [
      ['location', `https://${hostname}${port}${path.text}`],
      // Browsers would go by it for ever, also when the name is one day served without TLS.
      ['cache-control', 'no-store'],
      ['content-type', 'text/plain; charset=utf-8'],
    ],
    body: text,
  };
}

/** Returns the name of a request; null if it does not have exactly one. */
export function hostOf(head: Head): Hostname | null {
  if (!head.has(Field.host) || head.hasMany(Field.host)) return null;
  return parseAuthority(head.valueOf(Field.host))?.hostname ?? null;
}

/** Returns the part of the requested URL after its authority. */
function pathOf(head: Head, hostname: Hostname): { readonly text: string } | ErrorName {
  const method = head.bytes.toString('latin1', head.start, head.methodEnd);
  const target = head.bytes.toString('latin1', head.targetStart, head.targetEnd);
  if (method === 'CONNECT') return 'connectUnsupported';
  if (target.startsWith('/')) return { text: target };
  // RFC 9112, 3.2.4: in a URL the server as a whole has no path.
  if (target === '*' && method === 'OPTIONS') return { text: '' };
  const match = /^http:\/\/([^/?]*)/i.exec(target);
  const authority = match === null ? null : parseAuthority(match[1] ?? '');
  if (match === null || authority === null) return 'requestTargetMalformed';
  return authority.hostname === hostname ? { text: target.slice(match[0].length) } : 'requestHostDiffers';
}
