/**
 * Writes the head of an HTTP/2 request as one of HTTP/1.1, to be read like any other.
 * Invariant: no field gains a meaning by that. Fields that could end a line, frame a message or name another hop are rejected.
 */
import { randomBytes } from 'node:crypto';
import type { HeaderList, ReceivedField } from '@underpass/wire/http2';
import { encodedTarget } from '../http-syntax/rewritten-head.ts';
import { OF_CONNECTION } from './not-said.ts';

export interface RequestHead {
  /** One character a byte. */
  readonly text: string;
  /**
   * WebSocket key of a request that the head makes an Upgrade of HTTP/1.1. The response must match it. Null for other
   * requests.
   */
  readonly websocketKey: string | null;
}

const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** The same targets as in HTTP/1.1: no space and no control character. */
const TARGET = /^[!-~\x80-\xff]+$/;
/** Faults of a request (RFC 9113, section 8.1.1). */
export type RequestHeadFault =
  | 'requestFieldsMalformed'
  | 'requestTargetMalformed'
  | 'requestHostDiffers'
  | 'requestLengthDiffers';

class Parts {
  method = '';
  scheme = '';
  authority = '';
  path = '';
  protocol = '';
  host: string | null = null;
  cookies: string[] = [];
  lines = '';
  hasLength = false;
  length = '';
  wantsTrailers = false;
  websocketKey: string | null = null;
}

const PSEUDO: ReadonlyMap<string, 'method' | 'scheme' | 'authority' | 'path' | 'protocol'> = new Map([
  [':method', 'method'],
  [':scheme', 'scheme'],
  [':authority', 'authority'],
  [':path', 'path'],
  [':protocol', 'protocol'],
]);

/** `ends`: no body follows. */
export function requestHead({ fields }: HeaderList, ends: boolean): RequestHead | RequestHeadFault {
  const parts = new Parts();
  let isBehind = false;
  for (const field of fields) {
    const isPseudo = field.name.charCodeAt(0) === COLON;
    // A target with a space is one fault of many clients, and has an error of its own.
    if (!field.isSound && field.name !== ':path') return 'requestFieldsMalformed';
    if (isPseudo && (isBehind || !takePseudo(parts, field))) return 'requestFieldsMalformed';
    if (!isPseudo && !takeField(parts, field)) return 'requestFieldsMalformed';
    isBehind ||= !isPseudo;
  }
  return faultOf(parts, ends) ?? headOf(parts, ends);
}

const COLON = 0x3a;

function takePseudo(parts: Parts, { name, value }: ReceivedField): boolean {
  const part = PSEUDO.get(name);
  if (part === undefined || parts[part] !== '' || value === '') return false;
  parts[part] = value;
  return true;
}

function takeField(parts: Parts, { name, value }: ReceivedField): boolean {
  switch (name) {
    case 'cookie':
      parts.cookies.push(value);
      return true;
    case 'host':
      if (parts.host !== null) return false;
      parts.host = value;
      return true;
    case 'te':
      parts.wantsTrailers = value === 'trailers';
      return parts.wantsTrailers;
    case 'sec-websocket-key':
      if (parts.websocketKey !== null) return false;
      parts.websocketKey = value;
      return true;
    case 'content-length':
      if (parts.hasLength) return false;
      parts.hasLength = true;
      parts.length = value;
      break;
    default:
      if (OF_CONNECTION.has(name)) return false;
  }
  parts.lines += `${name}: ${value}\r\n`;
  return true;
}

/** RFC 9113, section 8.3.1, and RFC 8441, section 4. */
function faultOf(parts: Parts, ends: boolean): RequestHeadFault | null {
  const { method, scheme, authority, path, protocol, host, length } = parts;
  const isConnect = method === 'CONNECT' && protocol === '';
  const isWhole = isConnect
    ? authority !== '' && scheme === '' && path === ''
    : scheme === 'https' && path !== '' && (protocol === '' || method === 'CONNECT');
  if (!isWhole || !METHOD.test(method)) return 'requestFieldsMalformed';
  if (host !== null && authority !== '' && host.toLowerCase() !== authority.toLowerCase())
    return 'requestHostDiffers';
  if (!isConnect && !TARGET.test(path)) return 'requestTargetMalformed';
  return ends && length !== '' && !/^0+$/.test(length) ? 'requestLengthDiffers' : null;
}

function headOf(parts: Parts, ends: boolean): RequestHead {
  const { method, authority, protocol, host, cookies, lines, hasLength, wantsTrailers } = parts;
  const path = encodedTarget(parts.path);
  const hostLine = authority === '' && host === null ? '' : `Host: ${host ?? authority}\r\n`;
  const cookie = cookies.length === 0 ? '' : `cookie: ${cookies.join('; ')}\r\n`;
  const common = `${hostLine}${lines}${cookie}`;
  if (protocol !== '') return upgradeHead(parts, common);
  const key = parts.websocketKey === null ? '' : `sec-websocket-key: ${parts.websocketKey}\r\n`;
  const trailers = wantsTrailers ? 'Connection: TE\r\nTE: trailers\r\n' : '';
  const framing = ends || hasLength ? '' : 'Transfer-Encoding: chunked\r\n';
  // Without a path it is CONNECT, which names its target by itself.
  const target = path === '' ? authority : path;
  return {
    text: `${method} ${target} HTTP/1.1\r\n${common}${key}${trailers}${framing}\r\n`,
    websocketKey: null,
  };
}

/**
 * Writes an extended CONNECT (RFC 8441) as the GET with Upgrade of HTTP/1.1. HTTP/2 needs no key, but Node's client
 * sends one.
 */
function upgradeHead({ path: sent, protocol, websocketKey: given }: Parts, common: string): RequestHead {
  const path = encodedTarget(sent);
  const websocketKey = given ?? randomBytes(16).toString('base64');
  const upgrade = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Key: ${websocketKey}\r\n`;
  return { text: `GET ${path} HTTP/1.1\r\n${common}${upgrade}\r\n`, websocketKey };
}
