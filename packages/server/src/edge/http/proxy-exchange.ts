/**
 * Sends a request to the pick of the route's backend, and the response back.
 * Invariant: a request is sent again only if nothing can be lost, or if the first place has passed nothing on.
 */
import { ErrorCode, Replay } from '@underpass/wire';
import type { MessageFault } from '@underpass/wire/http1';
import type { ErrorName } from '../../errors/catalogue.ts';
import { type DialFault, dialFault } from '../../errors/dial-fault.ts';
import type { ByteStream, ProxyConnection } from '../../online/online.ts';
import { faultOf, isForNow, isUntouched } from '../backends/loss.ts';
import { stillLedTo } from '../backends/still-led-to.ts';
import type { Wanted } from '../backends/streams.ts';
import type { Upstream, UpstreamUser } from '../backends/upstream.ts';
import type { Waiting } from '../backends/waiting-room.ts';
import type { Backend, Opener, Reply } from '../sites/site.ts';
import { AnswerRelay } from './answer-relay.ts';
import type { Shared } from './shared.ts';
import type { ForwardedRequest, HalfClosed, UpstreamSide, Visitor } from './visitor.ts';

const Phase = { idle: 0, answer: 1, tunnel: 2 } as const;

/** Requests that must not be sent twice only use an upstream idle for less than this: one about to time out could lose them. */
const UNREPEATABLE_IDLE_MS = 1500;
/** Milliseconds by which this side ends an idle connection before its upstream does: network time, and a clock in seconds. */
const KEEP_ALIVE_MARGIN_MS = 2000;
/** Pieces of a body that are kept apart while the request waits; more are joined. */
const HELD_PIECES = 64;

/** Errors of the place where the request was sent last. */
const OF_THE_PLACE: ReadonlySet<ErrorName> = new Set([
  'upstreamUnreachable',
  'upstreamClosed',
  'upstreamTimeout',
  'upstreamDialFailed',
  'upstreamDialTimeout',
  'upstreamTlsFailed',
]);

/** Made once per visitor connection, used for one request after another. */
export class ProxyExchange implements UpstreamSide, UpstreamUser {
  readonly #shared: Shared;
  readonly #visitor: Visitor;
  readonly #source: string;
  readonly #answer: AnswerRelay;
  readonly #sent = new Replay();
  #phase: number = Phase.idle;
  #upstream: Upstream | null = null;
  /** Place to which the request was sent last. */
  #opener: Opener | null = null;
  #wanted: Wanted | null = null;
  /** Backend of the route that decided the request. */
  #backend: Backend | null = null;
  #request: ForwardedRequest | null = null;
  /** Reason why the last place did not take the request. */
  #refusal: ErrorName | null = null;
  /** Cause why the last place gave no response. */
  #dialFault: DialFault | null = null;
  #wasFresh = true;
  /** No place has a stream for it at the moment. */
  #waiting: Waiting | null = null;
  #isBodyHeld = false;
  /** Pieces of the body that arrived while the request waited. */
  #held: Buffer[] = [];
  /** The visitor is slow. */
  #paused = false;
  /** The answer's stages are. */
  #isStagePaused = false;
  #isWebsocket = false;
  halfClosed: HalfClosed | null = null;
  /** Coarse time of the last sign of life of the upstream. */
  lastHeard = 0;

  /** `source` is the key of the visitor's address, from `sourceKey`. */
  constructor(shared: Shared, visitor: Visitor, source: string) {
    this.#shared = shared;
    this.#visitor = visitor;
    this.#source = source;
    this.#answer = new AnswerRelay(shared, visitor, this);
  }

  /** Place to which the request went; null while it is nowhere. */
  get opener(): Opener | null {
    return this.#upstream === null ? null : this.#opener;
  }

  get isReused(): boolean {
    return this.#upstream !== null && !this.#wasFresh;
  }

