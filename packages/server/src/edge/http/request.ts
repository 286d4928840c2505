/**
 * Checks a request against its connection, beyond its syntax.
 * Invariant: a host is accepted only if the connection was made for it.
 */
import { type Hostname, isFault, parseHostname } from '../../core/names/hostname.ts';
import { isWord, sameBytes, sameText } from '../../http-syntax/bytes.ts';
import { ConnectionOptions } from '../../http-syntax/connection-options.ts';
import { Field } from '../../http-syntax/fields.ts';
import { type Framing, type FramingFault, requestFraming } from '../../http-syntax/framing.ts';
import type { Head } from '../../http-syntax/head.ts';

export type RequestFault =
  | FramingFault
  | 'requestHostInvalid'
  | 'requestHostDiffers'
  | 'requestTargetMalformed'
  | 'connectUnsupported'
  | 'expectationUnsupported'
  | 'hostMismatch';

const word = {
  continue: Buffer.from('100-continue'),
  get: Buffer.from('GET'),
  head: Buffer.from('HEAD'),
  connect: Buffer.from('CONNECT'),
  options: Buffer.from('OPTIONS'),
};
const TRAILERS = /(?:^|,)[ \t]*trailers[ \t]*(?:,|$)/i;
/** RFC 9110, section 9.2.2. GET and HEAD are recognised first. */
const OTHER_IDEMPOTENT = ['OPTIONS', 'PUT', 'DELETE', 'TRACE'].map((method) => Buffer.from(method));

/** The facts of one request. Made once per connection and filled again per request. */
export class Request {
  /** It came in HTTP/1.0; `examine` reads the head that was written anew. */
  isHttp10 = false;
  framing: Framing = 0;
  isHead = false;
  isIdempotent = false;
  readonly connection = new ConnectionOptions();
  /** The protocols of a request with `Connection: upgrade`; null for none. */
  upgradeTo: string | null = null;
  /** `TE: trailers`, named in Connection as it must be. */
  wantsTrailers = false;
  expectsContinue = false;
  wantsHtml = false;
  /** Logs the upstream's connection in, not the request, so that no other visitor may use that connection. */
  bindsConnection = false;
  /** The part of the target that goes on, as offsets into the head: an absolute one loses its scheme and authority. */
  pathStart = 0;
  pathEnd = 0;

  /** The last valid Host field of this connection, as it was sent. */
  #knownHost: string | null = null;
  readonly #sni: Hostname;
  readonly #ports: readonly (number | null)[];

  /** `ports`: that lead here, the standard one among them. */
  constructor(sni: Hostname, ports: readonly (number | null)[]) {
    this.#sni = sni;
    this.#ports = ports;
  }

  /** Nothing is lost when it is sent a second time. */
  get repeatable(): boolean {
    return this.isIdempotent && this.framing === 0;
  }

  /** Forgets the request before; one that cannot be read has no facts. */
  reset(): void {
    this.isHead = false;
    this.wantsHtml = false;
    this.connection.close = false;
  }

  /** Reads the facts out of `head`; null when all is well. */
  examine(head: Head): RequestFault | null {
    const framing = requestFraming(head);
    if (typeof framing === 'string') return framing;
    this.framing = framing;
    this.#readMethod(head);
    const fault = this.#checkHost(head) ?? this.#readTarget(head);
    if (fault !== null) return fault;
    const { connection } = this;
    connection.read(head);
    if (this.isHttp10) this.#readAsHttp10(head);
    this.upgradeTo = connection.upgrade && head.has(Field.upgrade) ? upgradeOf(head) : null;
    this.wantsTrailers = connection.te && head.has(Field.te) && TRAILERS.test(head.valueOf(Field.te));
    this.expectsContinue = false;
    if (head.has(Field.expect) && !this.isHttp10) {
      const at = 4 * head.first[Field.expect]!;
      if (head.hasMany(Field.expect)) return 'expectationUnsupported';
      if (!isWord(head.bytes, head.offsets[at + 2]!, head.offsets[at + 3]!, word.continue)) {
        return 'expectationUnsupported';
      }
      this.expectsContinue = true;
    }
    this.wantsHtml = head.has(Field.accept) && head.valueOf(Field.accept).includes('text/html');
    this.bindsConnection =
      head.has(Field.authorization) && /^(?:ntlm|negotiate)\b/i.test(head.valueOf(Field.authorization));
    return null;
  }

