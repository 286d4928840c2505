/**
 * The trailer section of a chunked body, kept until it is whole, then written again. Never with a field that may not be in
 * it.
 */
import { Field, NOT_ACROSS } from './fields.ts';
import { Head, INCOMPLETE } from './head.ts';
import { HeadBuffer } from './head-buffer.ts';

const MAX_BYTES = 16 * 1024;
const MAX_FIELDS = 64;

/** RFC 9110, section 6.5.1: fields that say where the message ends or goes must not come after it; a sender of these means harm. */
const REFUSED = bitsOf(Field.contentLength, Field.transferEncoding, Field.host);
/** Fields that a trailer has no business with, or that only this service says. */
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

function bitsOf(...fields: Field[]): number {
  return fields.reduce<number>((bits, field) => bits | (1 << field), 0);
}

export class Trailers {
  done = false;
  /** The section with its empty line, once it is whole. */
  section: Buffer | null = null;
  readonly #own: readonly string[];
  #dropped: ReadonlySet<string> | null = null;
  /** Made at the first trailer section: most connections never carry one. */
  #head: Head | null = null;
  #held: HeadBuffer | null = null;

  /** `own` are more field names that only this service says, in lower case. */
  constructor(own: readonly string[]) {
    this.#own = own;
  }

  begin(dropped: ReadonlySet<string> | null): void {
    this.done = false;
    this.section = null;
    this.#dropped = dropped;
    this.#held?.clear();
  }

  /** Returns the offset after what it took, or -1 when the section is malformed, too large or forbidden. */
  read(bytes: Buffer, pos: number, end: number): number {
    this.#head ??= new Head(MAX_BYTES, MAX_FIELDS, this.#own);
    this.#held ??= new HeadBuffer(MAX_BYTES);
    const before = this.#held.length;
    if (before === 0) {
      const next = this.#head.parseTrailers(bytes, pos, end);
      if (next !== INCOMPLETE) return this.#accept(next);
      return this.#held.append(bytes.subarray(pos, end)) ? -1 : end;
    }
    if (!this.#held.append(bytes.subarray(pos, end))) return end;
    const whole = this.#held.take();
    const next = this.#accept(this.#head.parseTrailers(whole, 0, whole.length));
    return next === -1 ? -1 : pos + next - before;
  }

  #accept(next: number): number {
    const head = this.#head!;
    if (next < 0 || (head.seen & REFUSED) !== 0) return -1;
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
