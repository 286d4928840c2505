/**
 * Reads an upstream's response and sends it to the visitor, through the edits and stages of the route.
 * Invariant: a response that the upstream did not complete never looks complete to the visitor.
 */
import { GrowingBuffer } from '@underpass/wire';
import { afterEmptyLines, MessageFault, readLooseResponse, tooLong } from '@underpass/wire/http1';
import { BodyReader } from '../../http-syntax/body.ts';
import { ChunkData } from '../../http-syntax/chunk-data.ts';
import { ConnectionOptions } from '../../http-syntax/connection-options.ts';
import { Field } from '../../http-syntax/fields.ts';
import { CHUNKED, type Framing, responseFraming, UNTIL_CLOSE } from '../../http-syntax/framing.ts';
import { type Head, INCOMPLETE } from '../../http-syntax/head.ts';
import { HeadBuffer } from '../../http-syntax/head-buffer.ts';
import { type AnswerEdits, answerEdits } from './answer-edits.ts';
import { type AnswerOwner, LAST_CHUNK, relayChunk } from './answer-owner.ts';
import { isUntouched, visitorHead } from './headers.ts';
import { ownLocation } from './own-location.ts';
import type { Shared } from './shared.ts';
import { StagedBody } from './staged-body.ts';
import type { ForwardedRequest, Visitor } from './visitor.ts';

/** Body bytes up to this are copied behind the head, into one write. */
const COPIED_BODY = 4096;
/** Bytes of empty lines before a head that are passed over. */
const EMPTY_LINES = 16;

/** Made once per visitor connection, used for one answer after another. */
export class AnswerRelay {
  readonly #shared: Shared;
  readonly #visitor: Visitor;
  readonly #owner: AnswerOwner;
  readonly #body: BodyReader;
  readonly #options = new ConnectionOptions();
  readonly #partialHead: HeadBuffer;
  /** Spans of a body that come out of the read under way. */
  readonly #joined = new GrowingBuffer();
  #request: ForwardedRequest | null = null;
  #staged: StagedBody | null = null;
  #interim = 0;
  /** Bytes of empty lines before the head. */
  #emptyBytes = 0;
  /** The response is not strictly formed: it is written anew, and its connection is not used again. */
  #isMended = false;
  #framing: Framing = 0;
  #reusable = false;
  #keepAliveMs: number | null = null;
  /** Anything at all has come. */
  heardAnything = false;
  /** The final head was handed on. */
  hasBegun = false;

  constructor(shared: Shared, visitor: Visitor, owner: AnswerOwner) {
    this.#shared = shared;
    this.#visitor = visitor;
    this.#owner = owner;
    this.#body = new BodyReader(shared.ownNames, true);
    this.#partialHead = new HeadBuffer(shared.limits.headBytes, true);
  }

  begin(request: ForwardedRequest): void {
    this.#request = request;
    this.#interim = 0;
    this.#emptyBytes = 0;
    this.#isMended = false;
    this.#keepAliveMs = null;
    this.heardAnything = false;
    this.hasBegun = false;
  }

  data(chunk: Buffer): void {
    this.heardAnything = true;
    if (this.hasBegun) this.#readBody(chunk, 0);
    else this.#readHead(chunk);
  }

  /** The upstream half-closed after the head. The framing determines if this ends the response. */
  upstreamEnded(): void {
    const body = this.#body;
    if (!body.finish()) {
      this.#owner.answerCut(null);
      return;
    }
    const last = this.#framing === UNTIL_CLOSE ? LAST_CHUNK : body.tail;
    if (this.#staged === null && last !== null) this.#owner.relay(last, false);
    if (body.isMended) this.#reusable = false;
    this.#finish();
  }

  /** The fault of a head that ends with the connection. */
  unfinishedHead(): MessageFault {
    const bytes = this.#partialHead.take();
    if (bytes.length === 0) return new MessageFault('the connection ended before the final head', null);
    return MessageFault.ofUnfinishedHead(bytes);
  }

  pause(): void {
    this.#staged?.pause();
  }

  resume(): void {
    this.#staged?.resume();
  }

  cancel(): void {
    this.#partialHead.clear();
    this.#joined.clear();
    this.#staged?.destroy();
    this.#staged = null;
  }

  #readHead(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#partialHead.length > 0) {
      if (!this.#partialHead.append(chunk)) return;
      bytes = this.#partialHead.take();
    }
    let pos = 0;
    while (pos < bytes.length) {
      const next = this.#readOneHead(bytes, pos);
      if (next === -1) return;
      pos = next;
    }
  }

