/**
 * Changes a response, as it was written for HTTP/1.1, into one for a visitor of HTTP/1.0.
 *
 * Invariant: the visitor gets no interim response, no chunks and no trailers. A body without a length ends with the connection.
 */
import { ChunkData } from '../../http-syntax/chunk-data.ts';
import { ConnectionOptions } from '../../http-syntax/connection-options.ts';
import { Field } from '../../http-syntax/fields.ts';
import { CHUNKED, responseFraming } from '../../http-syntax/framing.ts';
import type { Head } from '../../http-syntax/head.ts';

const NOTHING = Buffer.alloc(0);
const KEEP_ALIVE = 'Connection: keep-alive\r\n\r\n';
const CLOSE = 'Connection: close\r\n\r\n';

export class Http10Response {
  /** The body ends with the connection. */
  endsWithConnection = false;
  readonly #head: Head;
  readonly #isHead: boolean;
  readonly #options = new ConnectionOptions();
  #isHeadWritten = false;
  #chunks: ChunkData | null = null;

  /** `head` is filled and used within one call. `isHead`: the request was HEAD. */
  constructor(head: Head, isHead: boolean) {
    this.#head = head;
    this.#isHead = isHead;
  }

  /** The body ends with the connection, and its end has not come. */
  get isCut(): boolean {
    return this.#chunks !== null && this.#chunks.trailers === null;
  }

  /** The bytes for the visitor; perhaps none. */
  changed(bytes: Buffer): Buffer {
    if (!this.#isHeadWritten) return this.#changedHead(bytes);
    const chunks = this.#chunks;
    return chunks === null ? bytes : Buffer.concat([...chunks.joined(bytes)]);
  }

  #changedHead(bytes: Buffer): Buffer {
    const head = this.#head;
    const end = head.parseResponse(bytes, 0, bytes.length);
    if (end < 0) throw new Error('a response that cannot be read was to be written');
    const rest = end === bytes.length ? NOTHING : bytes.subarray(end);
    if (head.status < 200) return rest.length === 0 ? NOTHING : this.#changedHead(rest);
    this.#isHeadWritten = true;
    const isChunked = head.has(Field.transferEncoding);
    if (responseFraming(head, this.#isHead) === CHUNKED) this.#chunks = new ChunkData();
    this.endsWithConnection = this.#chunks !== null;
    this.#options.read(head);
    if (!isChunked && this.#options.close) return this.#withBody(head.bytes.subarray(head.start, end), rest);
    const ends = this.endsWithConnection || this.#options.close;
    return this.#withBody(keptLines(head), Buffer.from(ends ? CLOSE : KEEP_ALIVE, 'latin1'), rest);
  }

  #withBody(...parts: readonly Buffer[]): Buffer {
    const rest = parts.at(-1)!;
    const chunks = this.#chunks;
    const body = chunks === null ? [rest] : [...chunks.joined(rest)];
    return Buffer.concat([...parts.slice(0, -1), ...body]);
  }
}

/** The status line and the fields, but for those about chunks and the connection. */
function keptLines(head: Head): Buffer {
  const pieces: Buffer[] = [];
  let run = head.start;
  for (let i = 0; i < head.count; i += 1) {
    if (!DROPPED.has(head.kinds[i]!)) continue;
    pieces.push(head.bytes.subarray(run, head.lineStart(i)));
    run = head.lineEnd(i);
  }
  pieces.push(head.bytes.subarray(run, head.end - 2));
  return Buffer.concat(pieces);
}

const DROPPED: ReadonlySet<number> = new Set([
  Field.transferEncoding,
  Field.trailer,
  Field.connection,
  Field.keepAlive,
]);
