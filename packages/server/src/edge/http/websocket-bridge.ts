/**
 * Ends a WebSocket, and copies its bytes to a stream to the pick of the route's backend.
 * Invariant: no byte goes to a second place after the first one passed something on. Bytes that a visitor does not read are not kept
 * here.
 */
import { ErrorCode, noopHandler, Replay, type StreamHandler } from '@underpass/wire';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { DialFault } from '../../errors/dial-fault.ts';
import { faultOf, isForNow, isUntouched, lossOf } from '../backends/loss.ts';
import type { Share } from '../backends/source-shares.ts';
import type { Wanted } from '../backends/streams.ts';
import type { Waiting } from '../backends/waiting-room.ts';
import type { Backend, ByteStream, Fields, Opener, Reply } from '../sites/site.ts';
import { answerChanges } from './answer-edits.ts';
import { fieldLines } from './field-lines.ts';
import type { Shared } from './shared.ts';
import type { HalfClosed, UpstreamSide, Visitor } from './visitor.ts';
import {
  binaryHead,
  CloseCode,
  closeFrame,
  FrameReader,
  type FrameSink,
  pongFrame,
} from './websocket-frames.ts';

/** Functions of the visitor's side that a bridge needs, beyond those of a request. */
export interface BridgeVisitor extends Visitor {
  /** Reports that 101 is about to be written, before any byte of the backend. */
  answeringFirst(status: number): void;
  /** Reports the backend's response: 101, or the status of a failure. */
  backendSaid(status: number, error: ErrorName | null, fault: DialFault | null): void;
  /** Everything is written that the visitor gets: the connection ends. */
  finished(): void;
}

/** Null: a stream was opened. */
type Instead = Reply | ErrorName | null;

/** Made for one WebSocket. */
export class WebSocketBridge implements UpstreamSide, StreamHandler, FrameSink {
  readonly #shared: Pick<Shared, 'streams' | 'clock' | 'date'>;
  readonly #visitor: BridgeVisitor;
  #wanted: Wanted;
  readonly #frames = new FrameReader(this);
  readonly #sent = new Replay();
  #stream: ByteStream | null = null;
  readonly isReused = false;
  #opener: Opener | null = null;
  #share: Share | null = null;
  /** No place has a stream for it at the moment. */
  #waiting: Waiting | null = null;
  /** The visitor is slow. */
  #isPaused = false;
  /** The latest ping that is not answered, since the visitor does not read: the only one that has to be. */
  #pinged: Buffer | null = null;
  /** Each direction ends for itself. */
  #visitorEnded = false;
  #backendEnded = false;
  #isOver = false;
  #isHeard = false;
  halfClosed: HalfClosed | null = null;
  lastHeard: number;

  constructor(shared: Pick<Shared, 'streams' | 'clock' | 'date'>, visitor: BridgeVisitor, wanted: Wanted) {
    this.#shared = shared;
    this.#visitor = visitor;
    this.#wanted = wanted;
    this.lastHeard = shared.clock;
  }

  get opener(): Opener | null {
    return this.#stream === null ? null : this.#opener;
  }

