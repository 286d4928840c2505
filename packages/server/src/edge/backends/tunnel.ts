/**
 * The backend that forwards a request through a tunnel and relays the answer.
 * In: a request head and body bytes; an upstream's bytes. Out: calls on the visitor. What may change here: the life of one exchange.
 */
import { ErrorCode } from '@underpass/wire';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { ProxyConnection } from '../../tunnels/online.ts';
import { BodyReader } from '../http/body.ts';
import { ConnectionOptions } from '../http/connection-options.ts';
import { Field } from '../http/fields.ts';
import { type Framing, responseFraming, UNTIL_CLOSE } from '../http/framing.ts';
import { FAULTY, type Head, INCOMPLETE } from '../http/head.ts';
import { HeadBuffer } from '../http/head-buffer.ts';
import { isUntouched, visitorHead } from '../http/headers.ts';
import type { Shared } from '../http/shared.ts';
import type { SingleTunnel, TunnelGroup } from '../target.ts';
import type { Upstream, UpstreamUser } from './upstream.ts';
import type { ForwardedRequest, Visitor } from './visitor.ts';

const Phase = { idle: 0, head: 1, body: 2, tunnel: 3 } as const;

/** Requests that must not be sent twice only use an upstream idle for less than this: one about to time out could lose them. */
const UNREPEATABLE_IDLE_MS = 1500;
/** How much earlier than its upstream this side gives a connection up: the way there, and a clock that is a second coarse. */
const KEEP_ALIVE_MARGIN_MS = 2000;
/** Body bytes up to this are copied behind the head, into one write. */
const COPIED_BODY = 4096;
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const CRLF = Buffer.from('\r\n');

/** Made once per visitor connection, used for one request after another. */
export class TunnelExchange implements UpstreamUser {
  readonly #shared: Shared;
  readonly #visitor: Visitor;
  readonly #source: string;
  readonly #body: BodyReader;
  readonly #options = new ConnectionOptions();
  readonly #held: HeadBuffer;
  #phase: number = Phase.idle;
  #upstream: Upstream | null = null;
  #backend: SingleTunnel | TunnelGroup | null = null;
  #connection: ProxyConnection | null = null;
  #request: ForwardedRequest | null = null;
  #requestHead: Buffer | null = null;
  #interim = 0;
  #heardAnything = false;
  #wasFresh = true;
  #reusable = false;
  #paused = false;
  #framing: Framing = 0;
  /** Coarse time of the last sign of life of the upstream. */
  lastHeard = 0;

  /** `source`: the visitor's address, as `sourceKey` tells it. */
  constructor(shared: Shared, visitor: Visitor, source: string) {
    this.#shared = shared;
    this.#body = new BodyReader(shared.errorCodeHeader);
    this.#visitor = visitor;
    this.#source = source;
    this.#held = new HeadBuffer(shared.limits.headBytes);
  }

  /** Sends the head, with as much of the body as is in the same buffer. */
  start(
    backend: SingleTunnel | TunnelGroup,
    connection: ProxyConnection,
    request: ForwardedRequest,
    head: Buffer,
  ): void {
    this.#backend = backend;
    this.#connection = connection;
    this.#request = request;
    this.#requestHead = request.repeatable ? head : null;
    this.#send(head, request.repeatable ? Number.POSITIVE_INFINITY : UNREPEATABLE_IDLE_MS);
  }

