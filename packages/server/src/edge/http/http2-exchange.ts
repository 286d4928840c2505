/**
 * One stream of a visitor that speaks HTTP/2. It converts the request to HTTP/1.1 for the common exchange, and the
 * response back.
 * Invariant: an exchange never outlives its stream.
 */
import { type HeaderList, Http2Error } from '@underpass/wire/http2';
import type { ErrorName } from '../../errors/catalogue.ts';
import { Field } from '../../http-syntax/fields.ts';
import { CHUNKED } from '../../http-syntax/framing.ts';
import { FAULTY, type Head } from '../../http-syntax/head.ts';
import { Trailers } from '../../http-syntax/trailers.ts';
import { AnswerWriter } from '../../http2/answer-writer.ts';
import { requestHead } from '../../http2/request-head.ts';
import type { Http2Stream, StreamUser } from '../../http2/stream.ts';
import { trailerSection } from '../../http2/trailer-fields.ts';
import type { Linger } from '../../system/linger.ts';
import type { RequestVerdict } from '../sites/site.ts';
import { BodyRate } from './body-rate.ts';
import { type Due, dueOf, Stage } from './deadlines.ts';
import { Exchange } from './exchange.ts';
import type { ExchangeOwner, RequestBody } from './exchange-owner.ts';
import { fitsSite, type HttpConnection, siteOf } from './http-connection.ts';
import { Request } from './request.ts';
import type { Shared } from './shared.ts';

/** Data up to this are copied behind the size of their chunk, into one write. */
const COPIED_DATA = 4096;
const CRLF = Buffer.from('\r\n');

class Body implements RequestBody {
  done = true;
  /** A length has so many bytes to come. */
  remaining = 0;
  readonly from = 0;
  readonly to = 0;
  readonly tail = null;
}

export interface Http2ExchangeOwner {
  /** Reports a new request, before any step of it. */
  asked(list: HeaderList): void;
  /** The visitor sent what is no request. */
  malformed(): void;
  /**
   * Keeps bytes of a head until `released`. Returns false if there is no room: the visitor should retry after others
   * have ended.
   */
  keepsHead(bytes: number): boolean;
  /** It serves no stream any more, keeps no head, and may serve another one. */
  released(exchange: Http2Exchange, headBytes: number): void;
}

/** Made for a stream, and used for later ones of the same connection. */
export class Http2Exchange implements ExchangeOwner, StreamUser {
  readonly mustClose = false;
  readonly hasMore = false;
  readonly #shared: Shared;
  readonly #facts: HttpConnection;
  readonly #owner: Http2ExchangeOwner;
  readonly #request: Request;
  readonly #body = new Body();
  readonly #bodyRate: BodyRate;
  readonly #exchange: Exchange;
  readonly #answer: AnswerWriter;
  #trailers: Trailers | null = null;
  #stream: Http2Stream | null = null;
  #stage: number = Stage.head;
  /** Bytes of the request's head, while it is kept. */
  #headBytes = 0;
  #isDiscarding = false;
  /** The request turned out malformed before its end. */
  #isMalformed = false;
  #isBodyPaused = false;
  /** An answer has begun. */
  #hasAnswered = false;
  #since = 0;
  #lastRead = 0;
  #lastWrite = 0;
  /** Null before the response is written. */
  #linger: Linger | null = null;

  constructor(shared: Shared, facts: HttpConnection, owner: Http2ExchangeOwner) {
    this.#shared = shared;
    this.#facts = facts;
    this.#owner = owner;
    this.#bodyRate = new BodyRate(shared.limits);
    this.#request = new Request(facts.facts.serverName, [443, shared.publicPort]);
    this.#exchange = new Exchange(shared, this, facts, this.#request, this.#body);
    this.#answer = new AnswerWriter(shared.answerHead);
  }

  begin(stream: Http2Stream): void {
    const { clock } = this.#shared;
    this.#stream = stream;
    this.#stage = Stage.head;
    this.#isDiscarding = false;
    this.#isMalformed = false;
    this.#isBodyPaused = false;
    this.#hasAnswered = false;
    this.#linger = null;
    this.#since = this.#lastRead = this.#lastWrite = clock;
  }

  sweep(): void {
    this.#exchange.settle();
    this.#endTunnel();
    this.#try(() => this.#act(dueOf(this.#state, this.#shared)));
  }

