/** The requests and answers that pass by on a forwarded connection. Never that watching changes or delays a byte. */
import { INTERIM, OPAQUE, parseRequestHead, parseResponseHead } from './http-head.ts';
import { MessageScanner } from './http-scan.ts';

/** One request and what was answered, as seen passing by. */
export interface LoggedRequest {
  readonly method: string;
  /** The request target as it stood there, one character a byte, cut at 8 KiB; anything may be in it. */
  readonly path: string;
  /** Null: the connection ended without an answer. */
  readonly status: number | null;
  /** From the whole request head to the end of the response. */
  readonly durationMs: number;
}

interface Pending {
  readonly method: string;
  readonly path: string;
  readonly began: number;
}

/** More requests than this ahead of their answers: no client that is worth a log does so. */
const PIPELINE_MAX = 64;

const isMethodStart = (byte: number) => byte >= 0x41 && byte <= 0x5a;
const isStatusStart = (byte: number) => byte === 0x48;

/**
 * Watches both directions of a connection and reports each HTTP/1.1 exchange on it. Passive: it keeps no bytes back,
 * never throws, and stops looking for good at an upgrade or at anything that it does not understand.
 */
export class HttpLog {
  readonly #report: (exchange: LoggedRequest) => void;
  readonly #now: () => number;
  readonly #requests: MessageScanner;
  readonly #responses: MessageScanner;
  #pending: Pending[] = [];
  /** Of the response that is under way; null before its head. */
  #status: number | null = null;
  #isOff = false;

  constructor(report: (exchange: LoggedRequest) => void, now: () => number) {
    this.#report = report;
    this.#now = now;
    this.#requests = new MessageScanner(
      { head: (bytes, start, end) => this.#requestHead(bytes, start, end), complete: () => {} },
      isMethodStart,
    );
    this.#responses = new MessageScanner(
      {
        head: (bytes, start, end) => this.#responseHead(bytes, start, end),
        complete: () => this.#answered(),
      },
      isStatusStart,
    );
  }

  /** Bytes on their way to the upstream. */
  request(chunk: Buffer): void {
    if (this.#isOff) return;
    this.#requests.feed(chunk);
    if (this.#requests.isOpaque) this.#stop();
  }

  /** Bytes on their way back. */
  response(chunk: Buffer): void {
    if (this.#isOff) return;
    this.#responses.feed(chunk);
    if (this.#responses.isOpaque) this.#stop();
  }

  /** The upstream half-closed. */
  responseEnd(): void {
    if (this.#isOff) return;
    this.#responses.end();
    this.close();
  }

  /** The connection is over: reports what is still open as it stands. */
  close(): void {
    if (this.#isOff) return;
    while (this.#pending.length > 0) this.#answered();
    this.#stop();
  }

  #stop(): void {
    this.#isOff = true;
    this.#pending = [];
  }

  #requestHead(bytes: Buffer, start: number, end: number): number {
    const head = parseRequestHead(bytes, start, end);
    if (head === null || this.#pending.length >= PIPELINE_MAX) return OPAQUE;
    this.#pending.push({ method: head.method, path: head.path, began: this.#now() });
    return head.framing;
  }

  #responseHead(bytes: Buffer, start: number, end: number): number {
    const head = parseResponseHead(bytes, start, end);
    const request = this.#pending[0];
    if (head === null || request === undefined) return OPAQUE;
    const { status, framing } = head;
    if (status < 200 && status !== 101) return INTERIM;
    this.#status = status;
    if (status === 101 || (request.method === 'CONNECT' && status < 300)) {
      this.#answered();
      return OPAQUE;
    }
    return request.method === 'HEAD' || status === 204 || status === 304 ? 0 : framing;
  }

  #answered(): void {
    const request = this.#pending.shift();
    const status = this.#status;
    this.#status = null;
    if (request === undefined) return;
    const { method, path, began } = request;
    this.#report({ method, path, status, durationMs: this.#now() - began });
  }
}
