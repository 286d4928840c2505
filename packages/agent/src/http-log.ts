/**
 * Logs the HTTP/1.1 requests and responses of a forwarded connection.
 * Invariant: no byte is changed or delayed.
 */
import { isStrictResponse, MessageFault, readLooseResponse } from '@underpass/wire/http1';
import type { GrpcStatus } from './grpc.ts';
import { fieldsIn, GrpcWatch, isGrpc } from './grpc-watch.ts';
import {
  HEAD_MAX,
  hostIn,
  INTERIM,
  OPAQUE,
  parseRequestHead,
  parseResponseHead,
  type RequestHead,
  type ResponseHead,
} from './http-head.ts';
import { MessageScanner } from './http-scan.ts';
import { ProxyHeaderScan } from './proxy-header.ts';

/** One request and its response, as observed in transit. */
export interface LoggedRequest {
  readonly method: string;
  /** Request target as received, one character a byte, of any content up to the daemon's limit. */
  readonly path: string;
  /** Null if the connection ended without a response, or with the invalid one that `fault` describes. */
  readonly status: number | null;
  /** The reason why the response is not valid, with the offending line, cut and escaped. */
  readonly fault?: string;
  /** The result of a gRPC call, whose HTTP status is 200 also if it failed. */
  readonly grpc?: GrpcStatus;
  /** Milliseconds from the whole request head to the end of the response. */
  readonly durationMs: number;
  /** Name of the visitor's request, as received; '' if there is none. */
  readonly host: string;
  /** `ip:port` of the visitor; '' if the service does not report it. */
  readonly clientAddr: string;
  /** Bytes of the request body and of the response body as they passed, without framing. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Called synchronously, in the order of the connection; must not throw. What is in `bytes` is copied or forgotten. */
export interface ExchangeCapture {
  requestBody(bytes: Buffer, start: number, end: number): void;
  requestEnd(): void;
  /** `lines`: the head with its line ends, one character a byte. */
  responseHead(status: number, lines: string): void;
  responseBody(bytes: Buffer, start: number, end: number): void;
  /** Fields after the body, as lines of one character a byte. */
  responseTrailers(lines: string): void;
  /** Called when the connection changes to another protocol, with `sent` and `received`. */
  upgraded(): void;
  sent(bytes: Buffer): void;
  received(bytes: Buffer): void;
  /** Called with the reason for a missing or unintended response. */
  failed(reason: string): void;
  /** Last call. Not whole: the connection ended before, or was not understood any more. */
  end(isWhole: boolean): void;
}

/** Records the exchanges of one connection: called with each request's head, with its line ends and one character a byte. */
export type ConnectionCapture = (
  head: Pick<RequestHead, 'method' | 'path'>,
  lines: string,
) => ExchangeCapture;

/**
 * Observes both directions of a connection, and keeps no chunk.
 * Invariant: no byte is changed or delayed.
 */
export interface ConnectionLog {
  /** Bytes on their way to the upstream. */
  request(chunk: Buffer): void;
  /** Bytes on their way back. */
  response(chunk: Buffer): void;
  /** The upstream half-closed. */
  responseEnd(): void;
  /** Reports a fault of the upstream, for all requests that wait for it. */
  fault(message: string): void;
  /** Reports open exchanges at the end of the connection. */
  close(): void;
}

interface Pending {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly began: number;
  readonly capture: ExchangeCapture | null;
  readonly isGrpc: boolean;
  bytesIn: number;
  bytesOut: number;
}

export interface HttpLogOptions {
  /** `ip:port` of the visitor; left out: not known. */
  readonly clientAddr?: string;
  readonly report: ((exchange: LoggedRequest) => void) | undefined;
  readonly capture: ConnectionCapture | undefined;
  /** The version of the PROXY protocol whose header comes before the first request. */
  readonly proxyProtocol?: 1 | 2 | undefined;
  readonly now: () => number;
}

/** The most requests ahead of their responses: no client that is worth a log sends more. */
const PIPELINE_MAX = 64;

const LOOSE_LIMITS = { maxBytes: HEAD_MAX, maxFields: 10_000 };

const isMethodStart = (byte: number) => byte >= 0x41 && byte <= 0x5a;
const isStatusStart = (byte: number) => byte === 0x48;

/**
 * Watches both directions of a connection and reports each HTTP/1.1 exchange on it. Passive: it keeps no bytes back,
 * never throws, and stops looking for good at anything that it does not understand.
 */
export class HttpLog implements ConnectionLog {
  readonly #options: HttpLogOptions;
  readonly #requests: MessageScanner;
  readonly #responses: MessageScanner;
  readonly #proxyHeader: ProxyHeaderScan | null;
  #pending: Pending[] = [];
  /** The request whose body comes. Its response may be complete before. */
  #sending: Pending | null = null;
  /** Status of the current response; null before its head. */
  #status: number | null = null;
  /** The gRPC call whose response is being received; null: none. */
  #grpc: GrpcWatch | null = null;
  #upgraded: ExchangeCapture | null = null;
  #isOff = false;

  constructor(options: HttpLogOptions) {
    this.#options = options;
    const { proxyProtocol } = options;
    this.#proxyHeader = proxyProtocol === undefined ? null : new ProxyHeaderScan(proxyProtocol);
    this.#requests = new MessageScanner(
      {
        head: (bytes, start, end) => this.#requestHead(bytes, start, end),
        body: (bytes, start, end) => {
          if (this.#sending === null) return;
          this.#sending.bytesIn += end - start;
          this.#sending.capture?.requestBody(bytes, start, end);
        },
        complete: () => this.#sent(),
        rest: () => {},
        faulty: () => {},
      },
      isMethodStart,
    );
    this.#responses = new MessageScanner(
      {
        head: (bytes, start, end) => this.#responseHead(bytes, start, end),
        body: (bytes, start, end) => {
          const request = this.#pending[0];
          if (request === undefined) return;
          request.bytesOut += end - start;
          request.capture?.responseBody(bytes, start, end);
          this.#grpc?.body(bytes, start, end);
        },
        complete: () => this.#answered(true),
        rest: (bytes, start) => this.#upgraded?.received(bytes.subarray(start)),
        faulty: (fault) => this.#faulty(fault),
      },
      isStatusStart,
      true,
    );
  }

