/**
 * Reads the requests of one visitor connection, one after another. Bytes of later requests wait.
 * Invariant: bytes of one request are never read as those of another.
 */
import type { Socket } from 'node:net';
import type { HostPattern } from '../../core/names/hostname.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { BodyReader } from '../../http-syntax/body.ts';
import { CR } from '../../http-syntax/bytes.ts';
import { Field } from '../../http-syntax/fields.ts';
import { afterEmptyLines, FAULTY, type Head, INCOMPLETE } from '../../http-syntax/head.ts';
import { HeadBuffer } from '../../http-syntax/head-buffer.ts';
import { needsRewriting, rewrittenHead } from '../../http-syntax/rewritten-head.ts';
import type { Linger } from '../../system/linger.ts';
import type { RequestVerdict } from '../sites/site.ts';
import { BodyRate } from './body-rate.ts';
import { BodySpans } from './body-spans.ts';
import { type Due, dueOf, Stage } from './deadlines.ts';
import { Exchange } from './exchange.ts';
import type { ExchangeOwner } from './exchange-owner.ts';
import { fitsSite, type HttpConnection, isConcerned, siteOf } from './http-connection.ts';
import { Http10Response } from './http10-response.ts';
import { Request } from './request.ts';
import type { Served } from './served.ts';
import type { Shared } from './shared.ts';
import { VisitorSocket } from './visitor-socket.ts';

export class Connection implements ExchangeOwner, Served {
  readonly #shared: Shared;
  readonly #socket: VisitorSocket;
  readonly #facts: HttpConnection;
  readonly #closed: (connection: Served) => void;
  readonly #request: Request;
  readonly #body: BodyReader;
  readonly #bodySpans: BodySpans;
  readonly #bodyRate: BodyRate;
  readonly #partialHead: HeadBuffer;
  readonly #exchange: Exchange;
  /** Null: the visitor speaks HTTP/1.1. */
  #http10: Http10Response | null = null;
  /** True if there are bytes after a head that was rewritten. */
  #hasMoreBehind = false;
  #stage: number = Stage.head;
  mustClose = false;
  /** True while bytes of the same read follow the request. */
  hasMore = false;
  /** The response is written; the rest of the request's body is read for the sake of the next one. */
  #isDiscarding = false;
  /** Closing, and everything written is out. */
  #isFlushed = false;
  #isConsuming = false;
  /** It is one of the silent visitors. */
  #isSilent = false;
  #linger: Linger | null = null;
  /** Coarse times: of entering this stage, of the visitor's last byte. */
  #since: number;
  #lastRead: number;

