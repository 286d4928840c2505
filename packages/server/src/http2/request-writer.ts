/**
 * Writes the bytes of an HTTP/1.1 request, as this program made them, to an HTTP/2 stream.
 * Invariant: the stream's request ends only after all of it was written here.
 */
import type { HeaderField } from '@underpass/wire/http2';
import { ChunkData } from '../http-syntax/chunk-data.ts';
import { Field } from '../http-syntax/fields.ts';
import { CHUNKED, requestFraming } from '../http-syntax/framing.ts';
import { Head } from '../http-syntax/head.ts';
import { bitsOf, NOT_SAID } from './not-said.ts';
import type { Http2Stream } from './stream.ts';
import { trailerFields } from './trailer-fields.ts';

/** Facts of a written request. */
export interface WrittenRequest {
  readonly isHead: boolean;
  /** Key of a WebSocket request, from which its response is made; null for other requests. */
  readonly websocketKey: string | null;
}

/** Has room for the fields that routes add to a visitor's head. Filled and used within one call. */
const head = new Head(256 * 1024, 800, []);
const ELSEWHERE = NOT_SAID | bitsOf(Field.host, Field.te);
const WEBSOCKET_KEY = 'sec-websocket-key';

export class RequestWriter {
  readonly #stream: Http2Stream;
  #remaining = 0;
  #chunks: ChunkData | null = null;
  #isTunnel = false;

  /** `bytes` begin with the whole head. */
  constructor(stream: Http2Stream) {
    this.#stream = stream;
  }

  /** The head, with what of the body came with it. */
  begin(bytes: Buffer): void {
    const end = readHead(bytes);
    const framing = requestFraming(head);
    if (typeof framing === 'string') throw new Error('a request without a framing was to be written');
    const { websocketKey } = requestOf(bytes);
    this.#isTunnel = websocketKey !== null;
    this.#remaining = framing;
    if (framing === CHUNKED) this.#chunks = new ChunkData();
    this.#stream.sendHeaders(fieldsOf(websocketKey !== null), framing === 0 && !this.#isTunnel);
    if (end < bytes.length) this.write(bytes.subarray(end));
  }

  write(bytes: Buffer): void {
    const stream = this.#stream;
    if (this.#isTunnel) {
      stream.write(bytes);
      return;
    }
    if (this.#chunks === null) {
      this.#remaining -= bytes.length;
      stream.write(bytes, this.#remaining <= 0);
      return;
    }
    for (const span of this.#chunks.joined(bytes)) stream.write(span);
    if (this.#chunks.trailers !== null) stream.end(trailerFields(this.#chunks.trailers));
  }
}

/** Reads a complete head at the beginning of `bytes`. */
export function requestOf(bytes: Buffer): WrittenRequest {
  readHead(bytes);
  const isHead =
    head.methodEnd - head.start === 4 && head.bytes.toString('latin1', head.start, head.methodEnd) === 'HEAD';
  const isWebsocket = head.has(Field.upgrade) && head.valueOf(Field.upgrade).toLowerCase() === 'websocket';
  return { isHead, websocketKey: isWebsocket ? valueNamed(WEBSOCKET_KEY) : null };
}

function readHead(bytes: Buffer): number {
  const end = head.parseRequest(bytes, 0, bytes.length);
  if (end < 0) throw new Error('a request that cannot be read was to be written');
  return end;
}

function valueNamed(name: string): string {
  for (let i = 0; i < head.count; i += 1) if (head.name(i).toLowerCase() === name) return head.value(i);
  return '';
}

/** `isWebsocket`: CONNECT with a protocol (RFC 8441), which has no key. */
function fieldsOf(isWebsocket: boolean): HeaderField[] {
  const { bytes, start, methodEnd, targetStart, targetEnd } = head;
  const method = isWebsocket ? 'CONNECT' : bytes.toString('latin1', start, methodEnd);
  const fields: HeaderField[] = [
    { name: ':method', value: method },
    { name: ':scheme', value: 'http' },
    { name: ':authority', value: head.has(Field.host) ? head.valueOf(Field.host) : '' },
    { name: ':path', value: bytes.toString('latin1', targetStart, targetEnd) },
  ];
  if (isWebsocket) fields.push({ name: ':protocol', value: 'websocket' });
  for (let i = 0; i < head.count; i += 1) {
    if (((1 << head.kinds[i]!) & ELSEWHERE) !== 0) continue;
    const name = head.name(i).toLowerCase();
    if (!isWebsocket || name !== WEBSOCKET_KEY) fields.push({ name, value: head.value(i) });
  }
  if (head.has(Field.te)) fields.push({ name: 'te', value: 'trailers' });
  return fields;
}
