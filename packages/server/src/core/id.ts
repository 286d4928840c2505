/**
 * Resource ids: `<prefix>_<27 base62>`, KSUID-shaped, so that id order is creation order.
 * Invariant: a later id never sorts before an earlier one.
 */

/** The digits of ids, in ASCII order, so that comparing the texts compares the numbers. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SUFFIX_LENGTH = 27;
/** 2^160 - 1: the largest number that four bytes of seconds and sixteen of payload can hold. */
const LARGEST_SUFFIX = 'aWgEPTl1tmebfsQzFP4bxwgy80V';
/** KSUID counts seconds from 2014-05-13T16:53:20Z, which makes four bytes last until 2150. */
const EPOCH_SECONDS = 1_400_000_000;
const LARGEST_SECONDS = 0xffff_ffff;
const PAYLOAD_BYTES = 16;

const ID = /^([a-z][a-z0-9]*)_([0-9A-Za-z]{27})$/;
/** Values of digits by ASCII code; 0 for other characters. */
const DIGIT = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, BASE62.indexOf(String.fromCharCode(code))),
);

export interface IdSequenceOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** The suffix that the sequence continues after, e.g. the last one of the previous run. */
  readonly last?: string;
}

/** Generates strictly increasing ids, even if the clock stops or moves back. */
export class IdSequence {
  readonly #now: () => number;
  readonly #random: (bytes: number) => Uint8Array;
  #second = -1;
  #last: string;

  constructor(options: IdSequenceOptions) {
    this.#now = options.now;
    this.#random = options.random;
    this.#last = options.last ?? '';
  }

  /** The last suffix, or `''` before the first. */
  get last(): string {
    return this.#last;
  }

  next(prefix: string): string {
    const second = secondsOf(this.#now());
    if (second > this.#second) {
      this.#second = second;
      const fresh = encode(second, this.#random(PAYLOAD_BYTES));
      this.#last = fresh > this.#last ? fresh : increment(this.#last);
    } else {
      this.#last = increment(this.#last);
    }
    // Joined to a flat string, unlike a template: V8's fast path for JSON needs one.
    return [prefix, this.#last].join('_');
  }
}

/** Returns the JSON Schema pattern of ids with one of these prefixes. */
export function idPattern(prefixes: readonly string[]): string {
  const prefix = prefixes.length === 1 ? prefixes[0] : `(?:${prefixes.join('|')})`;
  return `^${prefix}_[0-9A-Za-z]{${SUFFIX_LENGTH}}$`;
}

/** Returns prefix and suffix of a well-formed id, or null. It does not check that the prefix exists. */
export function parseId(text: string): { readonly prefix: string; readonly suffix: string } | null {
  const match = ID.exec(text);
  const prefix = match?.[1];
  const suffix = match?.[2];
  if (prefix === undefined || suffix === undefined || suffix > LARGEST_SUFFIX) return null;
  return { prefix, suffix };
}

/** Returns the part that orders and identifies. Ids created together share it across kinds (`tn_x` and `ep_x`). */
export function suffixOf(id: string): string {
  return id.slice(-SUFFIX_LENGTH);
}

/** Returns the creation time in whole seconds. Expects a well-formed id. */
export function createdAt(id: string): Date {
  return new Date((EPOCH_SECONDS + decodeSeconds(suffixOf(id))) * 1000);
}

/** Returns an id that is smaller than those of this second and later, and greater than all others of the prefix. */
export function firstIdAt(prefix: string, milliseconds: number): string {
  return `${prefix}_${encode(secondsOf(milliseconds), new Uint8Array(PAYLOAD_BYTES))}`;
}

function secondsOf(milliseconds: number): number {
  return Math.min(Math.max(Math.floor(milliseconds / 1000) - EPOCH_SECONDS, 0), LARGEST_SECONDS);
}

/** Returns the next number in base 62, computed on the text. A carry out of the payload increments the seconds. */
function increment(suffix: string): string {
  for (let at = suffix.length - 1; at >= 0; at--) {
    const digit = DIGIT[suffix.charCodeAt(at)] ?? 0;
    if (digit < 61) return suffix.slice(0, at) + BASE62[digit + 1] + '0'.repeat(suffix.length - at - 1);
  }
  throw new Error(`no id follows ${suffix}`);
}

/** Divides five 32-bit limbs by 62. No step exceeds 2^38, so plain numbers are exact. */
function encode(seconds: number, payload: Uint8Array): string {
  const view = new DataView(payload.buffer, payload.byteOffset, PAYLOAD_BYTES);
  const limbs = [seconds, view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12)];
  let text = '';
  while (text.length < SUFFIX_LENGTH) {
    let remainder = 0;
    for (const [at, limb] of limbs.entries()) {
      const value = remainder * 2 ** 32 + limb;
      limbs[at] = Math.floor(value / 62);
      remainder = value % 62;
    }
    text = BASE62[remainder] + text;
  }
  return text;
}

const HEAD_DIGITS = 8;
/** Seconds by which the number grows if the first eight digits grow by one. */
const HEAD_SCALE = 62 ** (SUFFIX_LENGTH - HEAD_DIGITS) / 2 ** 128;
/** The largest rounding error of a product below 2^32. */
const ROUNDING = 2 ** -16;

/** Returns the top limb of the number, from the first digits alone unless the rest could carry into the next second. */
function decodeSeconds(suffix: string): number {
  let head = 0;
  for (let at = 0; at < HEAD_DIGITS; at++) head = head * 62 + (DIGIT[suffix.charCodeAt(at)] ?? 0);
  const least = Math.floor(head * HEAD_SCALE - ROUNDING);
  const most = Math.floor((head + 1) * HEAD_SCALE + ROUNDING);
  return least === most ? least : decodeExactly(suffix);
}

/** Uses three digits at a time, below 2^50, so plain numbers are exact. */
function decodeExactly(suffix: string): number {
  const limbs = [0, 0, 0, 0, 0];
  for (let at = 0; at < SUFFIX_LENGTH; at += 3) {
    let carry = 0;
    for (let offset = 0; offset < 3; offset++) {
      carry = carry * 62 + (DIGIT[suffix.charCodeAt(at + offset)] ?? 0);
    }
    for (let limb = 4; limb >= 0; limb--) {
      const value = (limbs[limb] ?? 0) * 62 ** 3 + carry;
      limbs[limb] = value % 2 ** 32;
      carry = Math.floor(value / 2 ** 32);
    }
  }
  return limbs[0] ?? 0;
}