  /** The offset of the next head; -1: there is none, or not yet. */
  #readOneHead(bytes: Buffer, pos: number): number {
    const head = this.#shared.responseHead;
    let next = head.parseResponse(bytes, pos, bytes.length);
    if (next === INCOMPLETE) {
      this.#hold(bytes, pos);
      return -1;
    }
    let framing = next < 0 ? null : responseFraming(head, this.#request!.isHead);
    if (framing === null) {
      next = this.#readLooseHead(bytes, pos);
      if (next < 0) return -1;
      framing = responseFraming(head, this.#request!.isHead)!;
    }
    this.#options.read(head);
    if (head.status < 200 && head.status !== 101) return this.#relayInterim(head) ? next : -1;
    if (head.status === 101) this.#switch(head, bytes, next);
    else this.#answer(head, framing, bytes, next);
    return -1;
  }

  #hold(bytes: Buffer, pos: number): void {
    if (this.#partialHead.append(bytes.subarray(pos)))
      this.#owner.answerInvalid(tooLong(this.#shared.limits.headBytes));
  }

  /** Fills the response head from a form that is not strict. -1: it is faulty, or its end has not come. */
  #readLooseHead(bytes: Buffer, pos: number): number {
    const { responseHead, limits } = this.#shared;
    const start = afterEmptyLines(bytes, pos);
    this.#isMended = true;
    this.#emptyBytes += start - pos;
    if (this.#emptyBytes > EMPTY_LINES) {
      this.#owner.answerInvalid(new MessageFault('empty lines instead of a head', null));
      return -1;
    }
    const read = readLooseResponse(bytes, start, { maxBytes: limits.headBytes, maxFields: limits.fields });
    if (read === null) {
      if (start < bytes.length) this.#hold(bytes, start);
      return -1;
    }
    if (read instanceof MessageFault) {
      this.#owner.answerInvalid(read);
      return -1;
    }
    if (responseHead.parseResponse(read.head, 0, read.head.length) < 0) {
      // It is strictly formed, and with the spaces and CRs that were missing it is too long.
      this.#owner.answerInvalid(tooLong(limits.headBytes));
      return -1;
    }
    return read.end;
  }

