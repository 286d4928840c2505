/**
 * Writes the bytes of an HTTP/1.1 response, as this program made them, to an HTTP/2 stream.
 * Invariant: an incomplete response never ends as a complete one.
 */
import type { HeaderField } from '@underpass/wire/http2';
import { ChunkData } from '../http-syntax/chunk-data.ts';
import { CHUNKED, responseFraming } from '../http-syntax/framing.ts';
import type { Head } from '../http-syntax/head.ts';
import { NOT_SAID } from './not-said.ts';
import type { Http2Stream } from './stream.ts';
import { trailerFields } from './trailer-fields.ts';
import { websocketAccept } from './websocket-accept.ts';

const NOTHING = Buffer.alloc(0);

export interface AnsweredRequest {
  readonly isHead: boolean;
  /** Key of a WebSocket, which the response must match; null for other requests. */
  readonly websocketKey: string | null;
}

export class AnswerWriter {
  readonly #head: Head;
  #stream: Http2Stream | null = null;
  request: AnsweredRequest = { isHead: false, websocketKey: null };
  #state: 'head' | 'sized' | 'chunked' | 'tunnel' | 'done' = 'head';
  #remaining = 0;
  #chunks = new ChunkData();

  /** `head` is filled and used within one call: one does for all. */
  constructor(head: Head) {
    this.#head = head;
  }

  begin(stream: Http2Stream, request: AnsweredRequest): void {
    this.#stream = stream;
    this.request = request;
    this.#state = 'head';
  }

  /** A final response was begun. */
  get hasBegun(): boolean {
    return this.#state !== 'head';
  }

  /** Returns false if the response to a WebSocket does not match its key. Nothing was sent then. */
  write(bytes: Buffer): boolean {
    switch (this.#state) {
      case 'head':
        return this.#writeHeads(bytes);
      case 'sized':
        this.#writeSized(bytes);
        return true;
      case 'chunked':
        this.#writeChunked(bytes);
        return true;
      case 'tunnel':
        this.#stream?.write(bytes);
        return true;
      case 'done':
        return true;
      default:
        return this.#state satisfies never;
    }
  }

  #writeHeads(bytes: Buffer): boolean {
    const head = this.#head;
    const end = head.parseResponse(bytes, 0, bytes.length);
    if (end < 0) throw new Error('an answer that cannot be read was to be written');
    const rest = end === bytes.length ? NOTHING : bytes.subarray(end);
    if (head.status === 101) return this.#switch(head, rest);
    if (head.status < 200) {
      this.#stream?.sendHeaders(fieldsOf(head, head.status), false);
      return rest.length === 0 || this.#writeHeads(rest);
    }
    const framing = responseFraming(head, this.request.isHead) ?? 0;
    this.#state = framing === 0 ? 'done' : framing === CHUNKED ? 'chunked' : 'sized';
    this.#remaining = framing;
    this.#stream?.sendHeaders(fieldsOf(head, head.status), framing === 0);
    if (framing === CHUNKED) this.#chunks = new ChunkData();
    return rest.length === 0 || this.write(rest);
  }

  #writeSized(bytes: Buffer): void {
    this.#remaining -= bytes.length;
    if (this.#remaining <= 0) this.#state = 'done';
    this.#stream?.write(bytes, this.#remaining <= 0);
  }

  #writeChunked(bytes: Buffer): void {
    for (const span of this.#chunks.joined(bytes)) this.#stream?.write(span);
    const { trailers } = this.#chunks;
    if (trailers === null) return;
    this.#state = 'done';
    this.#stream?.end(trailerFields(trailers));
  }

  #switch(head: Head, rest: Buffer): boolean {
    const { websocketKey } = this.request;
    const fields = fieldsOf(head, 200);
    if (websocketKey === null) return false;
    if (fields.find(({ name }) => name === ACCEPT)?.value !== websocketAccept(websocketKey)) return false;
    this.#state = 'tunnel';
    // HTTP/2 does not need the accept value. Clients that sent a key, such as Node's, compare it.
    this.#stream?.sendHeaders(fields, false);
    return rest.length === 0 || this.write(rest);
  }
}

const ACCEPT = 'sec-websocket-accept';

function fieldsOf(head: Head, status: number): HeaderField[] {
  const fields: HeaderField[] = [{ name: ':status', value: String(status) }];
  for (let i = 0; i < head.count; i += 1) {
    if (((1 << head.kinds[i]!) & NOT_SAID) !== 0) continue;
    fields.push({ name: head.name(i).toLowerCase(), value: head.value(i) });
  }
  return fields;
}