  /** `fields` complete the handshake. Errors before a place is connected are HTTP responses. */
  start(fields: Fields): void {
    const begin = (instead: Instead): void => {
      if (typeof instead === 'string') this.#visitor.fail(instead);
      else if (instead !== null) this.#visitor.reply(instead);
      else this.#switch(fields);
    };
    const instead = this.#open();
    if (!this.#wait(instead, begin)) begin(instead);
  }

  /** Waits for a stream where one may be free soon. False: there is no use in it. */
  #wait(instead: Instead, done: (given: Instead, sent: readonly Buffer[]) => void): boolean {
    const { streams } = this.#shared;
    if (typeof instead !== 'string' || !streams.isBusy(this.#wanted)) return false;
    let last: Instead = instead;
    const wasSent = this.#sent.isKept;
    const end = (sent: readonly Buffer[]): void => {
      this.#waiting = null;
      this.#try(() => done(last, sent));
    };
    this.#waiting = streams.wait(() => this.#wanted, {
      attempt: () => {
        const sent = [...this.#sent.chunks()];
        // The kept bytes may have been evicted for other requests.
        last = wasSent && !this.#sent.isKept ? 'tunnelBusy' : this.#open();
        if (typeof last === 'string' && streams.isBusy(this.#wanted)) return false;
        end(sent);
        return true;
      },
      expired: (reason) => {
        last = reason ?? last;
        end([]);
      },
    });
    return this.#waiting !== null;
  }

  #switch(fields: Fields): void {
    const visitor = this.#visitor;
    visitor.answeringFirst(101);
    let lines = fieldLines(fields);
    if (visitor.route.responseEdits.length > 0) {
      const answer = { status: 101, length: null, isOwn: true, isReused: false, field: () => '' };
      lines += fieldLines(answerChanges(answer, visitor).added);
    }
    const own = `Date: ${this.#shared.date}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
    this.#write(Buffer.from(`HTTP/1.1 101 Switching Protocols\r\n${own}${lines}\r\n`, 'latin1'));
    visitor.switched();
  }

  #open(): Instead {
    const opened = this.#shared.streams.open(this.#wanted);
    if (typeof opened === 'string' || 'kind' in opened) return opened;
    this.#stream = opened.stream;
    this.#opener = opened.opener;
    this.#share = opened.share;
    this.#sent.begin();
    opened.stream.handler = this;
    opened.opener.closed.addEventListener('abort', this.#gone, { once: true });
    if (this.#isPaused) opened.stream.pause();
    return null;
  }

  /** Ends the bridge if its backend no longer serves. */
  readonly #gone = (): void => {
    this.#stream?.reset(ErrorCode.streamCancelled);
    this.close(ErrorCode.streamCancelled);
  };

  movedTo(backend: Backend): void {
    this.#wanted = { ...this.#wanted, backend };
  }

  // ----- what the visitor does

  requestData(bytes: Buffer): void {
    this.#frames.read(bytes);
  }

  requestEnded(): void {}

  /** A connection without a Close frame was cut, and the backend notices. */
  visitorEnded(): void {
    if (!this.#visitorEnded) this.#visitor.abort();
  }

  visitorDrained(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.lastHeard = this.#shared.clock;
    const pinged = this.#pinged;
    this.#pinged = null;
    if (pinged !== null) this.ping(pinged);
    if (!this.#isPaused) this.#stream?.resume();
  }

  expire(): void {
    this.#visitor.abort();
  }

  cancel(): void {
    this.#isOver = true;
    this.#waiting?.cancel();
    this.#waiting = null;
    this.#sent.forget();
    // One that both sides have ended is about to close, and what it still has on its way must arrive.
    const stream = this.#stream;
    if (stream !== null && !(this.#visitorEnded && this.#backendEnded)) {
      this.#leave();
      stream.reset(ErrorCode.streamCancelled);
    }
  }

  // ----- what is in its frames

  content(bytes: Buffer): void {
    const stream = this.#stream;
    if (stream === null) {
      if (this.#waiting === null) return;
      this.#sent.add(bytes);
      if (!this.#sent.isKept) this.#fail(CloseCode.badGateway);
      return;
    }
    this.#sent.add(bytes);
    const hasRoom = stream.write(bytes);
    if (!hasRoom && this.#stream === stream) this.#visitor.pauseBody();
  }

  ping(payload: Buffer): void {
    if (this.#backendEnded) return;
    if (this.#isPaused) this.#pinged = payload;
    else this.#write(pongFrame(payload));
  }

  closed(code: number): void {
    this.#visitorEnded = true;
    this.#endedBy('visitor');
    // Close is the last frame that it gets.
    this.#pinged = null;
    this.#stream?.end();
    if (this.#backendEnded) this.#finish();
    else this.#write(closeFrame(code));
  }

  faulty(code: number): void {
    this.#fail(code);
  }

  // ----- what the backend does

  data(chunk: Buffer): void {
    this.#try(() => {
      this.#hear();
      // A visitor that has closed reads no more, so the backend is ended, too.
      if (this.#visitorEnded) {
        this.#finish();
        return;
      }
      this.#write(binaryHead(chunk.length));
      this.#write(chunk);
    });
  }

  end(): void {
    this.#try(() => {
      if (this.#mayBeUnreached() && this.#goElsewhere()) return;
      this.#hear();
      this.#ended();
    });
  }

  /** Its agent does not report if it reached the service, and no byte was sent to it. */
  #mayBeUnreached(): boolean {
    return this.#opener?.hidesDials === true && this.#sent.isKept && this.#sent.isEmpty;
  }

  #goElsewhere(): boolean {
    const stream = this.#stream;
    if (stream === null) return false;
    this.#leave();
    stream.handler = noopHandler;
    stream.reset(ErrorCode.streamCancelled);
    return this.#openAnother(false);
  }

  drain(): void {
    this.lastHeard = this.#shared.clock;
    this.#visitor.resumeBody();
  }

  close(code: ErrorCode): void {
    const stream = this.#stream;
    this.#leave();
    this.#try(() => {
      if (this.#isOver) return;
      if (code === ErrorCode.none) {
        this.#hear();
        this.#ended();
        return;
      }
      if (isUntouched(code) && this.#sent.isKept && this.#openAnother(isForNow(code))) return;
      const fault = this.#isHeard ? null : faultOf(stream, this.#opener, code);
      this.#visitor.backendSaid(502, lossOf(stream, this.#opener, this.#isHeard), fault);
      this.#fail(CloseCode.badGateway);
    });
  }

  /** The backend has ended: the visitor closes in turn, and its bytes until then still arrive. */
  #ended(): void {
    if (this.#backendEnded) {
      // Data after the end is dropped.
      if (this.#stream === null) this.#finish();
      return;
    }
    this.#backendEnded = true;
    this.#endedBy('upstream');
    if (this.#visitorEnded) this.#finish();
    else this.#write(closeFrame(CloseCode.normal));
  }

  #endedBy(by: HalfClosed['by']): void {
    this.halfClosed = { by, since: this.#shared.clock, isWebsocket: true };
  }

  #openAnother(isForNow: boolean): boolean {
    const sent = [...this.#sent.chunks()];
    this.#shared.streams.refused(this.#wanted, this.#opener!, isForNow);
    const instead = this.#open();
    if (instead === null) {
      this.#resend(sent);
      return true;
    }
    if (!this.#wait(instead, (given, kept) => this.#waited(given, kept))) return false;
    this.#visitor.pauseBody();
    return true;
  }

  /** Continues with a stream that a place had refused before. */
  #waited(given: Instead, sent: readonly Buffer[]): void {
    if (given === null) {
      this.#resend(sent);
      return;
    }
    this.#visitor.backendSaid(502, typeof given === 'string' ? given : 'noBackendAvailable', null);
    this.#fail(CloseCode.badGateway);
  }

  /** Sends the kept bytes to a stream that was just opened. */
  #resend(sent: readonly Buffer[]): void {
    const stream = this.#stream!;
    let hasRoom = true;
    for (const chunk of sent) {
      this.#sent.add(chunk);
      hasRoom = stream.write(chunk);
    }
    if (this.#visitorEnded) stream.end();
    if (hasRoom) this.#visitor.resumeBody();
    else this.#visitor.pauseBody();
  }

  /** Records a sign of life, which is a response for watchers of the backend. */
  #hear(): void {
    this.lastHeard = this.#shared.clock;
    if (this.#isHeard) return;
    this.#isHeard = true;
    this.#sent.forget();
    this.#visitor.backendSaid(101, null, null);
  }

  #write(bytes: Buffer): void {
    if (this.#visitor.relay(bytes, true) || this.#isPaused) return;
    this.#isPaused = true;
    this.#stream?.pause();
  }

  #fail(code: number): void {
    if (this.#isOver) return;
    if (!this.#backendEnded && !this.#visitorEnded) this.#write(closeFrame(code));
    this.#finish();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.cancel();
    this.#visitor.finished();
  }

  #leave(): void {
    this.#opener?.closed.removeEventListener('abort', this.#gone);
    this.#stream = null;
    this.#share?.release();
    this.#share = null;
  }

  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#visitor.crashed(error);
    }
  }
}
