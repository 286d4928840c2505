/**
 * One visitor's connection: requests are read and answered one after another, what comes early waits.
 * In: a TLS socket. Out: requests to backends, responses to the visitor. What may change here: the order of things per request.
 */
import type { TLSSocket } from 'node:tls';
import { ipOf, sourceKey } from '../../core/client-address.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { ProxyConnection } from '../../tunnels/online.ts';
import { fixedResponse } from '../backends/http-response.ts';
import { TunnelExchange } from '../backends/tunnel.ts';
import type { Visitor } from '../backends/visitor.ts';
import { refusesSource } from '../modules/ip-restriction.ts';
import type { FixedResponse, SingleTunnel, Target, TunnelGroup } from '../target.ts';
import { admit, type ConnectionFacts, isOutdated, type Negotiated } from './admit.ts';
import { BodyReader } from './body.ts';
import { BodyRate } from './body-rate.ts';
import { errorResponse } from './error-page.ts';
import { Field } from './fields.ts';
import { FAULTY, type Head, INCOMPLETE } from './head.ts';
import { HeadBuffer } from './head-buffer.ts';
import { Forwarded, upstreamHead } from './headers.ts';
import { maxPasses, passesOf } from './loops.ts';
import { Request } from './request.ts';
import type { Shared } from './shared.ts';
import { VisitorSocket } from './visitor-socket.ts';

const State = {
  /** Waiting for a request, or for the rest of its head. */
  head: 0,
  body: 1,
  /** The request is complete, its response is not. */
  answer: 2,
  /** Switched: bytes both ways. */
  tunnel: 3,
  /** The last response is written; what still comes in is thrown away. */
  closing: 4,
  closed: 5,
} as const;

/** Request bodies up to this are read and thrown away for a backend that does not want them; beyond it, closing is cheaper. */
const DISCARDED_BODY = 64 * 1024;

export class Connection implements Visitor {
  readonly #shared: Shared;
  readonly #socket: VisitorSocket;
  readonly #facts: Negotiated;
  readonly #closed: (connection: Connection) => void;
  readonly #request: Request;
  readonly #forwarded: Forwarded;
  readonly #body: BodyReader;
  readonly #bodyRate: BodyRate;
  readonly #partialHead: HeadBuffer;
  readonly #exchange: TunnelExchange;
  #proxied: ProxyConnection;
  #state: number = State.head;
  #target: Target | null = null;
  /** The target that the visitor's address was last judged by, and whether that turns it away. */
  #judgedBy: Target | null = null;
  #turnedAway = false;
  #status = 0;
  #startedAt = 0;
  #endsAfter = false;
  #mustClose = false;
  /** The response is written; the rest of the request's body is read for the sake of the next one. */
  #discarding = false;
  /** Closing, and everything written is out. */
  #flushed = false;
  #consuming = false;
  #lingered = 0;
  /** Coarse times: of entering this state, of the visitor's last byte. */
  #since: number;
  #lastRead: number;

