/**
 * By what a request that brings events is known where it comes in again, as at an edge of the account that is to have them: telling of it would
 * make the next one, without end. It is a parameter of CDN-Loop (RFC 8586), which proxies leave where it is. Never that somebody makes one up, or
 * that one stands for another account or for longer than it is on its way.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Hostname } from '../../core/hostname.ts';

export interface DeliveryMarksOptions {
  readonly sealer: { derive(purpose: string): Buffer };
  /** The shared domain, by which requests of this service are known. */
  readonly domain: Hostname;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Clocks of several daemons differ a little, and a target has half a minute to answer. */
const GOOD_FOR_S = 120;
/** A request with more marks of this service goes round, and no further. */
const MOST_MARKS = 8;
const MOST_PARTS = 100;
const MARK = /^delivery=([0-9]{1,12})\.([\w-]{43})$/;

export class DeliveryMarks {
  readonly #options: DeliveryMarksOptions;

  constructor(options: DeliveryMarksOptions) {
    this.#options = options;
  }

  /** What CDN-Loop says of a delivery for the account that begins now. */
  of(account: string): string {
    const at = this.#seconds;
    return `${this.#options.domain}; delivery=${at}.${this.#mac(account, at).toString('base64url')}`;
  }

  /** Whether one of these, values of CDN-Loop, is of a delivery for the account. */
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
