/**
 * What agents are given to show again later: bind tokens (this name was bound with this credential) and session cookies
 * (this client id was given to this credential). Both hold across restarts, since the key is kept in the store.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type HostPattern, isFault, parseHostPattern } from '../core/hostname.ts';

/** To whom a proof was given. */
export interface Bearer {
  readonly account: string;
  readonly credential: string;
}

export class Proofs {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  bindToken(bearer: Bearer, name: HostPattern): string {
    return `${Buffer.from(name).toString('base64url')}.${this.#mac('bind', bearer, name).toString('base64url')}`;
  }

  /** The name that a bind token proves; null when this service did not give it to this credential. */
  provenName(token: string, bearer: Bearer): HostPattern | null {
    const dot = token.indexOf('.');
    if (dot === -1 || token.length > 1024) return null;
    const name = parseHostPattern(Buffer.from(token.slice(0, dot), 'base64url').toString());
    if (isFault(name)) return null;
    return this.#equal(token.slice(dot + 1), this.#mac('bind', bearer, name)) ? name : null;
  }

  cookie(bearer: Bearer, clientId: string): string {
    return this.#mac('session', bearer, clientId).toString('base64url');
  }

  isCookie(cookie: string, bearer: Bearer, clientId: string): boolean {
    return this.#equal(cookie, this.#mac('session', bearer, clientId));
  }

  #mac(purpose: string, bearer: Bearer, subject: string): Buffer {
    // JSON keeps the parts apart, whatever is in them.
    const text = JSON.stringify([purpose, bearer.account, bearer.credential, subject]);
    return createHmac('sha256', this.#key).update(text).digest();
  }

  #equal(text: string, expected: Buffer): boolean {
    const given = Buffer.from(text, 'base64url');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