  request(chunk: Buffer): void {
    if (this.#upgraded !== null) this.#upgraded.sent(chunk);
    if (this.#isOff) return;
    this.#requests.feed(this.#proxyHeader?.rest(chunk) ?? chunk);
    if (this.#requests.isOpaque) this.#stop();
  }

  response(chunk: Buffer): void {
    if (this.#upgraded !== null) this.#upgraded.received(chunk);
    if (this.#isOff) return;
    this.#responses.feed(chunk);
    if (this.#responses.isOpaque) this.#stop();
  }

  responseEnd(): void {
    if (this.#isOff) return;
    this.#responses.end();
    this.close();
  }

  fault(message: string): void {
    for (const { capture } of this.#pending) capture?.failed(message);
  }

  close(): void {
    this.#upgraded?.end(true);
    this.#upgraded = null;
    if (this.#isOff) return;
    while (this.#pending.length > 0) this.#answered(false);
    this.#stop();
  }

  #stop(): void {
    this.#isOff = true;
    for (const { capture } of this.#pending) capture?.end(false);
    this.#pending = [];
    this.#sending = null;
  }

  #requestHead(bytes: Buffer, start: number, end: number): number {
    const head = parseRequestHead(bytes, start, end);
    if (head === null || this.#pending.length >= PIPELINE_MAX) return OPAQUE;
    const capture = this.#options.capture?.(head, bytes.toString('latin1', start, end)) ?? null;
    const { method, path, framing } = head;
    const host = this.#options.report === undefined ? '' : hostIn(bytes, start, end);
    const isCall = isGrpc(grpcFields(bytes.subarray(start, end)));
    const counts = { bytesIn: 0, bytesOut: 0 };
    this.#sending = { method, path, host, began: this.#options.now(), capture, isGrpc: isCall, ...counts };
    this.#pending.push(this.#sending);
    return framing;
  }

  #sent(): void {
    this.#sending?.capture?.requestEnd();
    this.#sending = null;
  }

  /** The response of the first request is not valid: its exchange ends with that. */
  #faulty(fault: MessageFault): void {
    const request = this.#pending.shift();
    if (request === undefined) return;
    request.capture?.failed(`The response is not valid HTTP: ${fault.text}`);
    this.#report(request, fault.text);
    request.capture?.end(false);
  }

  #responseHead(bytes: Buffer, start: number, end: number): number {
    const head = isStrictResponse(bytes, start, end) ? parseResponseHead(bytes, start, end) : null;
    if (head !== null && head.framing !== OPAQUE) return this.#respond(head, bytes, start, end);
    const read = readLooseResponse(bytes.subarray(0, end + 2), start, LOOSE_LIMITS);
    if (read instanceof MessageFault) {
      this.#faulty(read);
      return OPAQUE;
    }
    const anew = read?.head ?? Buffer.alloc(0);
    const lines = anew.length - 2;
    const parsed = parseResponseHead(anew, 0, lines);
    return parsed === null ? OPAQUE : this.#respond(parsed, anew, 0, lines);
  }

  /** `bytes` from `start` to `end` are strictly formed. */
  #respond(head: ResponseHead, bytes: Buffer, start: number, end: number): number {
    const request = this.#pending[0];
    if (request === undefined) return OPAQUE;
    const { status, framing } = head;
    if (status < 200 && status !== 101) return INTERIM;
    this.#status = status;
    request.capture?.responseHead(status, bytes.toString('latin1', start, end));
    const fields = grpcFields(bytes.subarray(start, end));
    this.#grpc = GrpcWatch.of({ status, fields, isCalled: request.isGrpc });
    if (status === 101 || (request.method === 'CONNECT' && status < 300)) {
      this.#pending.shift();
      this.#report(request);
      this.#upgraded = request.capture;
      this.#upgraded?.upgraded();
      return OPAQUE;
    }
    return request.method === 'HEAD' || status === 204 || status === 304 ? 0 : framing;
  }

  #answered(isWhole: boolean): void {
    const request = this.#pending.shift();
    if (request === undefined) return;
    const { status: result = null, lines = '' } = this.#grpc?.end() ?? {};
    if (lines !== '') request.capture?.responseTrailers(lines);
    this.#report(request, null, result);
    request.capture?.end(isWhole);
  }

  #report(request: Pending, fault: string | null = null, grpc: GrpcStatus | null = null): void {
    const { method, path, host, began, bytesIn, bytesOut } = request;
    const { clientAddr = '' } = this.#options;
    const status = this.#status;
    this.#status = null;
    this.#grpc = null;
    const durationMs = this.#options.now() - began;
    this.#options.report?.({
      ...{ method, path, host, clientAddr, status, durationMs, bytesIn, bytesOut },
      ...(fault === null ? {} : { fault }),
      ...(grpc === null ? {} : { grpc }),
    });
  }
}

const GRPC = Buffer.from('application/grpc');

/** The fields of a head that may be one of gRPC; the heads of other messages are not read. */
function grpcFields(head: Buffer): ReturnType<typeof fieldsIn> {
  return head.includes(GRPC) ? fieldsIn(head.toString('latin1')) : [];
}
