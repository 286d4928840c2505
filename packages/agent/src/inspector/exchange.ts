/**
 * One request with its response, captured as it passes.
 * Invariant: an exchange never keeps more than the limits allow.
 */
import type { ExchangeCapture } from '../http-log.ts';
import type { Outcome, RefusalView } from './api-types.ts';
import { KeptBody, NO_BODY } from './kept-body.ts';
import type { CaptureLimits } from './limits.ts';
import { KeptMessages } from './messages.ts';

/** Data from before its first byte. */
export interface Origin {
  /** Id of its tunnel; null: it was read from a file. */
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
  /** The scheme of its URL, if a file gave it. */
  readonly scheme?: 'http' | 'https';
  /** The service refused it, so that nothing but its line came here. */
  readonly refusal?: RefusalView;
}

/** Shared parts of all exchanges of a store. */
export interface ExchangeParts {
  readonly limits: CaptureLimits;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** It is another than before, and takes so many bytes more, or less. */
  readonly changed: (exchange: Exchange, bytes: number) => void;
}

export class Exchange implements ExchangeCapture {
  readonly id: number;
  readonly origin: Origin;
  /** The request line and the headers with their line ends, one character a byte. */
  requestLines: string;
  request = NO_BODY;
  responseLines = '';
  response = NO_BODY;
  status: number | null = null;
  outcome: Outcome = 'open';
  messages: KeptMessages | null = null;
  /** Fault of the upstream; null for none. */
  fault: string | null = null;
  /** Milliseconds from the request's head; null: not yet. */
  sentMs: number | null = null;
  answeredMs: number | null = null;
  endedMs: number | null = null;
  /** Its last change, among those of all. */
  revision = 0;
  /** Bytes of memory, by the count of its store. */
  memory = 0;
  readonly #parts: ExchangeParts;
  readonly #began: number;
  #isReleased = false;

  constructor(id: number, origin: Origin, requestLines: string, parts: ExchangeParts) {
    this.id = id;
    this.origin = origin;
    this.requestLines = requestLines;
    this.#parts = parts;
    this.#began = parts.now();
  }

  /** False: it was evicted, and all its contents were released. */
  get isKept(): boolean {
    return !this.#isReleased;
  }

  /** True if the request's body is here to its end: it may be too long, still come, or never have come whole. */
  get hasWholeRequest(): boolean {
    return this.sentMs !== null && !this.request.isCut;
  }

  requestBody(bytes: Buffer, start: number, end: number): void {
    if (this.#isReleased) return;
    if (this.request === NO_BODY) this.request = this.#newBody();
    this.#add(this.request, bytes, start, end);
  }

  requestEnd(): void {
    this.sentMs = this.#elapsed();
  }

  responseHead(status: number, lines: string): void {
    if (this.#isReleased) return;
    this.status = status;
    this.responseLines = lines;
    this.answeredMs = this.#elapsed();
    this.#changed(lines.length);
  }

  responseBody(bytes: Buffer, start: number, end: number): void {
    if (this.#isReleased) return;
    if (this.response === NO_BODY) this.response = this.#newBody();
    this.#add(this.response, bytes, start, end);
  }

  responseTrailers(lines: string): void {
    if (this.#isReleased) return;
    this.responseLines += lines;
    this.#changed(lines.length);
  }

  upgraded(): void {
    if (!/^upgrade:\s*websocket\s*$/im.test(this.responseLines)) return;
    const { limits } = this.#parts;
    this.messages = new KeptMessages(
      limits,
      () => this.#elapsed(),
      (bytes) => this.#changed(bytes),
    );
  }

  sent(bytes: Buffer): void {
    this.messages?.add('sent', bytes);
  }

  received(bytes: Buffer): void {
    this.messages?.add('received', bytes);
  }

  failed(reason: string): void {
    if (this.#isReleased) return;
    this.fault = reason;
    this.#changed(reason.length);
  }

  end(isWhole: boolean): void {
    if (this.#isReleased) return;
    this.outcome = isWhole ? 'complete' : 'broken';
    this.endedMs = this.#elapsed();
    this.#changed(0);
  }

  /** Keeps nothing any more of what may still go by. */
  release(): void {
    this.#isReleased = true;
    this.requestLines = '';
    this.responseLines = '';
    this.request = NO_BODY;
    this.response = NO_BODY;
    this.messages = null;
    this.fault = null;
  }

  #changed(bytes: number): void {
    if (!this.#isReleased) this.#parts.changed(this, bytes);
  }

  #newBody(): KeptBody {
    return new KeptBody(this.#parts.limits.bodyBytes);
  }

  #add(body: KeptBody, bytes: Buffer, start: number, end: number): void {
    const isNews = !body.isCut;
    const grown = body.add(bytes, start, end);
    // Of a long body only the length goes on changing, which can wait for its end.
    if (isNews) this.#changed(grown);
  }

  #elapsed(): number {
    return this.#parts.now() - this.#began;
  }
}