  constructor(
    shared: Shared,
    socket: TLSSocket,
    facts: ConnectionFacts,
    closed: (connection: Connection) => void,
  ) {
    this.#shared = shared;
    this.#body = new BodyReader(shared.errorCodeHeader);
    this.#bodyRate = new BodyRate(shared.limits);
    this.#socket = new VisitorSocket(shared, socket);
    this.#facts = { ...facts, version: () => socket.getProtocol() };
    this.#closed = closed;
    this.#request = new Request(facts.sni, shared.publicPort);
    this.#forwarded = new Forwarded(facts.clientAddr, shared.domain);
    this.#partialHead = new HeadBuffer(shared.limits.headBytes);
    this.#exchange = new TunnelExchange(shared, this, sourceKey(ipOf(facts.clientAddr)));
    this.#proxied = { clientAddr: facts.clientAddr, proto: 'https', edgeType: '0', passthroughTls: false };
    this.#since = shared.clock;
    this.#lastRead = shared.clock;
    socket.on('data', (chunk: Buffer) => {
      try {
        this.#onData(chunk);
      } catch (error) {
        this.crashed(error);
      }
    });
    socket.on('drain', () => this.#onDrain());
    socket.on('end', () => this.#onEnd());
    // Every error is followed by `close`.
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
  }

  /** Closes at once what is between two requests; what is under way is left to end. */
  drain(): void {
    if (!this.#isIdle()) return;
    this.#state = State.closing;
    this.#socket.endAtOnce();
  }

  /** Ends what has been still for longer than its stage may be. */
  sweep(): void {
    try {
      this.#endIfStill();
    } catch (error) {
      this.crashed(error);
    }
  }

  #endIfStill(): void {
    const { clock, limits } = this.#shared;
    const lastHeard = this.#exchange.lastHeard;
    if (this.#state === State.closing) this.#sweepClosing();
    else if (this.#socket.blocked && clock - this.#socket.lastWrite > limits.writeStallMs) this.abort();
    else if (this.#state === State.head) this.#sweepHead();
    else if (this.#state === State.tunnel) {
      if (clock - Math.max(this.#lastRead, lastHeard) > limits.upgradeIdleMs) this.abort();
    } else if (this.#state === State.body && !this.#socket.bodyHeld) {
      const isSilent = clock - Math.max(this.#lastRead, lastHeard) > limits.bodyIdleMs;
      if (isSilent || this.#bodyRate.isTooLow(clock, lastHeard)) this.#stopReading('requestTimeout');
    } else if (!this.#socket.blocked && clock - lastHeard > limits.answerMs) {
      this.#exchange.expire();
    }
  }

  /**
   * When targets change. An upgraded connection or an endless answer has no next request to be judged by. One that the name's new
   * TLS settings do not admit ends before its next request: now, or with the answer that is under way.
   */
  recheck(): void {
    if (this.#state >= State.closing) return;
    try {
      const target = this.#shared.targets.lookup(this.#facts.sni);
      if (target === undefined) return;
      this.#mustClose ||= isOutdated(target, this.#facts);
      if (this.#isIdle()) {
        if (this.#mustClose) this.#close();
      } else if (this.#state !== State.head && this.#isTurnedAway(target)) {
        this.abort();
      }
    } catch (error) {
      this.crashed(error);
    }
  }

  destroy(): void {
    this.#socket.destroy();
    this.#onClose();
  }

  // ----- what the exchange is told and asks for

  get requestComplete(): boolean {
    return this.#body.done;
  }

  endsAfterResponse(): boolean {
    this.#endsAfter =
      this.#mustClose || this.#request.connection.close || !this.#body.done || this.#shared.draining;
    return this.#endsAfter;
  }

  answering(status: number): void {
    this.#status = status;
  }

  relay(bytes: Buffer, more: boolean): boolean {
    return this.#socket.write(bytes, more);
  }

  holdBody(): void {
    this.#socket.holdBody(true);
  }

  takeBody(): void {
    this.#bodyRate.begin(this.#shared.clock);
    this.#socket.holdBody(false);
  }

  answered(): void {
    if (this.#state === State.closed) return;
    this.#observe();
    this.#socket.holdBody(false);
    if (this.#endsAfter || this.#mustClose || !this.#body.done || this.#shared.draining) {
      this.#close();
      return;
    }
    this.#state = State.head;
    this.#since = this.#shared.clock;
    this.#goOn();
  }

  fail(name: ErrorName, values: Readonly<Record<string, string>> = {}): void {
    if (this.#state >= State.closing) return;
    if (this.#status !== 0 || this.#state === State.tunnel) {
      this.abort();
      return;
    }
    const close = this.endsAfterResponse();
    const { limits } = this.#shared;
    const answer = errorResponse({
      name,
      values: {
        host: this.#facts.sni,
        servername: this.#facts.sni,
        limit: limits.headBytes,
        fields: limits.fields,
        ...values,
      },
      prefix: this.#shared.errorPrefix,
      codeHeader: this.#shared.errorCodeHeader,
      date: this.#shared.date,
      html: this.#request.wantsHtml,
      headOnly: this.#request.isHead,
      close,
    });
    this.#status = answer.status;
    this.relay(answer.bytes, false);
    this.answered();
  }

  abort(): void {
    this.#observe();
    this.#socket.destroy();
    this.#onClose();
  }

  switched(): void {
    this.#observe();
    this.#state = State.tunnel;
    const early = this.#socket.takeEarly();
    if (early !== null) this.#exchange.requestData(early);
  }

  endWriting(): void {
    this.#socket.end();
  }

  /** A fault of this program, in handling what this connection sent: only it pays. */
  crashed(error: unknown): void {
    this.#shared.log.error({ err: error, target: this.#target?.id }, 'HTTP connection failed');
    this.destroy();
  }

  // ----- the socket

  #onData(chunk: Buffer): void {
    this.#lastRead = this.#shared.clock;
    if (this.#state === State.tunnel) {
      this.#exchange.requestData(chunk);
    } else if (this.#state === State.closing) {
      this.#lingered += chunk.length;
      if (this.#lingered > this.#shared.limits.lingerBytes) this.destroy();
    } else if (this.#socket.hasEarly || this.#state === State.answer) {
      this.#socket.keepEarly(chunk);
    } else {
      this.#consume(chunk);
    }
  }

  #onDrain(): void {
    try {
      this.#socket.drained();
      this.#exchange.visitorDrained();
      this.#goOn();
    } catch (error) {
      this.crashed(error);
    }
  }

  /** The visitor half-closed. In the middle of a request that means that it has gone, as nearly always. */
  #onEnd(): void {
    try {
      if (this.#state === State.tunnel) this.#exchange.visitorEnded();
      else if (this.#state === State.head) this.#close();
      else if (this.#state !== State.closing) this.destroy();
    } catch (error) {
      this.crashed(error);
    }
  }

  #onClose(): void {
    if (this.#state === State.closed) return;
    this.#state = State.closed;
    this.#partialHead.clear();
    this.#exchange.cancel();
    this.#closed(this);
  }

  // ----- requests

  #consume(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#state === State.head && this.#partialHead.length > 0) {
      if (!this.#partialHead.append(chunk)) return;
      bytes = this.#partialHead.take();
    }
    this.#consuming = true;
    let pos = 0;
    while (pos < bytes.length) {
      if (this.#state === State.head && !this.#socket.blocked) {
        pos = this.#readHead(bytes, pos);
      } else if (this.#state === State.body) {
        pos = this.#readBody(bytes, pos);
      } else {
        if (this.#state <= State.answer) this.#socket.keepEarly(bytes.subarray(pos));
        break;
      }
    }
    this.#consuming = false;
  }

  #readHead(bytes: Buffer, pos: number): number {
    const head = this.#shared.requestHead;
    const next = head.parseRequest(bytes, pos, bytes.length);
    if (next === INCOMPLETE) {
      this.#since = this.#shared.clock;
      if (this.#partialHead.append(bytes.subarray(pos))) this.#refuse('requestHeaderMalformed');
      return bytes.length;
    }
    this.#status = 0;
    this.#target = null;
    this.#mustClose = false;
    this.#discarding = false;
    this.#request.reset();
    if (this.#shared.observe !== null) this.#startedAt = this.#shared.now();
    if (next === FAULTY) {
      this.#refuse(head.fault);
      return bytes.length;
    }
    return this.#begin(head, bytes, next);
  }

  /** Takes one request as far as its bytes go; returns the offset after them. */
  #begin(head: Head, bytes: Buffer, bodyStart: number): number {
    const request = this.#request;
    const fault = request.examine(head);
    if (fault !== null) {
      this.#refuse(fault, fault === 'hostMismatch' ? { host: head.valueOf(Field.host) } : {});
      return bytes.length;
    }
    const target = admit(this.#shared.targets, this.#facts);
    if (typeof target === 'string') {
      this.#refuse(target);
      return bytes.length;
    }
    this.#target = target;
    const body = this.#body;
    body.begin(request.framing, request.connection.dropped);
    this.#bodyRate.begin(this.#shared.clock);
    let pos = bodyStart;
    if (body.done || bodyStart === bytes.length) body.from = body.to = bodyStart;
    else pos = body.read(bytes, bodyStart, bytes.length);
    if (body.fault !== null) {
      this.#refuse(body.fault);
      return bytes.length;
    }
    this.#state = body.done ? State.answer : State.body;
    const { backend, refusal } = target;
    if (this.#isTurnedAway(target)) this.fail('sourceRefused');
    else if (refusal !== null) this.fail(refusal);
    else if (backend === null) this.fail('edgeWithoutBackend');
    else if (backend.kind === 'http_response') this.#answerFixed(backend, pos < bytes.length);
    else if (passesOf(head, this.#shared.domain) >= maxPasses) this.fail('requestLoops');
    else this.#forward(head, backend, target.edgeType);
    return pos;
  }

  /** The address of a connection stays, so each target judges it once. */
  #isTurnedAway(target: Target): boolean {
    if (target.sources === undefined) return false;
    if (this.#judgedBy !== target) {
      this.#judgedBy = target;
      this.#turnedAway = refusesSource(target.sources, this.#facts.clientAddr);
    }
    return this.#turnedAway;
  }

  #forward(head: Head, backend: SingleTunnel | TunnelGroup, edgeType: Target['edgeType']): void {
    const { from, to, tail } = this.#body;
    const first = from === to ? null : head.bytes.subarray(from, to);
    const bytes = upstreamHead(head, this.#request, this.#forwarded, first);
    if (this.#proxied.edgeType !== edgeType) this.#proxied = { ...this.#proxied, edgeType };
    this.#exchange.start(backend, this.#proxied, this.#request, bytes);
    if (tail !== null) this.#exchange.requestData(tail);
  }

  #answerFixed(response: FixedResponse, more: boolean): void {
    const { framing, expectsContinue, isHead } = this.#request;
    const readsRest = framing >= 0 && framing <= DISCARDED_BODY && !expectsContinue;
    this.#endsAfter =
      this.#request.connection.close || this.#shared.draining || (!this.#body.done && !readsRest);
    this.#status = response.status;
    this.relay(fixedResponse(response, this.#shared, isHead, this.#endsAfter), more);
    if (this.#body.done || this.#endsAfter) this.answered();
    else this.#discarding = true;
  }

  #readBody(bytes: Buffer, pos: number): number {
    const body = this.#body;
    const next = body.read(bytes, pos, bytes.length);
    this.#bodyRate.count(next - pos);
    if (body.fault !== null) {
      this.#stopReading(body.fault);
      return bytes.length;
    }
    const { from, to, tail } = body;
    if (!this.#discarding) {
      if (from < to)
        this.#exchange.requestData(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
      if (tail !== null) this.#exchange.requestData(tail);
    }
    if (!body.done || this.#state !== State.body) return next;
    this.#state = State.answer;
    if (this.#discarding) this.answered();
    else this.#exchange.requestEnded();
    return next;
  }

  /** The rest of this request will not be read. */
  #stopReading(name: ErrorName): void {
    this.#exchange.cancel();
    this.#refuse(name);
  }

  /** Answers with an error and closes: what comes next on this connection cannot be trusted, or not be served. */
  #refuse(name: ErrorName, values: Readonly<Record<string, string>> = {}): void {
    this.#mustClose = true;
    this.fail(name, values);
  }

  // ----- waiting and closing

  #isIdle(): boolean {
    return this.#state === State.head && this.#partialHead.length === 0 && !this.#socket.hasEarly;
  }

  #goOn(): void {
    if (this.#consuming || this.#socket.blocked || this.#state !== State.head) return;
    const early = this.#socket.takeEarly();
    if (early !== null) this.#consume(early);
  }

  #close(): void {
    this.#state = State.closing;
    this.#since = this.#shared.clock;
    this.#partialHead.clear();
    this.#socket.takeEarly();
    this.#socket.holdBody(false);
    this.#socket.end();
  }

  #sweepHead(): void {
    const { clock, limits } = this.#shared;
    const isPartial = this.#partialHead.length > 0;
    if (clock - this.#since <= (isPartial ? limits.headMs : limits.idleMs)) return;
    if (isPartial) {
      this.#status = 0;
      this.#request.reset();
      this.#refuse('requestTimeout');
    } else {
      this.#close();
    }
  }

  #sweepClosing(): void {
    const { clock, limits } = this.#shared;
    if (!this.#socket.isFlushed) {
      if (clock - this.#since > limits.writeStallMs) this.destroy();
    } else if (!this.#flushed) {
      this.#flushed = true;
      this.#since = clock;
    } else if (clock - this.#since > limits.lingerMs) {
      this.destroy();
    }
  }

  #observe(): void {
    const target = this.#target;
    if (this.#shared.observe === null || target === null || this.#status === 0) return;
    this.#target = null;
    this.#shared.observe(target.id, this.#status, this.#shared.now() - this.#startedAt);
  }
}