  #relayInterim(head: Head): boolean {
    this.#interim += 1;
    if (this.#interim > this.#shared.limits.interimResponses) {
      this.#owner.answerInvalid(new MessageFault('too many interim responses', null));
      return false;
    }
    const shape = { framing: 0, close: false, switchesTo: null };
    return this.#owner.relay(visitorHead(head, shape, this.#options.dropped, null), false);
  }

  #switch(head: Head, bytes: Buffer, next: number): void {
    const asked = this.#request!.upgradeTo;
    const answered = head.has(Field.upgrade) ? head.valueOf(Field.upgrade) : '';
    // RFC 9110, section 7.8: a server may switch only to a requested protocol, and after the whole request.
    const wasAsked = asked?.toLowerCase().split(', ').includes(answered.toLowerCase()) === true;
    if (!wasAsked || !this.#visitor.requestComplete) {
      this.#owner.answerInvalid(new MessageFault('a status 101 that was not requested, for', answered));
      return;
    }
    this.#visitor.answering(101);
    this.hasBegun = true;
    const shape = { framing: 0, close: false, switchesTo: answered };
    const edits = this.#edits(head);
    this.#owner.relay(visitorHead(head, shape, this.#dropped(edits), null, edits?.lines), true);
    if (next < bytes.length) this.#owner.relay(bytes.subarray(next), true);
    this.#owner.answerSwitched(answered);
  }

  #answer(head: Head, framing: Framing, bytes: Buffer, next: number): void {
    this.#framing = framing;
    this.#reusable =
      head.minorVersion === 1 &&
      !this.#isMended &&
      !this.#options.close &&
      framing !== UNTIL_CLOSE &&
      !this.#request!.bindsConnection;
    if (this.#reusable && head.has(Field.keepAlive))
      this.#keepAliveMs = announcedMs(head.valueOf(Field.keepAlive));
    const body = this.#body;
    body.begin(framing, this.#options.dropped);
    let pos = next;
    if (!body.done && next < bytes.length) pos = body.read(bytes, next, bytes.length);
    else body.from = body.to = next;
    if (body.fault !== null) {
      this.#owner.answerInvalid(faultOf(body, bytes, pos));
      return;
    }
    this.#visitor.answering(head.status);
    this.hasBegun = true;
    const close = this.#visitor.endsAfterResponse();
    const edits = this.#edits(head);
    if (edits !== null && edits.filter !== null) this.#answerStaged(head, bytes, edits, close);
    else this.#answerAsItComes(head, bytes, edits, close);
    this.#readBody(bytes, pos);
  }

  #answerAsItComes(head: Head, bytes: Buffer, edits: AnswerEdits | null, close: boolean): void {
    const body = this.#body;
    const framing = this.#framing;
    const dropped = this.#dropped(edits);
    const more = !body.done || body.tail !== null;
    if (edits === null && !this.#isMended && isUntouched(head, framing, close, dropped)) {
      // Head and body as they came, in one piece and without a copy.
      this.#owner.relay(bytes.subarray(head.start, body.to), more);
    } else {
      const size = framing === UNTIL_CLOSE ? 0 : body.to - body.from;
      const copied = size > 0 && size <= COPIED_BODY ? bytes.subarray(body.from, body.to) : null;
      const shape = { framing, close, switchesTo: null };
      this.#owner.relay(
        visitorHead(head, shape, dropped, copied, edits?.lines),
        more || (size > 0 && copied === null),
      );
      if (copied === null) this.#relaySpan(bytes, more);
    }
    if (body.tail !== null) this.#owner.relay(body.tail, !body.done);
  }

  /** The body has another length now: it goes out in chunks of our own. */
  #answerStaged(head: Head, bytes: Buffer, edits: AnswerEdits, close: boolean): void {
    const shape = { framing: UNTIL_CLOSE, close, switchesTo: null };
    this.#owner.relay(visitorHead(head, shape, this.#dropped(edits), null, edits.lines), true);
    const data = this.#framing === CHUNKED ? new ChunkData() : null;
    if (this.#request!.isHead) return;
    this.#staged = new StagedBody(edits.filter!(), data, this.#owner);
    const { done, tail } = this.#body;
    this.#relaySpan(bytes, !done);
    if (tail !== null) this.#relayBytes(tail, !done);
  }

  #edits(head: Head): AnswerEdits | null {
    const edits = this.#routeEdits(head);
    if (!head.has(Field.location) || edits?.removed.has('location') === true) return edits;
    const { host, scheme } = this.#visitor.asked;
    const { publicPort } = this.#shared;
    const location = ownLocation(head.valueOf(Field.location), { host, scheme, publicPort });
    if (location === null || head.hasMany(Field.location)) return edits;
    return {
      removed: new Set([...(edits?.removed ?? []), 'location']),
      lines: `${edits?.lines ?? ''}Location: ${location}\r\n`,
      filter: edits?.filter ?? null,
    };
  }

  #routeEdits(head: Head): AnswerEdits | null {
    const { route } = this.#visitor;
    if (route.responseEdits.length === 0 && route.bodyStages.length === 0) return null;
    return answerEdits(head, this.#visitor, this.#shared.errorCodeHeader);
  }

  #dropped(edits: AnswerEdits | null): ReadonlySet<string> | null {
    const { dropped } = this.#options;
    if (edits === null || edits.removed.size === 0) return dropped;
    return dropped === null ? edits.removed : new Set([...dropped, ...edits.removed]);
  }

  /** Relays body bytes from `start` on, and ends the answer when they are the last. */
  #readBody(bytes: Buffer, start: number): void {
    const body = this.#body;
    let pos = start;
    while (pos < bytes.length && !body.done) {
      pos = body.read(bytes, pos, bytes.length);
      if (body.fault !== null) {
        this.#owner.answerCut(faultOf(body, bytes, pos));
        return;
      }
      const isCut = !body.done && pos < bytes.length;
      if (isCut || this.#joined.length > 0) this.#join(bytes, isCut);
      else this.#relayRead(bytes);
    }
    if (!body.done) return;
    // Bytes after the end of the response belong to no request.
    if (pos < bytes.length || body.isMended) this.#reusable = false;
    this.#finish();
  }

  /** A read that is cut into many spans is joined again, so that few pieces go on. */
  #join(bytes: Buffer, isCut: boolean): void {
    const { from, to, tail, done } = this.#body;
    this.#joined.append(bytes.subarray(from, to));
    if (tail !== null) this.#joined.append(tail);
    if (!isCut && this.#joined.length > 0) this.#relayBytes(this.#joined.take(), !done);
  }

  #relayRead(bytes: Buffer): void {
    const { tail, done } = this.#body;
    this.#relaySpan(bytes, !done || tail !== null);
    if (tail !== null) this.#relayBytes(tail, !done);
  }

  #relaySpan(bytes: Buffer, more: boolean): void {
    const { from, to } = this.#body;
    if (from === to) return;
    this.#relayBytes(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), more);
  }

  #relayBytes(span: Buffer, more: boolean): void {
    if (this.#staged !== null) {
      this.#staged.write(span);
    } else if (this.#framing !== UNTIL_CLOSE) {
      this.#owner.relay(span, more);
    } else {
      relayChunk(this.#owner, span);
    }
  }

  #finish(): void {
    const staged = this.#staged;
    if (staged === null) {
      this.#owner.upstreamDone(this.#reusable, this.#keepAliveMs);
      this.#owner.answerDone();
      return;
    }
    this.#owner.upstreamDone(this.#reusable, this.#keepAliveMs);
    staged.end();
  }
}

/** Returns the milliseconds that a Keep-Alive field promises; null for none. */
function announcedMs(value: string): number | null {
  const match = /\btimeout=([0-9]{1,6})\b/i.exec(value);
  return match === null ? null : Number(match[1]) * 1000;
}

function faultOf(body: BodyReader, bytes: Buffer, pos: number): MessageFault {
  const what =
    body.fault === 'requestTrailerMalformed' ? 'trailers that are not valid' : 'a chunk that is not valid';
  return MessageFault.at(what, bytes, pos);
}