  #send(head: Buffer, withinMs: number): void {
    const { streams, clock } = this.#shared;
    const upstream = streams.obtain({
      backend: this.#backend!,
      connection: this.#connection!,
      source: this.#source,
      now: clock,
      withinMs,
    });
    this.#phase = Phase.head;
    this.#interim = 0;
    this.#heardAnything = false;
    this.#paused = false;
    this.lastHeard = clock;
    if (typeof upstream === 'string') {
      this.#fail(upstream);
      return;
    }
    this.#upstream = upstream;
    this.#wasFresh = upstream.isFresh;
    upstream.user = this;
    this.#write(upstream, head);
  }

  /** A piece of the request body, framed as the head says; after a switch, any bytes. */
  requestData(bytes: Buffer): void {
    const upstream = this.#upstream;
    if (upstream !== null) this.#write(upstream, bytes);
  }

  #write(upstream: Upstream, bytes: Buffer): void {
    const hasRoom = upstream.stream.write(bytes);
    if (!hasRoom && this.#upstream === upstream) this.#visitor.holdBody();
  }

  /** The last byte of the request is on its way: from now on the upstream is waited for. */
  requestEnded(): void {
    this.lastHeard = this.#shared.clock;
  }

  /** The visitor half-closed a switched connection. */
  visitorEnded(): void {
    this.#upstream?.stream.end();
  }

  visitorDrained(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.lastHeard = this.#shared.clock;
    this.#upstream?.stream.resume();
  }

  /** The visitor is gone, or the request turned out malformed. */
  cancel(): void {
    this.#detach()?.drop();
  }

  /** The upstream has been silent for too long. */
  expire(): void {
    if (this.#phase === Phase.head) this.#fail('upstreamTimeout');
    else this.#abort();
  }

  upstreamData(chunk: Buffer): void {
    this.lastHeard = this.#shared.clock;
    try {
      if (this.#phase === Phase.body) {
        this.#readBody(chunk, 0);
      } else if (this.#phase === Phase.head) {
        this.#heardAnything = true;
        this.#readHead(chunk);
      } else if (this.#phase === Phase.tunnel) {
        this.#relay(chunk, true);
      }
    } catch (error) {
      this.#visitor.crashed(error);
    }
  }

  upstreamEnd(): void {
    try {
      this.#ended();
    } catch (error) {
      this.#visitor.crashed(error);
    }
  }

  upstreamClosed(code: ErrorCode): void {
    this.#upstream = null;
    try {
      this.#closedWith(code);
    } catch (error) {
      this.#visitor.crashed(error);
    }
  }

  upstreamDrain(): void {
    this.lastHeard = this.#shared.clock;
    this.#visitor.takeBody();
  }

  #ended(): void {
    switch (this.#phase) {
      case Phase.head:
        this.#closedEarly();
        break;
      case Phase.body:
        if (!this.#body.finish()) {
          this.#abort();
          break;
        }
        this.#visitor.relay(LAST_CHUNK, false);
        this.#finish();
        break;
      case Phase.tunnel:
        this.#visitor.endWriting();
        break;
    }
  }

  #closedWith(code: ErrorCode): void {
    if (this.#phase === Phase.head) {
      this.#closedEarly();
    } else if (this.#phase === Phase.body) {
      this.#abort();
    } else if (this.#phase === Phase.tunnel) {
      this.#phase = Phase.idle;
      if (code === ErrorCode.none) this.#visitor.endWriting();
      else this.#visitor.abort();
    }
  }

  /** The upstream went away before its answer was there. */
  #closedEarly(): void {
    if (this.#heardAnything) {
      this.#fail('upstreamResponseInvalid');
    } else if (this.#wasFresh) {
      this.#fail('upstreamUnreachable');
    } else if (this.#requestHead !== null) {
      const head = this.#requestHead;
      this.cancel();
      this.#visitor.takeBody();
      this.#send(head, 0);
    } else {
      this.#fail('upstreamClosed');
    }
  }

  #readHead(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#held.length > 0) {
      if (!this.#held.append(chunk)) return;
      bytes = this.#held.take();
    }
    const head = this.#shared.responseHead;
    let pos = 0;
    while (pos < bytes.length) {
      const next = head.parseResponse(bytes, pos, bytes.length);
      if (next === INCOMPLETE) {
        if (this.#held.append(bytes.subarray(pos))) this.#fail('upstreamResponseInvalid');
        return;
      }
      if (next === FAULTY) {
        this.#fail('upstreamResponseInvalid');
        return;
      }
      this.#options.read(head);
      if (head.status >= 200) {
        this.#answer(head, bytes, next);
        return;
      }
      if (head.status === 101) {
        this.#switch(head, bytes, next);
        return;
      }
      if (!this.#relayInterim(head)) return;
      pos = next;
    }
  }

  #relayInterim(head: Head): boolean {
    this.#interim += 1;
    if (this.#interim > this.#shared.limits.interimResponses || responseFraming(head, false) === null) {
      this.#fail('upstreamResponseInvalid');
      return false;
    }
    const shape = { framing: 0, close: false, switchesTo: null };
    return this.#relay(visitorHead(head, shape, this.#options.dropped, null), false);
  }

  #switch(head: Head, bytes: Buffer, next: number): void {
    const asked = this.#request!.upgradeTo;
    const answered = head.has(Field.upgrade) ? head.valueOf(Field.upgrade) : '';
    // RFC 9110, section 7.8: a server switches only to what it was asked for, and after the whole request.
    const wasAsked = asked?.toLowerCase().split(', ').includes(answered.toLowerCase()) === true;
    if (!wasAsked || !this.#visitor.requestComplete || responseFraming(head, false) === null) {
      this.#fail('upstreamResponseInvalid');
      return;
    }
    this.#visitor.answering(101);
    this.#phase = Phase.tunnel;
    const shape = { framing: 0, close: false, switchesTo: answered };
    this.#relay(visitorHead(head, shape, this.#options.dropped, null), true);
    if (next < bytes.length) this.#relay(bytes.subarray(next), true);
    this.#visitor.switched();
  }

  #answer(head: Head, bytes: Buffer, next: number): void {
    const { dropped } = this.#options;
    const framing = responseFraming(head, this.#request!.isHead);
    if (framing === null) {
      this.#fail('upstreamResponseInvalid');
      return;
    }
    this.#framing = framing;
    this.#reusable =
      head.minorVersion === 1 &&
      !this.#options.close &&
      framing !== UNTIL_CLOSE &&
      !this.#request!.bindsConnection;
    if (this.#reusable && head.has(Field.keepAlive)) this.#heedKeepAlive(head.valueOf(Field.keepAlive));
    const body = this.#body;
    body.begin(framing, dropped);
    let pos = next;
    if (!body.done && next < bytes.length) pos = body.read(bytes, next, bytes.length);
    else body.from = body.to = next;
    if (body.fault !== null) {
      this.#fail('upstreamResponseInvalid');
      return;
    }
    this.#visitor.answering(head.status);
    const close = this.#visitor.endsAfterResponse();
    this.#phase = Phase.body;
    const more = !body.done || body.tail !== null;
    if (isUntouched(head, framing, close, dropped)) {
      // Head and body as they came, in one piece and without a copy.
      this.#relay(bytes.subarray(head.start, body.to), more);
    } else {
      const size = framing === UNTIL_CLOSE ? 0 : body.to - body.from;
      const copied = size > 0 && size <= COPIED_BODY ? bytes.subarray(body.from, body.to) : null;
      const shape = { framing, close, switchesTo: null };
      this.#relay(visitorHead(head, shape, dropped, copied), more || (size > 0 && copied === null));
      if (copied === null) this.#relaySpan(bytes, more);
    }
    if (body.tail !== null) this.#relay(body.tail, !body.done);
    this.#readBody(bytes, pos);
  }

  /** Relays body bytes from `start` on, and ends the exchange when they are the last. */
  #readBody(bytes: Buffer, start: number): void {
    const body = this.#body;
    let pos = start;
    while (pos < bytes.length && !body.done) {
      pos = body.read(bytes, pos, bytes.length);
      if (body.fault !== null) {
        this.#abort();
        return;
      }
      this.#relaySpan(bytes, !body.done || body.tail !== null);
      if (body.tail !== null) this.#relay(body.tail, !body.done);
    }
    if (!body.done) return;
    // Bytes after the end of the answer belong to nothing that was asked.
    if (pos < bytes.length) this.#reusable = false;
    this.#finish();
  }

  #relaySpan(bytes: Buffer, more: boolean): void {
    const { from, to } = this.#body;
    if (from === to) return;
    const span = from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to);
    if (this.#framing !== UNTIL_CLOSE) {
      this.#relay(span, more);
      return;
    }
    this.#relay(Buffer.from(`${span.length.toString(16)}\r\n`, 'latin1'), true);
    this.#relay(span, true);
    this.#relay(CRLF, true);
  }

  /** False when the visitor is gone or the exchange over. */
  #relay(bytes: Buffer, more: boolean): boolean {
    if (!this.#visitor.relay(bytes, more) && !this.#paused && this.#upstream !== null) {
      this.#paused = true;
      this.#upstream.stream.pause();
    }
    return this.#phase !== Phase.idle;
  }

  /** Keeps the upstream for less time than it says that it keeps the connection itself. */
  #heedKeepAlive(value: string): void {
    const match = /\btimeout=([0-9]{1,6})\b/i.exec(value);
    if (match === null || this.#upstream === null) return;
    const announced = Number(match[1]) * 1000 - KEEP_ALIVE_MARGIN_MS;
    this.#upstream.idleMs = Math.min(announced, this.#shared.limits.idleStreamMs);
  }

  #finish(): void {
    const upstream = this.#detach();
    const complete = this.#visitor.requestComplete;
    upstream?.release(this.#reusable && complete, this.#shared.clock);
    this.#visitor.answered();
  }

  #fail(name: ErrorName): void {
    this.#detach()?.drop();
    this.#visitor.fail(name);
  }

  #abort(): void {
    this.#detach()?.drop();
    this.#visitor.abort();
  }

  #detach(): Upstream | null {
    const upstream = this.#upstream;
    this.#upstream = null;
    this.#phase = Phase.idle;
    this.#held.clear();
    this.#requestHead = null;
    if (upstream !== null) {
      upstream.user = null;
      if (this.#paused) upstream.stream.resume();
    }
    return upstream;
  }
}