  constructor(
    shared: Shared,
    socket: Socket,
    connection: HttpConnection,
    closed: (connection: Served) => void,
  ) {
    this.#shared = shared;
    this.#body = new BodyReader(shared.ownNames);
    this.#bodySpans = new BodySpans(this.#body);
    this.#bodyRate = new BodyRate(shared.limits);
    this.#socket = new VisitorSocket(shared, socket, () => this.#try(() => this.#onDrain()));
    this.#facts = connection;
    this.#closed = closed;
    const ports = connection.negotiated === null ? [80, shared.plainPort] : [443, shared.publicPort];
    this.#request = new Request(connection.facts.serverName, ports);
    this.#partialHead = new HeadBuffer(shared.limits.headBytes);
    this.#exchange = new Exchange(shared, this, connection, this.#request, this.#body);
    this.#since = shared.clock;
    this.#lastRead = shared.clock;
    socket.on('data', (chunk: Buffer) => {
      try {
        this.#onData(chunk);
      } catch (error) {
        this.crashed(error);
      }
    });
    socket.on('end', () => this.#try(() => this.#onEnd()));
    // Every error is followed by `close`.
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
  }

  /** Closes at once what is between two requests; what is under way is left to end. */
  drain(): void {
    if (!this.#isIdle()) return;
    this.#stage = Stage.closing;
    this.#socket.endAtOnce();
  }

  /**
   * Returns false if an exchange is in progress. Otherwise its descriptor is free afterwards, without waiting for
   * written bytes.
   */
  destroyIfIdle(): boolean {
    if (!this.#isIdle() && !(this.#stage === Stage.closing && this.#isFlushed)) return false;
    this.destroy();
    return true;
  }

  /** Ends what has been still for longer than its stage may be. */
  sweep(): void {
    this.#exchange.settle();
    this.#try(() => this.#act(dueOf(this.#state, this.#shared)));
  }

  /** A head that is half-sent is refused when it is whole. */
  recheck(pattern: HostPattern | null): void {
    if (this.#stage >= Stage.closing || !isConcerned(this.#facts, pattern)) return;
    this.#try(() => {
      const site = siteOf(this.#facts, this.#shared);
      const isOutdated = site !== undefined && !fitsSite(this.#facts, site);
      if (isOutdated) this.mustClose = true;
      if (this.#isIdle()) {
        if (this.mustClose) this.#close();
        return;
      }
      if (this.#stage === Stage.head) return;
      if (isOutdated || !this.#exchange.isStillAllowed(site)) this.#exchange.abort();
    });
  }

  destroy(): void {
    this.#socket.destroy(this.#http10?.isCut === true);
    this.#onClose();
  }

  // ----- calls of the exchange

  write(bytes: Buffer, more: boolean): boolean {
    if (this.#http10 === null) return this.#socket.write(bytes, more);
    const changed = this.#http10.changed(bytes);
    if (this.#http10.endsWithConnection) this.mustClose = true;
    return changed.length === 0 ? !this.#socket.blocked : this.#socket.write(changed, more);
  }

  pauseBody(): void {
    this.#socket.pauseBody(true);
  }

  resumeBody(): void {
    this.#bodyRate.begin(this.#shared.clock);
    this.#socket.pauseBody(false);
  }

  answered(ends: boolean): void {
    if (this.#stage === Stage.closed) return;
    this.#socket.pauseBody(false);
    if (ends || this.mustClose || !this.#body.done || this.#shared.draining) {
      this.#close(this.#isAllSaid());
      return;
    }
    this.#stage = Stage.head;
    this.#since = this.#shared.clock;
    this.#goOn();
  }

  discardBody(): void {
    this.#isDiscarding = true;
  }

  switched(): void {
    this.#stage = Stage.tunnel;
    const pipelined = this.#socket.takePipelined();
    if (pipelined !== null) this.#exchange.requestData(pipelined);
  }

  endWriting(): void {
    this.#socket.end();
  }

  /** A fault of this program, in handling what this connection sent: only it pays. */
  crashed(error: unknown): void {
    this.#shared.log.error({ err: error, host: this.#facts.facts.serverName }, 'HTTP connection failed');
    this.destroy();
  }

  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.crashed(error);
    }
  }

  #onData(chunk: Buffer): void {
    this.#lastRead = this.#shared.clock;
    if (this.#stage === Stage.tunnel) {
      this.#exchange.requestData(chunk);
    } else if (this.#stage === Stage.closing) {
      if (this.#linger?.read(chunk.length, this.#shared.clock) === false) this.destroy();
    } else if (this.#socket.hasPipelined || this.#stage === Stage.answer || this.#stage === Stage.verdict) {
      this.#socket.keepPipelined(chunk);
    } else {
      this.#consume(chunk);
    }
  }

  #onDrain(): void {
    this.#exchange.visitorDrained();
    this.#goOn();
  }

  /** The visitor half-closed. In the middle of a request that means that it has gone, as nearly always. */
  #onEnd(): void {
    if (this.#stage === Stage.tunnel) {
      this.#socket.watchPeer();
      this.#exchange.visitorEnded();
    } else if (this.#stage === Stage.head) this.#close();
    else if (this.#stage !== Stage.closing) this.destroy();
  }

  #onClose(): void {
    if (this.#stage === Stage.closed) return;
    this.#stage = Stage.closed;
    this.#linger?.end();
    if (this.#isSilent) this.#shared.silentVisitors.leave(this.#facts.source);
    this.#partialHead.clear();
    this.#exchange.cancel();
    this.#closed(this);
  }

  // ----- requests

  #consume(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#stage === Stage.head && this.#partialHead.length > 0) {
      if (!this.#partialHead.append(chunk)) return;
      bytes = this.#partialHead.take();
    }
    this.#consumeFrom(bytes, 0);
  }

  #consumeFrom(bytes: Buffer, start: number): void {
    this.#isConsuming = true;
    let pos = start;
    while (pos < bytes.length) {
      if (this.#stage === Stage.head && !this.#socket.blocked) {
        pos = this.#readHead(bytes, pos);
      } else if (this.#stage === Stage.body) {
        pos = this.#readBody(bytes, pos);
      } else if (this.#stage === Stage.tunnel) {
        // It was switched by the edge itself, while the bytes behind the head were here.
        this.#exchange.requestData(bytes.subarray(pos));
        break;
      } else {
        if (this.#stage <= Stage.answer) this.#socket.keepPipelined(bytes.subarray(pos));
        break;
      }
    }
    this.#isConsuming = false;
  }

  #readHead(bytes: Buffer, from: number): number {
    const head = this.#shared.requestHead;
    const pos = afterEmptyLines(bytes, from);
    if (pos === bytes.length) return pos;
    const isCut = pos + 1 === bytes.length && bytes[pos] === CR;
    const next = isCut ? INCOMPLETE : head.parseRequest(bytes, pos, bytes.length);
    if (next === INCOMPLETE) {
      this.#since = this.#shared.clock;
      if (this.#partialHead.append(bytes.subarray(pos))) this.#refuse('requestHeaderMalformed');
      return bytes.length;
    }
    this.mustClose = this.#facts.fixed !== undefined;
    this.#isDiscarding = false;
    this.#request.reset();
    this.#exchange.begin();
    this.#http10 = null;
    this.#hasMoreBehind = false;
    if (next === FAULTY) {
      this.#refuse(head.fault);
      return bytes.length;
    }
    this.#request.isHttp10 = head.minorVersion === 0;
    return needsRewriting(head) ? this.#readRewritten(head, bytes, next) : this.#examine(head, bytes, next);
  }

  /** Examines the head in its rewritten form. The bytes after the original head are still read from `bytes`, at `next`. */
  #readRewritten(head: Head, bytes: Buffer, next: number): number {
    const { facts, negotiated } = this.#facts;
    const written = rewrittenHead(head, negotiated === null ? null : facts.serverName);
    if (head.parseRequest(written, 0, written.length) === FAULTY) {
      this.#refuse(head.fault);
      return bytes.length;
    }
    this.#hasMoreBehind = next < bytes.length;
    this.#examine(head, written, written.length);
    return next;
  }

  #examine(head: Head, bytes: Buffer, next: number): number {
    const fault = this.#request.examine(head);
    const { isHttp10, isHead } = this.#request;
    this.#http10 = isHttp10 ? new Http10Response(this.#shared.answerHead, isHead) : null;
    if (fault !== null) {
      this.#refuse(fault, fault === 'hostMismatch' ? { host: head.valueOf(Field.host) } : {});
      return bytes.length;
    }
    return this.#judge(head, bytes, next);
  }

  /** Returns the offset up to which it got. */
  #judge(head: Head, bytes: Buffer, bodyStart: number): number {
    const site = siteOf(this.#facts, this.#shared);
    if (site === undefined) {
      this.#refuse('nothingOnline');
      return bytes.length;
    }
    const { fixed } = this.#facts;
    // Only for a request that was half-sent when the settings changed: else the connection ended then.
    if (!fitsSite(this.#facts, site)) {
      this.#refuse('connectionOutdated');
      return bytes.length;
    }
    const verdict = this.#exchange.judge(site, head, fixed?.reply);
    if (!(verdict instanceof Promise)) return this.#proceed(verdict, head, bytes, bodyStart);
    this.#stage = Stage.verdict;
    this.#since = this.#shared.clock;
    // Other connections use the head meanwhile, and the network its buffer.
    const copy = Buffer.from(bytes.subarray(head.start));
    verdict.then(
      (later) => this.#try(() => this.#resume(later, copy)),
      (error: unknown) => this.crashed(error),
    );
    return bytes.length;
  }

  /** The verdict is there. `bytes` begin with the request. */
  #resume(verdict: RequestVerdict, bytes: Buffer): void {
    if (this.#stage !== Stage.verdict) return;
    const head = this.#shared.requestHead;
    const next = head.parseRequest(bytes, 0, bytes.length);
    this.#request.examine(head);
    this.#stage = Stage.head;
    this.#hasMoreBehind = this.#socket.hasPipelined;
    this.hasMore = next < bytes.length || this.#hasMoreBehind;
    const site = siteOf(this.#facts, this.#shared);
    const isStill = site !== undefined && this.#exchange.isStillDecidedBy(site);
    const pos = isStill ? this.#proceed(verdict, head, bytes, next) : this.#judge(head, bytes, next);
    this.#consumeFrom(bytes, pos);
    this.#goOn();
  }

  /** Takes one request as far as its bytes go; returns the offset after them. */
  #proceed(verdict: RequestVerdict, head: Head, bytes: Buffer, bodyStart: number): number {
    const request = this.#request;
    const body = this.#body;
    this.#bodySpans.begin();
    body.begin(request.framing, request.connection.dropped);
    this.#bodyRate.begin(this.#shared.clock);
    let pos = bodyStart;
    if (body.done || bodyStart === bytes.length) body.from = body.to = bodyStart;
    else pos = body.read(bytes, bodyStart, bytes.length);
    if (body.fault !== null) {
      this.#refuse(body.fault);
      return bytes.length;
    }
    this.#stage = body.done ? Stage.answer : Stage.body;
    this.hasMore = pos < bytes.length || this.#hasMoreBehind;
    this.#exchange.proceed(verdict, head);
    return pos;
  }

  #readBody(bytes: Buffer, pos: number): number {
    const body = this.#body;
    const next = body.read(bytes, pos, bytes.length);
    this.#bodyRate.count(next - pos);
    if (body.fault !== null) {
      this.#stopReading(body.fault);
      return bytes.length;
    }
    if (!this.#isDiscarding) this.#bodySpans.giveTo(this.#exchange, bytes, next);
    if (!body.done || this.#stage !== Stage.body) return next;
    this.#stage = Stage.answer;
    if (this.#isDiscarding) this.answered(false);
    else this.#exchange.requestEnded();
    return next;
  }

  /** The rest of this request will not be read. */
  #stopReading(name: ErrorName): void {
    if (this.#isDiscarding) {
      // The response is out already, so no error can be sent.
      this.#close();
      return;
    }
    this.#exchange.stopForwarding();
    this.#refuse(name);
  }

  /** Answers with an error and closes: what comes next on this connection cannot be trusted, or not be served. */
  #refuse(name: ErrorName, values: Readonly<Record<string, string>> = {}): void {
    this.mustClose = true;
    this.#exchange.fail(name, values);
  }

  #isIdle(): boolean {
    return this.#stage === Stage.head && this.#partialHead.length === 0 && !this.#socket.hasPipelined;
  }

  #goOn(): void {
    const mayRead = this.#stage === Stage.body || (this.#stage === Stage.head && !this.#socket.blocked);
    if (this.#isConsuming || !mayRead) return;
    const pipelined = this.#socket.takePipelined();
    if (pipelined !== null) this.#consume(pipelined);
  }

  /** `isAllSaid`: else what still comes is read and thrown away for a while, since unread bytes would cost the visitor the answer. */
  #close(isAllSaid = false): void {
    this.#stage = Stage.closing;
    this.#since = this.#shared.clock;
    this.#linger ??= this.#shared.linger(this.#facts.source);
    this.#partialHead.clear();
    this.#socket.takePipelined();
    this.#socket.pauseBody(false);
    if (isAllSaid) this.#socket.endAtOnce();
    else this.#socket.end();
  }

  /** Returns true if the visitor requested the end of the connection with this request, which was read completely. */
  #isAllSaid(): boolean {
    return this.#request.connection.close && this.#body.done && !this.hasMore && !this.#socket.hasPipelined;
  }

  get #state() {
    return {
      stage: this.#stage,
      since: this.#since,
      lastRead: this.#lastRead,
      lastHeard: this.#exchange.lastHeard,
      halfClosed: this.#exchange.halfClosed,
      isOver: this.#exchange.isOver,
      isPartialHead: this.#partialHead.length > 0,
      isFlushed: this.#isFlushed,
      linger: this.#linger,
      bodyRate: this.#bodyRate,
      socket: this.#socket,
    };
  }

  #act(due: Due): void {
    switch (due) {
      case null:
        return;
      case 'abort':
        this.#exchange.abort();
        return;
      case 'close':
        this.#close();
        return;
      case 'destroy':
        this.destroy();
        return;
      case 'expire':
        this.#exchange.expire();
        return;
      case 'flushed':
        this.#isFlushed = true;
        this.#linger?.begin(this.#shared.clock);
        return;
      case 'probe':
        this.#isSilent ||= this.#shared.silentVisitors.enter(this.#facts.source);
        if (this.#isSilent) this.#socket.probePeer();
        else this.#exchange.abort();
        return;
      case 'refuse':
        if (this.#stage === Stage.body) {
          this.#stopReading('requestTimeout');
          return;
        }
        this.#request.reset();
        this.#exchange.begin();
        this.#refuse('requestTimeout');
        return;
      default:
        due satisfies never;
    }
  }
}
