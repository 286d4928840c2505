/**
 * Writes the head for the next hop (RFC 9110, section 7.6.1; open points, B 4.7). A visitor's head loses hop-by-hop
 * fields and fields that only the edge may set, and gets the edge's own. An upstream's head likewise.
 */
import { ipOf } from '../../core/ip/client-address.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import { SP, sameText } from '../../http-syntax/bytes.ts';
import { FIELD_COUNT, Field, NOT_ACROSS } from '../../http-syntax/fields.ts';
import {
  CHUNKED,
  type Framing,
  framingLine,
  isFramedPlainly,
  UNTIL_CLOSE,
} from '../../http-syntax/framing.ts';
import type { Head } from '../../http-syntax/head.ts';
import { loopLine } from './loops.ts';
import type { Request } from './request.ts';

function only(...fields: Field[]): Uint8Array {
  const table = new Uint8Array(FIELD_COUNT);
  for (const field of fields) table[field] = 1;
  return table;
}

const FRAMING = [Field.contentLength, Field.transferEncoding];
const NOT_TO_UPSTREAM = only(
  ...NOT_ACROSS,
  ...FRAMING,
  Field.forwardedFor,
  Field.forwardedProto,
  Field.aboutVisitor,
  Field.underscored,
);
const NOT_TO_GUARDED = NOT_TO_UPSTREAM.slice();
NOT_TO_GUARDED[Field.replacesTarget] = 1;
const NOT_TO_VISITOR = only(...NOT_ACROSS, ...FRAMING);
const NOTHING = Buffer.alloc(0);
const NONE: ReadonlySet<string> = new Set();

/**
 * The fields about the visitor of one connection. The usual lines are kept as text, because a buffer for each
 * connection costs memory.
 */
export class Forwarded {
  readonly #ip: string;
  readonly scheme: 'http' | 'https';
  readonly #loopLine: string;
  /** The Host of the latest request. */
  host = '';
  #usual = '';
  #usualHost: string | null = null;

  /** `clientAddr` is `ip:port`, with brackets around IPv6. */
  constructor(clientAddr: string, domain: Hostname, scheme: 'http' | 'https') {
    this.scheme = scheme;
    this.#ip = ipOf(clientAddr);
    this.#loopLine = loopLine(domain);
  }

  /** The lines to end the head with, and the empty line. */
  lines(head: Head, request: Request, unwanted: ReadonlySet<string>): string {
    const plain =
      unwanted.size === 0 &&
      !head.has(Field.forwardedFor) &&
      !head.has(Field.forwardedHost) &&
      request.upgradeTo === null &&
      !request.wantsTrailers;
    const at = 4 * head.first[Field.host]!;
    const start = head.offsets[at + 2]!;
    const end = head.offsets[at + 3]!;
    const isUsual = this.#usualHost !== null && sameText(head.bytes, start, end, this.#usualHost);
    if (!isUsual || this.#usualHost !== this.host) this.host = head.valueOf(Field.host);
    if (plain && isUsual) return this.#usual;
    const lines = this.#write(head, request, unwanted);
    if (plain) {
      this.#usual = lines;
      this.#usualHost = this.host;
    }
    return lines;
  }

  #write(head: Head, request: Request, unwanted: ReadonlySet<string>): string {
    let text = '';
    if (!unwanted.has('x-forwarded-for')) text += `X-Forwarded-For: ${this.#chain(head, request)}\r\n`;
    if (!unwanted.has('x-forwarded-proto')) text += `X-Forwarded-Proto: ${this.scheme}\r\n`;
    const keepsHost = head.has(Field.forwardedHost) && !request.connection.dropped?.has('x-forwarded-host');
    if (!keepsHost && !unwanted.has('x-forwarded-host')) {
      text += `X-Forwarded-Host: ${head.valueOf(Field.host)}\r\n`;
    }
    text += this.#loopLine;
    if (request.upgradeTo !== null) text += `Connection: Upgrade\r\nUpgrade: ${request.upgradeTo}\r\n`;
    else if (request.wantsTrailers) text += 'Connection: TE\r\nTE: trailers\r\n';
    return `${text}\r\n`;
  }

  /** The addresses that the visitor's own proxies named, then the visitor's. */
  #chain(head: Head, request: Request): string {
    const chain: string[] = [];
    if (head.has(Field.forwardedFor) && !request.connection.dropped?.has('x-forwarded-for')) {
      for (let i = head.first[Field.forwardedFor]!; i < head.count; i += 1) {
        if (head.kinds[i] === Field.forwardedFor && head.value(i) !== '') chain.push(head.value(i));
      }
    }
    chain.push(this.#ip);
    return chain.join(', ');
  }
}

/** Edits of a route to the head of a request. */
export interface RequestEdits {
  /** Names of fields that do not go on, in lower case, those that Connection lists with them. */
  readonly removed: ReadonlySet<string>;
  /** Fields that the route removes, and that this service does not set either. */
  readonly unwanted: ReadonlySet<string>;
  /** Header lines to add, each with its line end. */
  readonly lines: string;
}

/** Options of a route for the head of the request to the upstream. */
export interface HeadOptions {
  readonly edits: RequestEdits | null;
  /** Fields that give the request another path or method do not go on. */
  readonly isGuarded: boolean;
}

