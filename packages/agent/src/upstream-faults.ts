/** Describes faults of a local server, with the expected protocol and a remedy. */

import { isCertificateError } from '@underpass/client/certificate-error';
import type { Upstream } from './address.ts';
import { printable } from './printable.ts';
import { codeOf, isNameMissing, reasonOf, tlsReasonOf } from './reason.ts';

/** Describes a failed connection or TLS handshake. */
export function unreachable(upstream: Upstream, error: unknown): string {
  return `${upstream.text} cannot be reached: ${reasonOf(error, 'upstream')}. ${remedyOf(upstream, error)}`;
}

function remedyOf(upstream: Upstream, error: unknown): string {
  if (isCertificateError(codeOf(error) ?? ''))
    return 'Give the authority that signed its certificate with --upstream-tls-verify-cas FILE, and the name that it is for as its address or with --upstream-sni NAME.';
  const reason = tlsReasonOf(error) ?? '';
  if (isNameMissing(reason))
    return 'It does not serve this server name: give the name that its certificate is for with --upstream-sni NAME.';
  if (/wrong version number|packet length too long/.test(reason))
    return `It does not speak TLS: try ${withScheme(upstream, 'http')}.`;
  if (reason.includes('no application protocol'))
    return upstream.speaksHttp2 === true ? WITHOUT_HTTP2 : WITH_HTTP2;
  if (/handshake failure|internal error/.test(reason))
    return 'It may choose its certificate by the server name: give that with --upstream-sni NAME. Its own log may give the reason.';
  return `${spoken(upstream)} is expected there: start the server, or give the address that it listens at.`;
}

/** Detects a server of another protocol by its first bytes; null if it is undecided. */
export function misunderstood(upstream: Upstream, first: Buffer): string | null {
  const { scheme, speaksHttp2, text } = upstream;
  if (scheme === 'http' && speaksTls(first))
    return `${text} speaks TLS, and ${spoken(upstream)} was expected: try ${withScheme(upstream, 'https')}.`;
  const isHttp1 = first.subarray(0, 7).equals(HTTP_1);
  if (speaksHttp2 === true && isHttp1)
    return `${text} speaks HTTP/1.1, and ${spoken(upstream)} was expected. ${WITHOUT_HTTP2}`;
  if (speaksHttp2 !== true && isSettings(first))
    return `${text} speaks HTTP/2, and ${spoken(upstream)} was expected. ${WITH_HTTP2}`;
  if (speaksHttp2 === true ? first.length < FRAME_HEAD || isSettings(first) : mayBeHttp1(first)) return null;
  const begins = printable(first.toString('latin1', 0, SHOWN_BYTES));
  return `${text} answers with "${begins}", and ${spoken(upstream)} was expected: give the address of a server that speaks it.`;
}

/**
 * The text for an upstream that accepted a request, and closed the connection without a byte. `error`: the
 * connection's; null if it closed in order.
 */
export function silent(upstream: Upstream, error: Error | null): string {
  // In TLS 1.3 the server checks a client's certificate after the client's side of the handshake.
  const tls = error === null ? null : tlsReasonOf(error);
  const remedy = upstream.scheme === 'http' ? ` If it speaks TLS, try ${withScheme(upstream, 'https')}.` : '';
  return `${upstream.text} closed the connection without an answer${tls === null ? '' : ` (${tls})`}, and ${spoken(upstream)} was expected. Its own log may give the reason.${remedy}`;
}

const WITH_HTTP2 = 'Give --upstream-protocol http2.';
const WITHOUT_HTTP2 = 'Leave --upstream-protocol http2 out.';
const HTTP_1 = Buffer.from('HTTP/1.');
/** Fewer bytes may be the beginning of anything. */
const TELLING_BYTES = 3;
const FRAME_HEAD = 9;
const SHOWN_BYTES = 32;
/** Responses of TLS servers to clear text: of Go, nginx and Apache. */
const ASKS_FOR_TLS = /^HTTP\/1\.[01] 400 [\s\S]*(to an HTTPS server|to HTTPS port|to an SSL-enabled server)/;

function speaksTls(first: Buffer): boolean {
  // A record of an alert or a handshake (RFC 8446, section 5.1).
  const isRecord = (first[0] === 21 || first[0] === 22) && first[1] === 3;
  return isRecord || ASKS_FOR_TLS.test(first.toString('latin1', 0, 2_048));
}

function mayBeHttp1(first: Buffer): boolean {
  const length = Math.min(first.length, HTTP_1.length);
  return length < TELLING_BYTES || HTTP_1.subarray(0, length).equals(first.subarray(0, length));
}

/** A server of HTTP/2 begins with a SETTINGS frame of the connection (RFC 9113, section 3.4). */
function isSettings(first: Buffer): boolean {
  return first.length >= FRAME_HEAD && first[3] === 4 && first[4] === 0 && first.readUInt32BE(5) === 0;
}

function spoken({ scheme, speaksHttp2 }: Upstream): string {
  switch (scheme) {
    case 'http':
      return speaksHttp2 === true ? 'HTTP/2 without TLS' : 'HTTP/1.1 without TLS';
    case 'https':
      return speaksHttp2 === true ? 'HTTP/2 in TLS' : 'HTTP/1.1 in TLS';
    case 'tcp':
      return 'A TCP server';
    default:
      return scheme satisfies never;
  }
}

function withScheme({ at }: Upstream, scheme: 'http' | 'https'): string {
  if ('path' in at) return `a socket that speaks ${scheme}`;
  return `${scheme}://${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}`;
}
