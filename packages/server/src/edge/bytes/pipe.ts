/**
 * Copies bytes between one connection and the pick of its route's backend, unread.
 * Invariant: no byte is changed, or sent to a second place after the first one passed something on.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  ErrorCode,
  GatheredWrites,
  noopHandler,
  Replay,
  resetSocket,
  type StreamHandler,
} from '@underpass/wire';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { DialFault } from '../../errors/dial-fault.ts';
import type { ProxyConnection } from '../../online/online.ts';
import { probePeer, type SilentVisitors, watchPeer } from '../../system/silent-visitors.ts';
import { faultOf, isForNow, isUntouched, lossOf } from '../backends/loss.ts';
import type { Share } from '../backends/source-shares.ts';
import type { Streams, Wanted } from '../backends/streams.ts';
import type { Waiting } from '../backends/waiting-room.ts';
import { nobody, type Observe } from '../sites/exchange-record.ts';
import { fitsPolicy } from '../sites/fits-policy.ts';
import type { ByteStream, ConnectionFacts, Opener, Reply, Route, Site } from '../sites/site.ts';
import { HalfClosed } from './half-closed.ts';
import { Stall } from './stall.ts';

/** Bytes that a connection may have sent while it waits for a stream; the rest stays in its socket. */
const WAITING_BYTES = 32 * 1024;

/** The context that all pipes share. */
export interface PipeContext {
  readonly streams: Streams;
  /**
   * Milliseconds for which a connection may stall because one side does not read. Such a reader must not keep a stream
   * for ever.
   */
  readonly stallMs: number;
  /** Milliseconds of silence after which a half-closed connection ends. */
  readonly halfClosedMs: number;
  /** Silent half-closed connections that may live longer. */
  readonly silentVisitors: SilentVisitors;
  readonly observe: Observe | null;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Called with each place that accepts the connection. The last one has it. */
  readonly opened: (opener: Opener) => void;
  /** Called once, when the connection has ended or was handed over. */
  readonly left: (pipe: Pipe) => void;
}

export interface PipedConnection {
  /** The socket, with a hello that was put back, or with TLS. */
  readonly socket: Socket | TLSSocket;
  readonly facts: ConnectionFacts;
  /** The key of the visitor's address, from `sourceKey`. */
  readonly source: string;
  readonly proto: ProxyConnection['proto'];
  readonly site: Site;
  /** Returns the site to which its name, or its port, leads at the moment. */
  readonly siteNow: () => Site | undefined;
  /** Takes the connection over if there is a response and no place. Absent: no response is possible. */
  readonly answer?: (fixed: { readonly reply: Reply; readonly route: Route }) => void;
}

export class Pipe implements StreamHandler {
  readonly connection: PipedConnection;
  readonly #context: PipeContext;
  readonly #socket: Socket | TLSSocket;
  readonly #toVisitor: GatheredWrites;
  readonly #sent = new Replay();
  readonly #visitorStall: Stall;
  readonly #backendStall: Stall;
  readonly #halfClosed: HalfClosed;
  readonly #decisions = new Map<string, string>();
  readonly #startedAt: number;
  #site: Site;
  #route: Route | null = null;
  #wanted: Wanted | null = null;
  #opener: Opener | null = null;
  #stream: ByteStream | null = null;
  #share: Share | null = null;
  /** The wait for a stream; null if there is none. */
  #waiting: Waiting | null = null;
  /** Null before anything came from the backend. */
  #firstByteAt: number | null = null;
  #bytesIn = 0;
  #bytesOut = 0;
  #error: ErrorName | null = null;
  /** The cause why the service was not reached. */
  #fault: DialFault | null = null;
  /** True if it counts as a silent visitor. */
  #isSilent = false;

  constructor(connection: PipedConnection, context: PipeContext) {
    this.connection = connection;
    this.#context = context;
    this.#socket = connection.socket;
    this.#toVisitor = new GatheredWrites(connection.socket, () => this.#visitorDrained());
    this.#site = connection.site;
    this.#visitorStall = new Stall(context.stallMs, () => this.destroy());
    this.#backendStall = new Stall(context.stallMs, () => this.destroy());
    this.#halfClosed = new HalfClosed(context.halfClosedMs, () => this.#silent());
    this.#startedAt = context.now();
  }

