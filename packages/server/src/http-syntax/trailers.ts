/**
 * The trailer section of a chunked body, kept until it is whole, then written again. Never with a field that may not be in
 * it.
 */
import { fieldText, headEnd, linesOf, looseFields, MessageFault } from '@underpass/wire/http1';
import { Field, NOT_ACROSS } from './fields.ts';
import { FAULTY, Head, INCOMPLETE } from './head.ts';
import { HeadBuffer } from './head-buffer.ts';

const MAX_BYTES = 16 * 1024;
const MAX_FIELDS = 64;

/**
 * Fields that decide the end or the destination of the message, so they must not come after it (RFC 9110, section
 * 6.5.1). A sender of these is hostile.
 */
const REFUSED = bitsOf(Field.contentLength, Field.transferEncoding, Field.host);
/** Fields that do not belong into a trailer, or that only this service may send. */
const DROPPED = bitsOf(
  ...NOT_ACROSS,
  Field.trailer,
  Field.expect,
  Field.forwardedFor,
  Field.forwardedProto,
  Field.forwardedHost,
  Field.aboutVisitor,
  Field.replacesTarget,
  Field.authorization,
  Field.cookie,
  Field.underscored,
);

const EMPTY = Buffer.from('\r\n');

function bitsOf(...fields: Field[]): number {
  return fields.reduce<number>((bits, field) => bits | (1 << field), 0);
}

export class Trailers {
  done = false;
  /** The section with its empty line, once it is whole. */
  section: Buffer | null = null;
  /** Something was mended that a strict reader refuses. */
  isMended = false;
  readonly #own: readonly string[];
  readonly #isLoose: boolean;
  #dropped: ReadonlySet<string> | null = null;
  /** Made at the first trailer section: most connections never carry one. */
  #head: Head | null = null;
  #held: HeadBuffer | null = null;

  /** `own`: further field names, in lower case, that only this service may send. */
  constructor(own: readonly string[], isLoose = false) {
    this.#own = own;
    this.#isLoose = isLoose;
  }

  begin(dropped: ReadonlySet<string> | null): void {
    this.done = false;
    this.section = null;
    this.isMended = false;
    this.#dropped = dropped;
    this.#held?.clear();
  }

  /** Returns the offset after what it took, or -1 when the section is malformed, too large or forbidden. */
  read(bytes: Buffer, pos: number, end: number): number {
    this.#head ??= new Head(MAX_BYTES, MAX_FIELDS, this.#own);
    this.#held ??= new HeadBuffer(MAX_BYTES, this.#isLoose);
    const before = this.#held.length;
    if (before === 0) {
      const next = this.#head.parseTrailers(bytes, pos, end);
      const mayBeMended = this.#isLoose && (next === FAULTY || (next >= 0 && this.#isRefused()));
      if (next !== INCOMPLETE && !mayBeMended) return this.#accept(next);
      if (!this.#held.append(bytes.subarray(pos, end))) return end;
      if (!this.#isLoose) return -1;
    } else if (!this.#held.append(bytes.subarray(pos, end))) {
      return end;
    }
    const whole = this.#held.take();
    const next = this.#isLoose
      ? this.#acceptLoose(whole)
      : this.#accept(this.#head.parseTrailers(whole, 0, whole.length));
    return next === -1 ? -1 : pos + next - before;
  }

  /** RFC 9112, section 7.1.2: trailers that cannot be taken are left out, and the body is whole without them. */
  #acceptLoose(whole: Buffer): number {
    const head = this.#head!;
    const end = headEnd(whole, 0);
    if (end === -1) return -1;
    const next = head.parseTrailers(whole, 0, end);
    if (next >= 0 && !this.#isRefused()) return this.#accept(next);
    const fields = looseFields(linesOf(whole.toString('latin1', 0, end)), 0, MAX_FIELDS);
    const anew = Buffer.from(fields instanceof MessageFault ? '\r\n' : `${fieldText(fields)}\r\n`, 'latin1');
    const isTaken = head.parseTrailers(anew, 0, anew.length) >= 0 && !this.#isRefused();
    this.section = isTaken ? this.#kept(head) : EMPTY;
    this.done = true;
    this.isMended = true;
    return end;
  }

  #isRefused(): boolean {
    return (this.#head!.seen & REFUSED) !== 0;
  }

  #accept(next: number): number {
    const head = this.#head!;
    if (next < 0 || this.#isRefused()) return -1;
    this.section = this.#kept(head);
    this.done = true;
    return next;
  }

  #kept(head: Head): Buffer {
    const lines: Buffer[] = [];
    for (let i = 0; i < head.count; i += 1) {
      if (((1 << head.kinds[i]!) & DROPPED) !== 0) continue;
      if (this.#dropped?.has(head.name(i).toLowerCase())) continue;
      lines.push(head.bytes.subarray(head.lineStart(i), head.lineEnd(i)));
    }
    lines.push(Buffer.from('\r\n'));
    return Buffer.concat(lines);
  }
}
