/**
 * Reads an upstream's answer and hands it on to the visitor, through the route's edits and stages. Never that the visitor takes an
 * answer for whole which the upstream did not bring to its end.
 */
import { GrowingBuffer } from '@underpass/wire';
import { BodyReader } from '../../http-syntax/body.ts';
import { ChunkData } from '../../http-syntax/chunk-data.ts';
import { ConnectionOptions } from '../../http-syntax/connection-options.ts';
import { Field } from '../../http-syntax/fields.ts';
import { CHUNKED, type Framing, responseFraming, UNTIL_CLOSE } from '../../http-syntax/framing.ts';
import { FAULTY, type Head, INCOMPLETE } from '../../http-syntax/head.ts';
import { HeadBuffer } from '../../http-syntax/head-buffer.ts';
import { type AnswerEdits, answerEdits } from './answer-edits.ts';
import { type AnswerOwner, LAST_CHUNK, relayChunk } from './answer-owner.ts';
import { isUntouched, visitorHead } from './headers.ts';
import type { Shared } from './shared.ts';
import { StagedBody } from './staged-body.ts';
import type { ForwardedRequest, Visitor } from './visitor.ts';

/** Body bytes up to this are copied behind the head, into one write. */
const COPIED_BODY = 4096;

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
    this.#body = new BodyReader(shared.ownNames);
    this.#partialHead = new HeadBuffer(shared.limits.headBytes);
  }

  begin(request: ForwardedRequest): void {
    this.#request = request;
    this.#interim = 0;
    this.#keepAliveMs = null;
    this.heardAnything = false;
    this.hasBegun = false;
  }

  data(chunk: Buffer): void {
    this.heardAnything = true;
    if (this.hasBegun) this.#readBody(chunk, 0);
    else this.#readHead(chunk);
  }

  /** The upstream half-closed after the head: whether that ends the answer, it says by its framing. */
  upstreamEnded(): void {
    if (!this.#body.finish()) {
      this.#owner.answerCut();
      return;
    }
    if (this.#staged === null) this.#owner.relay(LAST_CHUNK, false);
    this.#finish();
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
    const head = this.#shared.responseHead;
    let pos = 0;
    while (pos < bytes.length) {
      const next = head.parseResponse(bytes, pos, bytes.length);
      if (next === INCOMPLETE) {
        if (this.#partialHead.append(bytes.subarray(pos))) this.#owner.answerInvalid();
        return;
      }
      if (next === FAULTY) {
        this.#owner.answerInvalid();
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
      this.#owner.answerInvalid();
      return false;
    }
    const shape = { framing: 0, close: false, switchesTo: null };
    return this.#owner.relay(visitorHead(head, shape, this.#options.dropped, null), false);
  }

  #switch(head: Head, bytes: Buffer, next: number): void {
    const asked = this.#request!.upgradeTo;
    const answered = head.has(Field.upgrade) ? head.valueOf(Field.upgrade) : '';
    // RFC 9110, section 7.8: a server switches only to what it was asked for, and after the whole request.
    const wasAsked = asked?.toLowerCase().split(', ').includes(answered.toLowerCase()) === true;
    if (!wasAsked || !this.#visitor.requestComplete || responseFraming(head, false) === null) {
      this.#owner.answerInvalid();
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

  #answer(head: Head, bytes: Buffer, next: number): void {
    const framing = responseFraming(head, this.#request!.isHead);
    if (framing === null) {
      this.#owner.answerInvalid();
      return;
    }
    this.#framing = framing;
    this.#reusable =
      head.minorVersion === 1 &&
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
      this.#owner.answerInvalid();
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
    if (edits === null && isUntouched(head, framing, close, dropped)) {
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
    this.#relaySpan(bytes, !this.#body.done);
  }

  #edits(head: Head): AnswerEdits | null {
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
        this.#owner.answerCut();
        return;
      }
      const isCut = !body.done && pos < bytes.length;
      if (isCut || this.#joined.length > 0) this.#join(bytes, isCut);
      else this.#relayRead(bytes);
    }
    if (!body.done) return;
    // Bytes after the end of the answer belong to nothing that was asked.
    if (pos < bytes.length) this.#reusable = false;
    this.#finish();
  }

  /** A read that is cut into many spans is joined again, so that few pieces go on. */
  #join(bytes: Buffer, isCut: boolean): void {
    const { from, to, tail, done } = this.#body;
    this.#joined.append(bytes.subarray(from, to));
    if (tail !== null && this.#staged === null) this.#joined.append(tail);
    if (!isCut && this.#joined.length > 0) this.#relayBytes(this.#joined.take(), !done);
  }

  #relayRead(bytes: Buffer): void {
    const { tail, done } = this.#body;
    this.#relaySpan(bytes, !done || tail !== null);
    if (tail !== null && this.#staged === null) this.#owner.relay(tail, !done);
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

/** What a Keep-Alive field promises, in milliseconds. */
function announcedMs(value: string): number | null {
  const match = /\btimeout=([0-9]{1,6})\b/i.exec(value);
  return match === null ? null : Number(match[1]) * 1000;
}
