/**
 * Logs the HTTP/2 requests and responses of a forwarded connection.
 * Invariant: no byte is changed or delayed. Invariant: at most one frame, one header block and the tables of header
 * fields are kept.
 */

import { GrowingBuffer } from '@underpass/wire';
import { MessageFault } from '@underpass/wire/http1';
import {
  CLIENT_PREFACE,
  Flag,
  type FrameHead,
  FrameType,
  HeaderDecoder,
  type ReceivedField,
} from '@underpass/wire/http2';
import { GrpcWatch, isGrpc } from './grpc-watch.ts';
import { HEAD_MAX } from './http-head.ts';
import type { ConnectionLog, ExchangeCapture, HttpLogOptions } from './http-log.ts';
import { FrameWalk } from './http2-frames.ts';
import { ProxyHeaderScan } from './proxy-header.ts';

/** Streams at a time. A connection with more is not logged any more. */
const STREAMS_MAX = 1_024;
const PRIORITY_BYTES = 5;

/** One request that is not over. */
interface Open {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly began: number;
  readonly capture: ExchangeCapture | null;
  bytesIn: number;
  bytesOut: number;
  status: number | null;
  /** The reason why the response is malformed; null if it is not. */
  fault: string | null;
  readonly isGrpc: boolean;
  /** The gRPC call whose response is being received; null: none. */
  grpc: GrpcWatch | null;
}

/** Receiver of the messages of one direction. */
interface Direction {
  headers(stream: number, fields: readonly ReceivedField[], isLast: boolean): void;
  data(open: Open, bytes: Buffer, start: number, end: number): void;
  dataEnd(stream: number): void;
}

/** Works like HttpLog: passive, never throws, and stops for good at bytes that it does not understand. */
export class Http2Log implements ConnectionLog {
  readonly #options: HttpLogOptions;
  readonly #proxyHeader: ProxyHeaderScan | null;
  readonly #requests: FrameWalk;
  readonly #responses: FrameWalk;
  readonly #open = new Map<number, Open>();
  /** Bytes of the preface that did not come yet. */
  #preface = CLIENT_PREFACE;
  #latest = 0;
  #isOff = false;

  constructor(options: HttpLogOptions) {
    this.#options = options;
    const { proxyProtocol } = options;
    this.#proxyHeader = proxyProtocol === undefined ? null : new ProxyHeaderScan(proxyProtocol);
    this.#requests = this.#walk({
      headers: (stream, fields, isLast) => this.#requestHeaders(stream, fields, isLast),
      data: (open, bytes, start, end) => {
        open.bytesIn += end - start;
        open.capture?.requestBody(bytes, start, end);
      },
      dataEnd: (stream) => this.#open.get(stream)?.capture?.requestEnd(),
    });
    this.#responses = this.#walk({
      headers: (stream, fields, isLast) => this.#responseHeaders(stream, fields, isLast),
      data: (open, bytes, start, end) => {
        open.bytesOut += end - start;
        open.capture?.responseBody(bytes, start, end);
        open.grpc?.body(bytes, start, end);
      },
      dataEnd: (stream) => this.#answered(stream, true),
    });
  }

  request(chunk: Buffer): void {
    if (this.#isOff) return;
    const rest = this.#withoutPreface(this.#proxyHeader?.rest(chunk) ?? chunk);
    if (rest !== null && !this.#requests.read(rest)) this.#stop();
  }

  response(chunk: Buffer): void {
    if (!this.#isOff && !this.#responses.read(chunk)) this.#stop();
  }

  responseEnd(): void {
    this.close();
  }

  fault(message: string): void {
    for (const { capture } of this.#open.values()) capture?.failed(message);
  }

  close(): void {
    for (const stream of [...this.#open.keys()]) this.#answered(stream, false);
    this.#isOff = true;
  }

  /** Null: it is no HTTP/2. */
  #withoutPreface(chunk: Buffer): Buffer | null {
    const length = Math.min(this.#preface.length, chunk.length);
    if (length === 0) return chunk;
    if (!chunk.subarray(0, length).equals(this.#preface.subarray(0, length))) {
      this.#stop();
      return null;
    }
    this.#preface = this.#preface.subarray(length);
    return chunk.subarray(length);
  }

  #walk(direction: Direction): FrameWalk {
    const blocks = new HeaderBlocks((stream, fields, isLast) => direction.headers(stream, fields, isLast));
    return new FrameWalk({
      data: (stream, ...piece) => {
        const open = this.#open.get(stream);
        if (open !== undefined) direction.data(open, ...piece);
      },
      dataEnd: (stream) => direction.dataEnd(stream),
      block: (head, payload) => blocks.add(head, payload) && !this.#isOff,
      other: ({ type, stream }) => {
        if (type === FrameType.rstStream) this.#answered(stream, false);
        // A promise would fill the table of responses.
        return type !== FrameType.pushPromise;
      },
    });
  }

  #requestHeaders(stream: number, fields: readonly ReceivedField[], isLast: boolean): void {
    const known = this.#open.get(stream);
    // Else trailers.
    if (known === undefined && stream > this.#latest) this.#begin(stream, fields);
    if (isLast) this.#open.get(stream)?.capture?.requestEnd();
  }

  #begin(stream: number, fields: readonly ReceivedField[]): void {
    if (this.#open.size >= STREAMS_MAX) {
      this.#stop();
      return;
    }
    this.#latest = stream;
    const [method, path] = [soundValue(fields, ':method'), soundValue(fields, ':path')];
    const authority = soundValue(fields, ':authority');
    const hostLine = authority === '' ? '' : `host: ${authority}\r\n`;
    const { capture: keep } = this.#options;
    const lines = linesOf(`${method} ${path} HTTP/2\r\n${hostLine}`, fields);
    const capture = keep?.({ method, path }, lines) ?? null;
    const host = soundValue(fields, 'x-forwarded-host') || authority || soundValue(fields, 'host');
    const began = this.#options.now();
    const response = { bytesIn: 0, bytesOut: 0, status: null, fault: null, grpc: null };
    this.#open.set(stream, { method, path, host, began, capture, isGrpc: isGrpc(fields), ...response });
  }

  #responseHeaders(stream: number, fields: readonly ReceivedField[], isLast: boolean): void {
    const open = this.#open.get(stream);
    if (open !== undefined) this.#answer(open, fields);
    if (isLast) this.#answered(stream, true);
  }

  #answer(open: Open, fields: readonly ReceivedField[]): void {
    if (open.fault !== null) return;
    const fault = open.status === null ? faultOf(fields) : null;
    if (fault !== null) {
      open.fault = fault.text;
      open.capture?.failed(`The response is not valid HTTP: ${fault.text}`);
      return;
    }
    if (open.status !== null) {
      open.capture?.responseTrailers(linesOf('', fields));
      open.grpc?.trailers(fields);
      return;
    }
    const status = Number(soundValue(fields, ':status'));
    // Another head follows.
    if (!(status >= 200)) return;
    open.status = status;
    open.grpc = GrpcWatch.of({ status, fields, isCalled: open.isGrpc });
    open.capture?.responseHead(status, linesOf(`HTTP/2 ${status}\r\n`, fields));
  }

  #answered(stream: number, isWhole: boolean): void {
    const open = this.#open.get(stream);
    if (open === undefined) return;
    this.#open.delete(stream);
    const { method, path, host, status, began, capture, fault, bytesIn, bytesOut } = open;
    const { status: result = null, lines = '' } = open.grpc?.end() ?? {};
    if (lines !== '') capture?.responseTrailers(lines);
    const { clientAddr = '' } = this.#options;
    const durationMs = this.#options.now() - began;
    this.#options.report?.({
      ...{ method, path, host, clientAddr, status, durationMs, bytesIn, bytesOut },
      ...(fault === null ? {} : { fault }),
      ...(result === null ? {} : { grpc: result }),
    });
    capture?.end(isWhole && fault === null);
  }

  #stop(): void {
    this.#isOff = true;
    for (const { capture } of this.#open.values()) capture?.end(false);
    this.#open.clear();
  }
}

