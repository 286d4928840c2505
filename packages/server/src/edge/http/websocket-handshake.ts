/**
 * The opening handshake of a WebSocket that ends at the edge (RFC 6455, section 4.2).
 * Invariant: an unclear handshake is refused.
 */
import { createHash } from 'node:crypto';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { Head } from '../../http-syntax/head.ts';
import type { Fields } from '../sites/site.ts';
import type { Request } from './request.ts';
import { methodOf } from './request-facts.ts';

/** The GUID of RFC 6455, section 1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** 16 bytes in base64. */
const KEY = /^[A-Za-z0-9+/]{21}[AQgw]==$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The fields that answer it, beside those of every switch; or why it is refused. */
export function websocketHandshake(
  head: Head,
  request: Pick<Request, 'upgradeTo' | 'framing'>,
): Fields | ErrorName {
  const asked = request.upgradeTo?.toLowerCase().split(', ') ?? [];
  if (!asked.includes('websocket')) return 'websocketExpected';
  const [version, ...otherVersions] = valuesOf(head, 'sec-websocket-version');
  if (version !== '13' || otherVersions.length > 0) return 'websocketVersionUnsupported';
  const [key, ...otherKeys] = valuesOf(head, 'sec-websocket-key');
  const isPlain = methodOf(head) === 'GET' && request.framing === 0;
  if (!isPlain || key === undefined || !KEY.test(key) || otherKeys.length > 0) {
    return 'websocketHandshakeMalformed';
  }
  const protocol = protocolOf(head);
  if (protocol === null) return 'websocketHandshakeMalformed';
  const accept = createHash('sha1').update(`${key}${GUID}`).digest('base64');
  const fields: Fields = [['Sec-WebSocket-Accept', accept]];
  return protocol === '' ? fields : [...fields, ['Sec-WebSocket-Protocol', protocol]];
}

/**
 * Chooses a subprotocol, because browsers give up without one: `binary`, usual for bridges to TCP, or else the first.
 * Returns '' if none is offered, null if they are malformed.
 */
function protocolOf(head: Head): string | null {
  const offered = valuesOf(head, 'sec-websocket-protocol').flatMap((value) => value.split(','));
  const protocols = offered.map((one) => one.trim());
  if (!protocols.every((one) => TOKEN.test(one))) return null;
  return protocols.includes('binary') ? 'binary' : (protocols[0] ?? '');
}

function valuesOf(head: Head, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < head.count; i += 1) {
    if (head.name(i).toLowerCase() === name) values.push(head.value(i));
  }
  return values;
}