  /** Leaves out what HTTP/1.0 does not have: persistence by itself, upgrades, trailers and expectations (RFC 9110, sections 7.8 and 10.1.1). */
  #readAsHttp10(head: Head): void {
    const { connection } = this;
    if (!connection.keepAlive) connection.close = true;
    connection.upgrade = false;
    connection.te = false;
    if (head.has(Field.expect)) connection.dropped = new Set([...(connection.dropped ?? []), 'expect']);
  }

  #readMethod(head: Head): void {
    const { bytes, start, methodEnd } = head;
    this.isHead = false;
    this.isIdempotent = true;
    if (sameBytes(bytes, start, methodEnd, word.get)) return;
    if (sameBytes(bytes, start, methodEnd, word.head)) {
      this.isHead = true;
      return;
    }
    this.isIdempotent = OTHER_IDEMPOTENT.some((method) => sameBytes(bytes, start, methodEnd, method));
  }

  #checkHost(head: Head): RequestFault | null {
    if (!head.has(Field.host) || head.hasMany(Field.host)) return 'requestHostInvalid';
    const at = 4 * head.first[Field.host]!;
    const start = head.offsets[at + 2]!;
    const end = head.offsets[at + 3]!;
    if (this.#knownHost !== null && sameText(head.bytes, start, end, this.#knownHost)) return null;
    const host = head.valueOf(Field.host);
    const fault = this.#faultOfHost(host);
    if (fault === null) this.#knownHost = host;
    return fault;
  }

  #faultOfHost(text: string): RequestFault | null {
    // As nearly everybody writes it; any other spelling needs the closer look.
    if (text === this.#sni || this.#ports.some((port) => port !== null && text === `${this.#sni}:${port}`))
      return null;
    const authority = parseAuthority(text);
    if (authority === null) return 'requestHostInvalid';
    return this.#isHere(authority) ? null : 'hostMismatch';
  }

  /** A port in Host must be one that leads here: the standard one, or the one in this service's public URLs. */
  #isHere({ hostname, port }: Authority): boolean {
    return hostname === this.#sni && (port === null || this.#ports.includes(port));
  }

  #readTarget(head: Head): RequestFault | null {
    const { bytes, start, methodEnd, targetStart, targetEnd } = head;
    this.pathStart = targetStart;
    this.pathEnd = targetEnd;
    if (sameBytes(bytes, start, methodEnd, word.connect)) return 'connectUnsupported';
    const first = bytes[targetStart];
    if (first === 0x2f) return null;
    if (first === 0x2a && targetEnd - targetStart === 1) {
      return sameBytes(bytes, start, methodEnd, word.options) ? null : 'requestTargetMalformed';
    }
    return this.#readAbsoluteTarget(head);
  }

  #readAbsoluteTarget(head: Head): RequestFault | null {
    const target = head.bytes.toString('latin1', head.targetStart, head.targetEnd);
    const match = /^https?:\/\/([^/?]*)/i.exec(target);
    if (match === null) return 'requestTargetMalformed';
    const authority = parseAuthority(match[1]!);
    if (authority === null) return 'requestTargetMalformed';
    if (!this.#isHere(authority)) return 'requestHostDiffers';
    this.pathStart = head.targetStart + match[0].length;
    return null;
  }
}

/**
 * Returns the protocols of the Upgrade field, without HTTP/2 in clear text. An upstream that switched to it could get
 * any request, without the checks of each request.
 */
function upgradeOf(head: Head): string | null {
  const protocols: string[] = [];
  for (let i = head.first[Field.upgrade]!; i < head.count; i += 1) {
    if (head.kinds[i] !== Field.upgrade) continue;
    for (const part of head.value(i).split(',')) {
      const protocol = part.trim();
      if (protocol !== '' && !/^h(?:ttp\/)?2/i.test(protocol)) protocols.push(protocol);
    }
  }
  return protocols.length === 0 ? null : protocols.join(', ');
}

interface Authority {
  readonly hostname: Hostname;
  readonly port: number | null;
}

/** `host` or `host:port`; null for anything else, also for an empty port and one with a leading zero. */
export function parseAuthority(text: string): Authority | null {
  const match = /^([\x21-\x39\x3b-\x7e]+)(?::([1-9][0-9]{0,4}))?$/.exec(text);
  if (match === null) return null;
  const hostname = parseHostname(match[1]!);
  if (isFault(hostname)) return null;
  const port = match[2] === undefined ? null : Number(match[2]);
  return port !== null && port > 65535 ? null : { hostname, port };
}
