/**
 * Marks requests with events, so that the service recognises them at its own edges. Without the mark, a delivery
 * through an edge of the account would cause the next event, without end. It is a parameter of CDN-Loop (RFC 8586),
 * which proxies keep.
 * Invariant: only this installation can create a mark. It is valid for one account and a short time.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Hostname } from '../../core/names/hostname.ts';

export interface DeliveryMarksOptions {
  readonly sealer: { derive(purpose: string): Buffer };
  /** The shared domain, which identifies this service in CDN-Loop. */
  readonly domain: Hostname;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Seconds for which a mark is valid. Clocks of daemons differ a little, and a target has half a minute to respond. */
const GOOD_FOR_S = 120;
/** Marks in a request at most. More of them mean a loop. */
const MOST_MARKS = 8;
const MOST_PARTS = 100;
const MARK = /^delivery=([0-9]{1,12})\.([\w-]{43})$/;

export class DeliveryMarks {
  readonly #options: DeliveryMarksOptions;

  constructor(options: DeliveryMarksOptions) {
    this.#options = options;
  }

  /** Returns the value of CDN-Loop for a delivery of the account that begins now. */
  of(account: string): string {
    const at = this.#seconds;
    return `${this.#options.domain}; delivery=${at}.${this.#mac(account, at).toString('base64url')}`;
  }

  /** Returns true if one of these values of CDN-Loop has a valid mark of the account. */
  isAmong(values: readonly string[], account: string): boolean {
    const parts = values.flatMap((value) => value.split(/[,;]/, MOST_PARTS));
    const marks = parts.map((part) => MARK.exec(part.trim())).filter((mark) => mark !== null);
    return marks.slice(0, MOST_MARKS).some(([, at = '', mac = '']) => this.#isGood(account, Number(at), mac));
  }

  #isGood(account: string, at: number, mac: string): boolean {
    if (Math.abs(this.#seconds - at) > GOOD_FOR_S) return false;
    const given = Buffer.from(mac, 'base64url');
    const expected = this.#mac(account, at);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  get #seconds(): number {
    return Math.floor(this.#options.now() / 1000);
  }

  #mac(account: string, at: number): Buffer {
    const key = this.#options.sealer.derive('event-delivery');
    return createHmac('sha256', key)
      .update(JSON.stringify([account, at]))
      .digest();
  }
}