  /** The place that has the connection; null before there is one. */
  get opener(): Opener | null {
    return this.#opener;
  }

  /** Connects to the first place that accepts it. Returns false if none does; then it is closed, or gets a response. */
  start(): boolean {
    const instead = this.#admit() ?? this.#open();
    if (instead !== null && !this.#wait(instead)) {
      if (!this.#isAnswered(instead))
        this.#fail(typeof instead === 'string' ? instead : 'fixedResponseNotTerminated');
      return false;
    }
    const socket = this.#socket;
    // Either direction may end first.
    socket.allowHalfOpen = true;
    socket.on('data', this.#fromVisitor).on('end', this.#visitorEnded).on('close', this.#closed);
    socket.resume();
    return true;
  }

  #isAnswered(instead: Reply | ErrorName): boolean {
    const { answer } = this.connection;
    if (typeof instead === 'string' || answer === undefined) return false;
    answer({ reply: instead, route: this.#route! });
    return true;
  }

  #fail(error: ErrorName): void {
    this.#error = error;
    this.#record();
    this.#socket.destroy();
  }

  /**
   * Moves it to the site that its name leads to now. Returns false if it could not have been opened there, or if its visitor is not
   * allowed.
   */
  moveTo(site: Site | undefined): boolean {
    if (site === this.#site) return true;
    if (site === undefined || site.id !== this.#site.id || site.carries !== 'bytes') return false;
    if (!fitsPolicy(this.connection.facts, this.#site.tls, site.tls)) return false;
    this.#site = site;
    if (this.#admit() !== null) return false;
    const { backend } = this.#route!;
    if (this.#wanted !== null) this.#wanted = { ...this.#wanted, backend };
    return this.#opener === null || backend.leadsTo(this.#opener);
  }

  /** Ends it at once, in both directions. */
  destroy(): void {
    this.#toVisitor.flush();
    // Only a plain socket can be reset. With TLS, the missing close_notify shows the cut.
    if (this.#socket instanceof TLSSocket) this.#socket.destroy();
    else resetSocket(this.#socket);
  }

  /** Null when the route serves this visitor. */
  #admit(): ErrorName | null {
    const route = this.#site.route('');
    this.#route = route;
    for (const guard of route.guards) {
      // Guards of requests are never on such sites, unless the site serves no visitor.
      const verdict =
        guard.reads === 'connection' ? guard.check(this.connection.facts) : 'moduleWithoutEffect';
      this.#decisions.set(guard.name, verdict === null ? 'allow' : 'block');
      if (verdict !== null) return typeof verdict === 'string' ? verdict : 'moduleWithoutEffect';
    }
    return route.refusal;
  }

  #open(): Reply | ErrorName | null {
    this.#wanted ??= {
      backend: this.#route!.backend,
      connection: {
        clientAddr: this.connection.facts.clientAddr,
        serverAddr: this.connection.facts.serverAddr,
        proto: this.connection.proto,
        edgeType: this.#site.edgeType,
        passthroughTls: this.connection.proto === 'tls' && this.#site.tls === null,
      },
      source: this.connection.source,
      tried: null,
      turn: null,
    };
    const opened = this.#context.streams.open(this.#wanted);
    if (typeof opened === 'string' || 'kind' in opened) return opened;
    this.#opener = opened.opener;
    this.#stream = opened.stream;
    this.#share = opened.share;
    this.#sent.begin();
    opened.stream.handler = this;
    this.#context.opened(opened.opener);
    return null;
  }

  /** Waits for a stream if one may be free soon. Returns false if it cannot. */
  #wait(instead: Reply | ErrorName): boolean {
    const { streams } = this.#context;
    if (typeof instead !== 'string' || this.#wanted === null || !streams.isBusy(this.#wanted)) return false;
    let last = instead;
    this.#waiting = streams.wait(() => this.#wanted!, {
      attempt: () => {
        const sent = [...this.#sent.chunks()];
        // Kept bytes may have been evicted.
        const given = this.#sent.isKept ? this.#open() : 'tunnelBusy';
        if (typeof given === 'string' && streams.isBusy(this.#wanted!)) {
          last = given;
          return false;
        }
        this.#waiting = null;
        if (given === null) this.#resend(sent);
        else if (!this.#handOver(given, sent)) this.#giveUp(given);
        return true;
      },
      expired: (reason) => {
        this.#waiting = null;
        this.#giveUp(reason ?? last);
      },
    });
    if (this.#waiting === null) return false;
    this.#opener = null;
    if (!this.#sent.isKept) this.#sent.begin();
    return true;
  }

  #giveUp(instead: Reply | ErrorName): void {
    this.#error = typeof instead === 'string' ? instead : 'fixedResponseNotTerminated';
    this.destroy();
  }

  /** Keeps the visitor's bytes during the wait, within a limit. */
  #hold(chunk: Buffer): void {
    const socket = this.#socket;
    if (this.#bytesIn > 0 && this.#bytesIn + chunk.length > WAITING_BYTES) {
      socket.pause();
      socket.unshift(chunk);
      return;
    }
    this.#bytesIn += chunk.length;
    this.#sent.add(chunk);
  }

  readonly #fromVisitor = (chunk: Buffer): void => {
    if (this.#waiting !== null) {
      this.#hold(chunk);
      return;
    }
    this.#bytesIn += chunk.length;
    this.#halfClosed.progress();
    this.#sent.add(chunk);
    if (this.#stream?.write(chunk) === false) this.#waitForBackend();
  };

  readonly #visitorEnded = (): void => {
    // One that waits and has sent nothing has left.
    if (this.#waiting !== null && this.#bytesIn === 0) this.destroy();
    this.#halfClosed.begin();
    watchPeer(this.#socket);
    this.#stream?.end();
  };

  /** It is half-closed, and no byte was carried for a while. */
  #silent(): void {
    // Bytes that the visitor has not read are a stall, which has its own limit.
    if (this.#socket.writableLength > 0) this.#visitorStall.begin();
    else if (this.#mayBeSilent()) probePeer(this.#socket);
    else this.destroy();
  }

  /** Returns true if the visitor may still wait for a response of the backend. */
  #mayBeSilent(): boolean {
    if (this.#socket.writableEnded || this.#stream === null) return false;
    this.#isSilent ||= this.#context.silentVisitors.enter(this.connection.source);
    return this.#isSilent;
  }

  data(chunk: Buffer): void {
    if (this.#sent.isKept) this.#sent.forget();
    this.#bytesOut += chunk.length;
    this.#halfClosed.progress();
    this.#firstByteAt ??= this.#context.now();
    if (!this.#toVisitor.write(chunk)) {
      this.#stream?.pause();
      this.#visitorStall.begin();
    }
  }

  #visitorDrained(): void {
    this.#visitorStall.end();
    this.#stream?.resume();
  }

  end(): void {
    if (this.#mayBeUnreached() && this.#goElsewhere()) return;
    this.#sent.forget();
    this.#endVisitor();
  }

  /** Its agent does not report if it reached the service, and nothing is lost by another place. */
  #mayBeUnreached(): boolean {
    if (this.#opener?.hidesDials !== true || !this.#sent.isKept) return false;
    // Before the service has sent anything, TLS has carried no more than a hello.
    return this.#sent.isEmpty || this.#wanted?.connection.passthroughTls === true;
  }

  /** The service has ended the stream without a byte. */
  #goElsewhere(): boolean {
    const stream = this.#stream;
    if (stream === null) return false;
    this.#lose();
    stream.handler = noopHandler;
    stream.reset(ErrorCode.streamCancelled);
    return this.#replay(false);
  }

  #endVisitor(): void {
    this.#halfClosed.begin();
    this.#socket.end();
  }

  drain(): void {
    this.#backendStall.end();
    this.#socket.resume();
  }

  /** It has no room: the visitor waits. */
  #waitForBackend(): void {
    this.#socket.pause();
    this.#backendStall.begin();
  }

  close(code: ErrorCode): void {
    const stream = this.#stream;
    this.#lose();
    if (code === ErrorCode.none) {
      this.#endVisitor();
      return;
    }
    if (!this.#socket.destroyed && this.#passedNothingOn(code) && this.#replay(isForNow(code))) return;
    const hasSpoken = this.#firstByteAt !== null;
    this.#error = lossOf(stream, this.#opener, hasSpoken);
    if (!hasSpoken) this.#fault = faultOf(stream, this.#opener, code);
    this.destroy();
  }

  /** The stream is of no use any more. */
  #lose(): void {
    this.#stream = null;
    this.#share?.release();
    this.#share = null;
  }

  /** Agent protocol, section 2: the agent did not begin, so that the connection may be given to another one. */
  #passedNothingOn(code: ErrorCode): boolean {
    return this.#sent.isKept && isUntouched(code);
  }

  #replay(isForNow: boolean): boolean {
    const sent = [...this.#sent.chunks()];
    this.#context.streams.refused(this.#wanted!, this.#opener!, isForNow);
    const instead = this.#open();
    if (instead !== null) return this.#wait(instead) || this.#handOver(instead, sent);
    this.#resend(sent);
    return true;
  }

  /** Sends the kept bytes to a stream that was just opened. */
  #resend(sent: readonly Buffer[]): void {
    const stream = this.#stream!;
    let room = true;
    for (const chunk of sent) {
      this.#sent.add(chunk);
      room = stream.write(chunk);
    }
    if (this.#socket.readableEnded) stream.end();
    if (room) this.drain();
    else this.#waitForBackend();
  }

  /** Hands the connection over for a response, with the visitor's bytes put back. */
  #handOver(instead: Reply | ErrorName, sent: readonly Buffer[]): boolean {
    const socket = this.#socket;
    const { answer } = this.connection;
    if (typeof instead === 'string' || answer === undefined || socket.readableEnded) return false;
    this.#leave();
    socket.off('data', this.#fromVisitor).off('end', this.#visitorEnded).off('close', this.#closed);
    socket.pause();
    if (sent.length > 0) socket.unshift(Buffer.concat(sent));
    answer({ reply: instead, route: this.#route! });
    socket.resume();
    return true;
  }

  #leave(): void {
    this.#visitorStall.end();
    this.#backendStall.end();
    this.#halfClosed.end();
    this.#waiting?.cancel();
    this.#waiting = null;
    if (this.#isSilent) this.#context.silentVisitors.leave(this.connection.source);
    this.#isSilent = false;
    this.#sent.forget();
    this.#context.left(this);
  }

  readonly #closed = (): void => {
    this.#leave();
    this.#stream?.reset(ErrorCode.streamCancelled);
    this.#record();
  };

  #record(): void {
    const { observe, now } = this.#context;
    if (observe === null) return;
    observe({
      kind: 'bytes',
      site: this.#site.id,
      account: this.#site.account,
      route: this.#route?.id ?? '',
      backend: this.#route?.backend.id ?? '',
      servedBy: this.#opener?.id ?? '',
      credential: this.#opener?.facts?.credential ?? '',
      endpoint: this.#site.endpoint ?? '',
      connection: this.connection.facts,
      method: '',
      path: '',
      query: '',
      status: 0,
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
      heads: null,
      bodies: null,
      isReused: false,
      bytesSaved: 0,
      durationMs: now() - this.#startedAt,
      firstByteMs: this.#firstByteAt === null ? null : this.#firstByteAt - this.#startedAt,
      decisions: this.#decisions,
      visitors: nobody,
      error: this.#error,
      fault: this.#fault?.text ?? null,
      reason: null,
      to: this.#route?.backend ?? null,
    });
  }
}