  /** Sends the head, with as much of the body as is in the same buffer. */
  start(backend: Backend, connection: ProxyConnection, request: ForwardedRequest, head: Buffer): void {
    this.#request = request;
    this.#backend = backend;
    this.#wanted = { backend, connection, source: this.#source, tried: null, turn: null };
    this.#refusal = null;
    this.#dialFault = null;
    this.halfClosed = null;
    this.#sent.begin();
    this.#sent.add(head);
    this.#send(request.repeatable ? Number.POSITIVE_INFINITY : UNREPEATABLE_IDLE_MS);
  }

  #send(withinMs: number): void {
    this.#phase = Phase.answer;
    this.#paused = false;
    this.#isStagePaused = false;
    const upstream = this.#obtain(withinMs);
    if (typeof upstream !== 'string' || !this.#wait(upstream, withinMs)) this.#take(upstream);
  }

  #obtain(withinMs: number): Upstream | Reply | ErrorName {
    const { streams, clock } = this.#shared;
    this.lastHeard = clock;
    return streams.obtain(this.#wanted!, { now: clock, withinMs });
  }

  /** Waits for a stream where one may be free soon. False: there is no use in it. */
  #wait(refusal: ErrorName, withinMs: number): boolean {
    const { streams } = this.#shared;
    const wanted = this.#wanted!;
    if (!this.#sent.isKept || !streams.isBusy(wanted)) return false;
    let last = refusal;
    const done = (upstream: Upstream | Reply | ErrorName): void => {
      this.#waiting = null;
      try {
        this.#take(upstream);
      } catch (error) {
        this.#visitor.crashed(error);
      }
    };
    this.#waiting = streams.wait(() => this.#wanted!, {
      attempt: () => {
        // The kept bytes may have been evicted for other requests.
        const upstream = this.#sent.isKept ? this.#obtain(withinMs) : 'tunnelBusy';
        if (typeof upstream === 'string' && streams.isBusy(this.#wanted!)) {
          last = upstream;
          return false;
        }
        done(upstream);
        return true;
      },
      expired: (reason) => done(reason ?? last),
    });
    if (this.#waiting === null) return false;
    this.#isBodyHeld = !this.#visitor.requestComplete;
    if (this.#isBodyHeld) this.#visitor.pauseBody();
    return true;
  }

  /** Waits for an agent that was lost a moment ago. Returns false if none is expected. */
  #awaitAgent(): boolean {
    if (!this.#sent.isKept) return false;
    this.#waiting = this.#visitor.whenServed((backend) => {
      this.#waiting = null;
      try {
        this.#goOnAt(backend);
      } catch (error) {
        this.#visitor.crashed(error);
      }
    });
    if (this.#waiting === null) return false;
    this.#isBodyHeld = !this.#visitor.requestComplete;
    if (this.#isBodyHeld) this.#visitor.pauseBody();
    return true;
  }

  /** `backend`: null if its name is not served, or not for this request. */
  #goOnAt(backend: Backend | null): void {
    if (backend === null || !this.#sent.isKept) {
      this.#fail(this.#refusal ?? 'nothingOnline');
      return;
    }
    this.#backend = backend;
    this.#wanted = { ...this.#wanted!, backend, tried: null, turn: null };
    this.#send(0);
  }