  /** Checks the connection again after sites changed. */
  recheck(): void {
    this.#try(() => {
      const isUnderWay = this.#stage > Stage.head && this.#stage < Stage.closing;
      if (isUnderWay && !this.#exchange.isStillAllowed(siteOf(this.#facts, this.#shared))) {
        this.#exchange.abort();
      }
    });
  }

  // ----- what the visitor does

  headers(list: HeaderList, ends: boolean): void {
    this.#try(() => {
      const message = requestHead(list, ends);
      const isFaulty = typeof message === 'string';
      if (!isFaulty && !this.#keepsHead(keptBytes(message.text))) {
        this.#reset(Http2Error.refusedStream);
        return;
      }
      if (!isFaulty) this.#owner.asked(list);
      this.#request.reset();
      this.#exchange.begin();
      this.#body.done = ends;
      const isHead =
        isFaulty && list.fields.some(({ name, value }) => name === ':method' && value === 'HEAD');
      this.#request.isHead = isHead;
      const websocketKey = isFaulty ? null : message.websocketKey;
      this.#answer.begin(this.#stream!, { isHead, websocketKey });
      const limit = String(this.#shared.limits.requestHeadBytes);
      if (list.isTooLarge) this.#exchange.fail('requestHeadTooLarge', { limit });
      else if (isFaulty) this.#refuseMalformed(message, ends);
      else this.#read(Buffer.from(message.text, 'latin1'), ends);
    });
  }

  /** A response that names the fault, and behind it the stream error that RFC 9113, section 8.1.1, demands. */
  #refuseMalformed(name: ErrorName, ends: boolean): void {
    const stream = this.#stream!;
    this.#owner.malformed();
    if (this.#answer.hasBegun) {
      this.#exchange.cancel();
      this.#reset(Http2Error.protocol);
      return;
    }
    this.#exchange.stopForwarding();
    this.#exchange.fail(name);
    // A client that is still sending would lose the response.
    if (ends || stream.isRemoteEnded) this.#resetMalformed(stream);
    else this.#isMalformed = this.#stream === stream;
  }

  #resetMalformed(stream: Http2Stream): void {
    if (stream.isBlocked) return;
    stream.refuse(Http2Error.protocol);
    if (this.#stream === stream) this.#reset(Http2Error.protocol);
  }

  #keepsHead(bytes: number): boolean {
    if (!this.#owner.keepsHead(bytes)) return false;
    this.#headBytes = bytes;
    return true;
  }

  #read(bytes: Buffer, ends: boolean): void {
    const head = this.#shared.requestHead;
    const fault =
      head.parseRequest(bytes, 0, bytes.length) === FAULTY ? head.fault : this.#request.examine(head);
    if (fault !== null) {
      this.#exchange.fail(fault, fault === 'hostMismatch' ? { host: head.valueOf(Field.host) } : {});
      return;
    }
    const { isHead, framing } = this.#request;
    const { websocketKey } = this.#answer.request;
    this.#answer.begin(this.#stream!, { isHead, websocketKey });
    this.#body.remaining = framing;
    this.#body.done = ends || framing === 0;
    this.#judge(head, bytes);
  }

  #judge(head: Head, bytes: Buffer): void {
    const site = siteOf(this.#facts, this.#shared);
    if (site === undefined || !fitsSite(this.#facts, site)) {
      this.#exchange.fail(site === undefined ? 'nothingOnline' : 'connectionOutdated');
      return;
    }
    const verdict = this.#exchange.judge(site, head, this.#facts.fixed?.reply);
    if (!(verdict instanceof Promise)) {
      this.#proceed(verdict, head);
      return;
    }
    const stream = this.#stream!;
    this.#stage = Stage.verdict;
    this.#since = this.#shared.clock;
    this.#applyReading();
    verdict.then(
      (later) => this.#try(() => this.#resume(stream, later, bytes)),
      (error: unknown) => this.crashed(error),
    );
  }

  /** The verdict is there, if its request still is. */
  #resume(stream: Http2Stream, verdict: RequestVerdict, bytes: Buffer): void {
    if (this.#stream !== stream || this.#stage !== Stage.verdict) return;
    const head = this.#shared.requestHead;
    head.parseRequest(bytes, 0, bytes.length);
    this.#request.examine(head);
    const site = siteOf(this.#facts, this.#shared);
    if (site !== undefined && this.#exchange.isStillDecidedBy(site)) this.#proceed(verdict, head);
    else this.#judge(head, bytes);
    this.#applyReading();
  }

  #proceed(verdict: RequestVerdict, head: Head): void {
    this.#stage = this.#body.done ? Stage.answer : Stage.body;
    this.#bodyRate.begin(this.#shared.clock);
    if (this.#request.framing === CHUNKED) {
      this.#trailers ??= new Trailers(this.#shared.ownNames);
      this.#trailers.begin(null);
    }
    this.#applyReading();
    this.#exchange.proceed(verdict, head);
  }

  /** Pauses reading until the verdict, and for a WebSocket until the backend's response. */
  #applyReading(): void {
    const { websocketKey } = this.#answer.request;
    const isUndecided =
      this.#stage === Stage.verdict || (this.#stage === Stage.answer && websocketKey !== null);
    if (isUndecided || this.#isBodyPaused) this.#stream?.pause();
    else this.#stream?.resume();
  }

  data(bytes: Buffer): void {
    this.#try(() => {
      this.#lastRead = this.#shared.clock;
      if (this.#stage === Stage.tunnel) this.#exchange.requestData(bytes);
      else if (this.#stage === Stage.body) this.#bodyData(bytes);
      else if (this.#stage !== Stage.closing) this.#refuseMalformed('requestLengthDiffers', false);
      else if (this.#linger?.read(bytes.length, this.#shared.clock) === false) this.#reset(Http2Error.none);
    });
  }

  #bodyData(bytes: Buffer): void {
    this.#bodyRate.count(bytes.length);
    const body = this.#body;
    const isChunked = this.#request.framing === CHUNKED;
    if (!isChunked) {
      if (bytes.length > body.remaining) {
        this.#refuseMalformed('requestLengthDiffers', false);
        return;
      }
      body.remaining -= bytes.length;
      body.done = body.remaining === 0;
    }
    if (!this.#isDiscarding)
      for (const piece of isChunked ? chunk(bytes) : [bytes]) this.#exchange.requestData(piece);
    if (body.done) this.#bodyEnded();
  }

  #bodyEnded(): void {
    if (this.#stage !== Stage.body) return;
    this.#stage = Stage.answer;
    if (this.#isDiscarding) this.answered();
    else this.#exchange.requestEnded();
  }

  ended(trailers: HeaderList): void {
    this.#try(() => {
      if (this.#stage === Stage.tunnel) {
        this.#exchange.visitorEnded();
        this.#endTunnel();
      } else if (this.#stage === Stage.closing) {
        if (this.#isMalformed) this.#resetMalformed(this.#stream!);
        this.#flushed();
      }
      if (this.#stage !== Stage.body) return;
      const section = this.#endOf(trailers);
      if (section === null) {
        const isSized = this.#request.framing !== CHUNKED;
        this.#refuseMalformed(isSized ? 'requestLengthDiffers' : 'requestTrailerMalformed', true);
        return;
      }
      this.#body.done = true;
      if (!this.#isDiscarding) this.#exchange.requestData(section);
      this.#bodyEnded();
    });
  }

  /** The last chunk, with what of the trailers goes on; null: it is too soon for the end, or they are malformed. */
  #endOf(list: HeaderList): Buffer | null {
    if (this.#request.framing !== CHUNKED) return null;
    const text = trailerSection(list);
    if (text === null) return null;
    const trailers = this.#trailers!;
    const section = Buffer.from(text, 'latin1');
    if (trailers.read(section, 0, section.length) === -1) return null;
    return Buffer.concat([LAST_SIZE, trailers.section!]);
  }

  drained(): void {
    this.#lastWrite = this.#shared.clock;
    this.#try(() => {
      if (this.#stage === Stage.closing) this.#flushed();
      else this.#exchange.visitorDrained();
    });
  }

  lost(): void {
    this.#stage = Stage.closed;
    this.#exchange.cancel();
    this.#release();
  }

  // ----- calls of the exchange

  write(bytes: Buffer): boolean {
    const stream = this.#stream;
    if (stream === null) return true;
    const wasBlocked = stream.isBlocked;
    this.#hasAnswered = true;
    if (!this.#answer.write(bytes)) {
      this.#exchange.abort();
      return true;
    }
    if (!wasBlocked) this.#lastWrite = this.#shared.clock;
    return !stream.isBlocked;
  }

  pauseBody(): void {
    this.#isBodyPaused = true;
    this.#applyReading();
  }

  resumeBody(): void {
    this.#bodyRate.begin(this.#shared.clock);
    this.#isBodyPaused = false;
    this.#applyReading();
  }

  answered(): void {
    if (this.#stage === Stage.closed || this.#stream === null) return;
    this.#stage = Stage.closing;
    this.#since = this.#shared.clock;
    // Clients that are busy sending would lose a response that a reset follows at once.
    if (this.#stream.isRemoteEnded === false) this.#linger = this.#shared.linger(this.#facts.source);
    this.#isBodyPaused = false;
    this.#applyReading();
    this.#flushed();
  }

  discardBody(): void {
    this.#isDiscarding = true;
  }

  switched(): void {
    this.#stage = Stage.tunnel;
    this.#applyReading();
  }

  endWriting(): void {
    this.#stream?.end();
    this.#endTunnel();
  }

  /** The visitor can see that the response is incomplete. */
  destroy(): void {
    this.#reset(Http2Error.internal);
  }

  crashed(error: unknown): void {
    this.#shared.log.error({ err: error, host: this.#facts.facts.serverName }, 'HTTP/2 stream failed');
    this.#exchange.cancel();
    this.#reset(Http2Error.internal);
  }

  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.crashed(error);
    }
  }

  // ----- waiting and closing

  /** Both sides of a switched stream have ended. */
  #endTunnel(): void {
    if (this.#stage !== Stage.tunnel || this.#stream?.isClosed !== true) return;
    this.#stage = Stage.closed;
    this.#exchange.cancel();
    this.#release();
  }

  /** All of the answer is out, or will be. */
  #flushed(): void {
    const stream = this.#stream;
    if (stream === null || stream.isBlocked || !stream.isClosed) return;
    this.#stage = Stage.closed;
    this.#release();
  }

  #reset(code: number): void {
    const stream = this.#stream;
    this.#stage = Stage.closed;
    stream?.reset(code);
    this.#release();
  }

  #release(): void {
    if (this.#stream === null) return;
    this.#linger?.end();
    this.#stream.user = null;
    this.#stream = null;
    const headBytes = this.#headBytes;
    this.#headBytes = 0;
    this.#owner.released(this, headBytes);
  }

  get #state() {
    const isBlocked = this.#stream?.isBlocked === true;
    // Both sides talk: neither waits for the other to end.
    const isDialogue = this.#stage === Stage.body && this.#hasAnswered;
    return {
      stage: isDialogue ? Stage.tunnel : this.#stage,
      since: this.#since,
      lastRead: this.#lastRead,
      lastHeard: this.#exchange.lastHeard,
      halfClosed: this.#exchange.halfClosed,
      isOver: this.#exchange.isOver,
      isPartialHead: false,
      isFlushed: true,
      linger: this.#linger,
      bodyRate: this.#bodyRate,
      socket: {
        blocked: isBlocked,
        lastWrite: this.#lastWrite,
        isBodyPaused: this.#isBodyPaused,
        isFlushed: !isBlocked,
        hasUnsent: isBlocked,
      },
    };
  }

  #act(due: Due): void {
    switch (due) {
      case null:
      case 'flushed':
        return;
      case 'close':
      case 'destroy':
        this.#reset(this.#isAnswerOut ? Http2Error.none : Http2Error.cancel);
        return;
      case 'abort':
      case 'probe':
        this.#exchange.abort();
        return;
      case 'expire':
        this.#exchange.expire();
        return;
      case 'refuse':
        this.#refuse('requestTimeout');
        return;
      default:
        due satisfies never;
    }
  }

  get #isAnswerOut(): boolean {
    return this.#stage === Stage.closing && this.#stream?.isBlocked === false;
  }

  #refuse(name: ErrorName): void {
    this.#exchange.stopForwarding();
    this.#exchange.fail(name);
  }
}

/** Returns the bytes of the head, which is kept a second time for its record. */
function keptBytes(head: string): number {
  return head.length + head.indexOf('\r\n');
}

const LAST_SIZE = Buffer.from('0\r\n');

/** Returns a chunk, in one piece if that is cheap. */
function chunk(bytes: Buffer): readonly Buffer[] {
  const size = Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1');
  return bytes.length <= COPIED_DATA ? [Buffer.concat([size, bytes, CRLF])] : [size, bytes, CRLF];
}
