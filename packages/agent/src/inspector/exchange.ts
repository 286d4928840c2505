/** One request with its answer, kept while it goes by. Never that more of it is kept than the limits say. */
import type { ExchangeCapture } from '../http-log.ts';
import type { Outcome } from './api-types.ts';
import { KeptBody } from './kept-body.ts';
import type { CaptureLimits } from './limits.ts';
import { KeptMessages } from './messages.ts';

/** What is known before its first byte. */
export interface Origin {
  readonly id: number;
  /** Of the tunnel that it came through; null: it was read from a file. */
  readonly tunnel: number | null;
  readonly method: string;
  /** One character a byte, as in the heads. */
  readonly target: string;
  /** `address:port` of the visitor; '' unknown. */
  readonly client: string;
  /** The exchange that this is a replay of. */
  readonly replayOf: number | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

export interface ExchangeParts {
  readonly limits: CaptureLimits;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** It is another than before, and takes so many bytes more, or less. */
  readonly changed: (exchange: Exchange, bytes: number) => void;
}

export class Exchange implements ExchangeCapture {
  readonly origin: Origin;
  /** With its line and its line ends, one character a byte. */
  requestLines: string;
  request: KeptBody;
  responseLines = '';
  response: KeptBody;
  status: number | null = null;
  outcome: Outcome = 'open';
  messages: KeptMessages | null = null;
  /** Milliseconds from the request's head; null: not yet. */
  sentMs: number | null = null;
  answeredMs: number | null = null;
  endedMs: number | null = null;
  /** Its last change, among those of all. */
  revision = 0;
  readonly #parts: ExchangeParts;
  readonly #began: number;
  #isReleased = false;

  constructor(origin: Origin, requestLines: string, parts: ExchangeParts) {
    this.origin = origin;
    this.requestLines = requestLines;
    this.#parts = parts;
    this.#began = parts.now();
    this.request = new KeptBody(parts.limits.bodyBytes);
    this.response = new KeptBody(parts.limits.bodyBytes);
  }

  requestBody(bytes: Buffer, start: number, end: number): void {
    this.#add(this.request, bytes, start, end);
  }

  requestEnd(): void {
    this.sentMs = this.#elapsed();
  }

  responseHead(status: number, bytes: Buffer, start: number, end: number): void {
    if (this.#isReleased) return;
    this.status = status;
    this.responseLines = bytes.toString('latin1', start, end);
    this.answeredMs = this.#elapsed();
    this.#parts.changed(this, end - start);
  }

  responseBody(bytes: Buffer, start: number, end: number): void {
    this.#add(this.response, bytes, start, end);
  }

  upgraded(): void {
    if (!/^upgrade:\s*websocket\s*$/im.test(this.responseLines)) return;
    const { limits } = this.#parts;
    this.messages = new KeptMessages(
      limits,
      () => this.#elapsed(),
      (bytes) => this.#parts.changed(this, bytes),
    );
  }

  sent(bytes: Buffer): void {
    this.messages?.add('sent', bytes);
  }

  received(bytes: Buffer): void {
    this.messages?.add('received', bytes);
  }

  end(isWhole: boolean): void {
    if (this.#isReleased) return;
    this.outcome = isWhole ? 'complete' : 'broken';
    this.endedMs = this.#elapsed();
    this.#parts.changed(this, 0);
  }

  /** Keeps nothing any more of what may still go by. */
  release(): void {
    this.#isReleased = true;
    this.requestLines = '';
    this.responseLines = '';
    this.request = new KeptBody(0);
    this.response = new KeptBody(0);
    this.messages = null;
  }

  #add(body: KeptBody, bytes: Buffer, start: number, end: number): void {
    if (this.#isReleased) return;
    const isNews = !body.isCut;
    const grown = body.add(bytes, start, end);
    // Of a long body only the length goes on changing, which can wait for its end.
    if (isNews) this.#parts.changed(this, grown);
  }

  #elapsed(): number {
    return this.#parts.now() - this.#began;
  }
}
