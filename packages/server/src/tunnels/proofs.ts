/**
 * Proofs that agents present later: bind tokens (this name was bound with this credential), session cookies (this
 * client id was given to this credential) and ids of binds. They contain their purpose. All are valid across
 * restarts, because the key is in the store.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The agent and credential that a proof was issued to. */
export interface Bearer {
  readonly account: string;
  readonly credential: string;
}

export class Proofs {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** `target`: a name or an address. */
  bindToken(bearer: Bearer, target: string): string {
    return `${Buffer.from(target).toString('base64url')}.${this.#mac('bind', bearer, target).toString('base64url')}`;
  }

  /** The name or address that a bind token proves; null when this service did not give it to this credential. */
  provenTarget(token: string, bearer: Bearer): string | null {
    const dot = token.indexOf('.');
    if (dot === -1 || token.length > 1024) return null;
    const target = Buffer.from(token.slice(0, dot), 'base64url').toString();
    return this.#equal(token.slice(dot + 1), this.#mac('bind', bearer, target)) ? target : null;
  }

  cookie(bearer: Bearer, clientId: string): string {
    return this.#mac('session', bearer, clientId).toString('base64url');
  }

  isCookie(cookie: string, bearer: Bearer, clientId: string): boolean {
    return this.#equal(cookie, this.#mac('session', bearer, clientId));
  }

  /** Returns the id of a bind that requested none: always the same for the same subject, 32 hex digits. */
  bindId(bearer: Bearer, subject: string): string {
    return this.#mac('id', bearer, subject).toString('hex', 0, 16);
  }

  /** Returns a digest by which daemons compare what visitors find at tunnels of one account. It reveals nothing of the text. */
  behaviour({ account }: Pick<Bearer, 'account'>, text: string): string {
    return this.#mac('behaviour', { account, credential: '' }, text).toString('base64url');
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