/** The header blocks of one direction, each whole: what was in one is needed to read the next. */
class HeaderBlocks {
  readonly #decoder = new HeaderDecoder(HEAD_MAX);
  readonly #told: Direction['headers'];
  readonly #block = new GrowingBuffer();
  #isLast = false;

  constructor(told: Direction['headers']) {
    this.#told = told;
  }

  /** False: not understood. */
  add(head: FrameHead, payload: Buffer): boolean {
    const isFirst = head.type === FrameType.headers;
    const piece = isFirst ? withoutPriority(head, withoutPadding(head, payload)) : payload;
    if (piece === null || this.#block.length + piece.length > HEAD_MAX) return false;
    if (isFirst) this.#isLast = (head.flags & Flag.endStream) !== 0;
    const isWhole = (head.flags & Flag.endHeaders) !== 0;
    if (!isWhole || this.#block.length > 0) this.#block.append(piece);
    if (!isWhole) return true;
    const list = this.#decoder.decode(this.#block.length === 0 ? piece : this.#block.take());
    if (list === null) return false;
    this.#told(head.stream, list.fields, this.#isLast);
    return true;
  }
}

/** Null: there is more of it than of the frame. */
function withoutPadding({ flags }: FrameHead, payload: Buffer): Buffer | null {
  if ((flags & Flag.padded) === 0) return payload;
  const end = payload.length - (payload[0] ?? 0);
  return end < 1 ? null : payload.subarray(1, end);
}

function withoutPriority({ flags }: FrameHead, payload: Buffer | null): Buffer | null {
  if (payload === null || (flags & Flag.priority) === 0) return payload;
  return payload.length < PRIORITY_BYTES ? null : payload.subarray(PRIORITY_BYTES);
}

/** Fields of a connection, which HTTP/2 does not have (RFC 9113, section 8.2.2). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** The first field that makes a response malformed; null: none does. */
function faultOf(fields: readonly ReceivedField[]): MessageFault | null {
  const wrong = fields.find(({ name, isSound }) => !isSound || OF_CONNECTION.has(name));
  if (wrong === undefined) return null;
  return new MessageFault('a header field that HTTP/2 does not allow', `${wrong.name}: ${wrong.value}`);
}

/** Returns the value; '' if it is missing, or would be more than one line. */
function soundValue(fields: readonly ReceivedField[], wanted: string): string {
  const field = fields.find(({ name }) => name === wanted);
  return field?.isSound === true ? field.value : '';
}

/** Returns the fields in the form of HTTP/1.1, after its first line. Fields without such a form are left out. */
function linesOf(first: string, fields: readonly ReceivedField[]): string {
  const pieces = [first];
  for (const { name, value, isSound } of fields)
    if (isSound && !name.startsWith(':')) pieces.push(name, ': ', value, '\r\n');
  // Joining makes one flat string. Thousands are kept, and each concatenated one would keep its pieces.
  return pieces.join('');
}