/** The request head for the upstream, followed by `body` when there is some to travel with it. */
export function upstreamHead(
  head: Head,
  request: Request,
  forwarded: Forwarded,
  body: Buffer | null,
  { edits, isGuarded }: HeadOptions,
): Buffer {
  const drops = isGuarded ? NOT_TO_GUARDED : NOT_TO_UPSTREAM;
  const dropped = edits === null ? request.connection.dropped : edits.removed;
  const lines = forwarded.lines(head, request, edits?.unwanted ?? NONE);
  const isRewritten = request.pathStart !== head.targetStart;
  const line = isRewritten ? originForm(head, request) : NOTHING;
  const framing = (edits?.lines ?? '') + framingLine(head, request.framing);
  const from = isRewritten ? head.targetEnd : head.start;
  const kept = keptBytes(head, from, drops, dropped);
  const out = Buffer.allocUnsafe(
    line.length + kept + framing.length + lines.length + (body === null ? 0 : body.length),
  );
  let at = isRewritten ? line.copy(out, 0) : 0;
  at = copyKept(head, from, drops, dropped, out, at);
  at += out.write(framing, at, 'latin1');
  at += out.write(lines, at, 'latin1');
  if (body !== null) body.copy(out, at);
  return out;
}

/** Method and target of a request in absolute form, as an origin server expects them (RFC 9112, section 3.2). */
function originForm(head: Head, request: Request): Buffer {
  const method = head.bytes.toString('latin1', head.start, head.methodEnd);
  const path = head.bytes.toString('latin1', request.pathStart, request.pathEnd);
  if (path === '') return Buffer.from(`${method} ${method === 'OPTIONS' ? '*' : '/'}`, 'latin1');
  return Buffer.from(`${method} ${path.startsWith('?') ? '/' : ''}${path}`, 'latin1');
}

/** The edge's own part of a response, beside the upstream's fields. */
export interface ResponseShape {
  readonly framing: Framing;
  readonly close: boolean;
  /** 101: what the upstream switches to. */
  readonly switchesTo: string | null;
}

/** True when the response head can go on exactly as it came: rewriting it would mend nothing. */
export function isUntouched(
  head: Head,
  framing: Framing,
  close: boolean,
  dropped: ReadonlySet<string> | null,
): boolean {
  if (close || framing === UNTIL_CLOSE || head.minorVersion === 0 || head.lacksSpace || dropped !== null) {
    return false;
  }
  return (
    (head.seen & TOUCHED) === 0 &&
    (framing === CHUNKED || !head.has(Field.transferEncoding)) &&
    head.status !== 204 &&
    isFramedPlainly(head)
  );
}

const TOUCHED = NOT_ACROSS.reduce<number>((bits, field) => bits | (1 << field), 0);

/** The response head for the visitor, with the lines `added`; `body` is copied behind it. */
export function visitorHead(
  head: Head,
  shape: ResponseShape,
  dropped: ReadonlySet<string> | null,
  body: Buffer | null,
  added = '',
): Buffer {
  const ending = added + endingOf(head, shape);
  const from = head.start + STATUS_LINE;
  const kept = keptBytes(head, from, NOT_TO_VISITOR, dropped);
  const space = head.lacksSpace ? 1 : 0;
  const out = Buffer.allocUnsafe(
    STATUS_LINE + space + kept + ending.length + (body === null ? 0 : body.length),
  );
  head.bytes.copy(out, 0, head.start, from);
  // The version is this hop's (RFC 9110, section 2.5).
  out[7] = 0x31;
  if (head.lacksSpace) out[STATUS_LINE] = SP;
  let at = copyKept(head, from, NOT_TO_VISITOR, dropped, out, STATUS_LINE + space);
  at += out.write(ending, at, 'latin1');
  if (body !== null) body.copy(out, at);
  return out;
}

/** Bytes of `HTTP/1.1 200`. */
const STATUS_LINE = 12;

/** The lines to end the head with, and the empty line. */
function endingOf(head: Head, { framing, close, switchesTo }: ResponseShape): string {
  if (switchesTo !== null) return `Connection: Upgrade\r\nUpgrade: ${switchesTo}\r\n\r\n`;
  // RFC 9112, section 6: neither field is allowed without a body.
  const line = head.status < 200 || head.status === 204 ? '' : framingLine(head, framing);
  return `${line}${close ? 'Connection: close\r\n' : ''}\r\n`;
}

function keptBytes(head: Head, from: number, drops: Uint8Array, dropped: ReadonlySet<string> | null): number {
  let size = head.end - 2 - from;
  for (let i = 0; i < head.count; i += 1) {
    if (isDropped(head, i, drops, dropped)) size -= head.lineEnd(i) - head.lineStart(i);
  }
  return size;
}

/** Copies everything from `from` to the last field but the dropped lines, in as few pieces as there are gaps. */
function copyKept(
  head: Head,
  from: number,
  drops: Uint8Array,
  dropped: ReadonlySet<string> | null,
  out: Buffer,
  outStart: number,
): number {
  let at = outStart;
  let run = from;
  for (let i = 0; i < head.count; i += 1) {
    if (!isDropped(head, i, drops, dropped)) continue;
    const line = head.lineStart(i);
    if (line > run) at += head.bytes.copy(out, at, run, line);
    run = head.lineEnd(i);
  }
  const end = head.end - 2;
  if (end > run) at += head.bytes.copy(out, at, run, end);
  return at;
}

function isDropped(
  head: Head,
  index: number,
  drops: Uint8Array,
  dropped: ReadonlySet<string> | null,
): boolean {
  if (drops[head.kinds[index]!] === 1) return true;
  return dropped?.has(head.name(index).toLowerCase()) === true;
}