  #take(upstream: Upstream | Reply | ErrorName): void {
    if (typeof upstream === 'string') {
      if (upstream !== 'nothingOnline' || !this.#awaitAgent()) this.#fail(this.#refusal ?? upstream);
      return;
    }
    if ('kind' in upstream) {
      this.#detach();
      this.#visitor.reply(upstream);
      return;
    }
    this.#upstream = upstream;
    this.#opener = upstream.opener;
    this.#wasFresh = upstream.isFresh;
    this.#answer.begin(this.#request!);
    upstream.user = this;
    if (this.#isBodyHeld) this.#visitor.resumeBody();
    this.#isBodyHeld = false;
    for (const chunk of this.#sent.chunks()) this.#write(upstream, chunk);
    if (this.#held.length > 0) this.#sendHeld();
  }

  #sendHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const piece of held) this.requestData(piece);
  }

  movedTo(now: Backend): void {
    if (this.#wanted !== null && this.#sent.isKept)
      this.#wanted = { ...this.#wanted, backend: stillLedTo(this.#backend!, now) };
  }

  /** Receives a piece of the request body, framed as in its head; after a switch, any bytes. */
  requestData(bytes: Buffer): void {
    const upstream = this.#upstream;
    if (upstream === null) {
      if (this.#waiting !== null) this.#hold(bytes);
      return;
    }
    this.#sent.add(bytes);
    this.#write(upstream, bytes);
  }

  /** The rest of one read, or a body that was awaited as a whole: the visitor is paused. */
  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    if (this.#held.length > HELD_PIECES) this.#held = [Buffer.concat(this.#held)];
  }

  #write(upstream: Upstream, bytes: Buffer): void {
    const hasRoom = upstream.stream.write(bytes);
    if (!hasRoom && this.#upstream === upstream) this.#visitor.pauseBody();
  }

  /** The last byte of the request is on its way: from now on the upstream is waited for. */
  requestEnded(): void {
    this.lastHeard = this.#shared.clock;
  }

  /** The visitor half-closed a switched connection. */
  visitorEnded(): void {
    this.#endedBy('visitor');
    this.#upstream?.stream.end();
  }

  #endedBy(by: HalfClosed['by']): void {
    this.halfClosed = { by, since: this.#shared.clock, isWebsocket: this.#isWebsocket };
  }

  visitorDrained(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.lastHeard = this.#shared.clock;
    this.#answer.resume();
    if (!this.#isStagePaused) this.#upstream?.stream.resume();
  }

  /** The answer waits: what is kept of the request lies alone in memory from now on. */
  settle(): void {
    this.#sent.settle();
  }

  /** The visitor is gone, or the request turned out malformed. */
  cancel(): void {
    this.#detach()?.drop();
  }

  /** The upstream has been silent for too long. */
  expire(): void {
    if (this.#phase === Phase.answer && !this.#answer.hasBegun) {
      this.#dialFault = dialFault('timeout', 'no response in time');
      this.#fail('upstreamTimeout');
    } else this.#abort();
  }

  // ----- events of the upstream

  upstreamData(chunk: Buffer): void {
    this.lastHeard = this.#shared.clock;
    if (this.#sent.isKept) this.#sent.forget();
    try {
      if (this.#phase === Phase.answer) this.#answer.data(chunk);
      else if (this.#phase === Phase.tunnel) this.relay(chunk, true);
    } catch (error) {
      this.#visitor.crashed(error);
    }
  }

  upstreamEnd(): void {
    try {
      if (this.#phase === Phase.tunnel) this.#upstreamEndedTunnel();
      else if (this.#phase === Phase.answer && this.#answer.hasBegun) this.#answer.upstreamEnded();
      else if (this.#phase === Phase.answer) this.#closedBeforeAnswer(ErrorCode.none, this.#upstream?.stream);
    } catch (error) {
      this.#visitor.crashed(error);
    }
  }

  upstreamClosed(code: ErrorCode): void {
    const stream = this.#upstream?.stream;
    const fault = stream?.fault;
    this.#upstream = null;
    try {
      if (this.#phase === Phase.answer) {
        if (this.#answer.hasBegun) this.answerCut(fault ?? null);
        else if (fault !== undefined) this.answerInvalid(fault);
        else this.#closedBeforeAnswer(code, stream);
      } else if (this.#phase === Phase.tunnel) {
        this.#phase = Phase.idle;
        if (code === ErrorCode.none) this.#upstreamEndedTunnel();
        else this.#visitor.abort();
      }
    } catch (error) {
      this.#visitor.crashed(error);
    }
  }

  #upstreamEndedTunnel(): void {
    this.#endedBy('upstream');
    this.#visitor.endWriting();
  }

  upstreamDrain(): void {
    this.lastHeard = this.#shared.clock;
    this.#visitor.resumeBody();
  }

  #closedBeforeAnswer(code: ErrorCode, stream: ByteStream | undefined): void {
    const failure = stream?.failure;
    this.#dialFault = faultOf(stream, this.#opener, code);
    const wasRefused = isUntouched(code);
    if (this.#answer.heardAnything) {
      this.answerInvalid(this.#answer.unfinishedHead());
    } else if ((wasRefused || this.#mayBeUnreached(failure)) && this.#wasFresh && this.#sent.isKept) {
      const passes = failure === undefined && isForNow(code) && this.#opener!.refusesForNow === true;
      if (!passes) this.#refusal = failure ?? 'upstreamUnreachable';
      this.#shared.streams.refused(this.#wanted!, this.#opener!, passes);
      this.#sendAgain(Number.POSITIVE_INFINITY);
    } else if (this.#wasFresh && !this.#opener!.closed.aborted) {
      this.#fail(failure ?? 'upstreamUnreachable');
    } else if ((this.#request!.repeatable || wasRefused) && this.#sent.isKept) {
      this.#sendAgain(0);
    } else {
      this.#fail('upstreamClosed');
    }
  }

  /** Its agent does not report if it reached the service, and nothing is lost by a second request. */
  #mayBeUnreached(failure: ErrorName | undefined): boolean {
    const opener = this.#opener!;
    const isHidden = opener.hidesDials === true && !opener.closed.aborted && failure === undefined;
    return isHidden && this.#request!.repeatable;
  }

  #sendAgain(withinMs: number): void {
    this.#release()?.drop();
    this.#visitor.resumeBody();
    this.#send(withinMs);
  }

  // ----- what becomes of the answer

  /** False when the visitor is gone or the exchange over. */
  saved(bytes: number): void {
    this.#visitor.saved(bytes);
  }

  relay(bytes: Buffer, more: boolean): boolean {
    if (!this.#visitor.relay(bytes, more) && !this.#paused && this.#phase !== Phase.idle) {
      this.#paused = true;
      this.#answer.pause();
      this.#upstream?.stream.pause();
    }
    return this.#phase !== Phase.idle;
  }

  /** The answer's stages are slow, or no longer. */
  pauseUpstream(isPaused: boolean): void {
    this.#isStagePaused = isPaused;
    if (isPaused) this.#upstream?.stream.pause();
    else if (!this.#paused) this.#upstream?.stream.resume();
  }

  answerInvalid(fault: MessageFault): void {
    this.#visitor.upstreamFault(fault);
    this.#fail('upstreamResponseInvalid');
  }

  answerCut(fault: MessageFault | null): void {
    if (fault !== null) this.#visitor.upstreamFault(fault);
    this.#abort();
  }

  crashed(error: unknown): void {
    this.#visitor.crashed(error);
  }

  /** Reports that 101 was written for this protocol. */
  answerSwitched(protocol: string): void {
    this.#phase = Phase.tunnel;
    this.#isWebsocket = protocol.toLowerCase() === 'websocket';
    this.#visitor.switched();
  }

  /** Reports the end of the response. `keepAliveMs` is the upstream's keep-alive time; null for none. */
  upstreamDone(reusable: boolean, keepAliveMs: number | null): void {
    const upstream = this.#release();
    if (upstream === null) return;
    if (keepAliveMs !== null) {
      upstream.idleMs = Math.min(keepAliveMs - KEEP_ALIVE_MARGIN_MS, this.#shared.limits.idleStreamMs);
    }
    upstream.release(reusable && this.#visitor.requestComplete, this.#shared.clock);
  }

  /** The last byte for the visitor is written. */
  answerDone(): void {
    this.#detach()?.drop();
    this.#visitor.answered();
  }

  #fail(name: ErrorName): void {
    this.#detach()?.drop();
    if (this.#dialFault !== null && OF_THE_PLACE.has(name)) this.#visitor.unreached(this.#dialFault);
    this.#visitor.fail(name);
  }

  #abort(): void {
    this.#detach()?.drop();
    this.#visitor.abort();
  }

  #detach(): Upstream | null {
    this.#phase = Phase.idle;
    this.#waiting?.cancel();
    this.#waiting = null;
    this.#isBodyHeld = false;
    if (this.#held.length > 0) this.#held = [];
    this.#answer.cancel();
    this.#sent.forget();
    return this.#release();
  }

  #release(): Upstream | null {
    const upstream = this.#upstream;
    this.#upstream = null;
    if (upstream !== null) {
      upstream.user = null;
      if (this.#paused || this.#isStagePaused) upstream.stream.resume();
    }
    return upstream;
  }
}
