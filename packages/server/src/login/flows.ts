/**
 * Logins in progress. All data of a login is sealed in its state, so that visitors who only begin logins use no
 * memory.
 * Invariant: a state is valid in its own browser only, because it names that browser's cookie.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { LoginKey, Sealed } from './login-key.ts';

/** Seconds in which a login has to be finished. */
export const flowSeconds = 30 * 60;
/** Longer targets are not come back to: the state has to fit into an address. */
const mostTarget = 1024;

export interface Flow {
  readonly id: string;
  /** The module that it is for, as it is configured now. */
  readonly place: string;
  /** `name[:port]` of the visitor's request. */
  readonly host: string;
  /** Path and query to come back to, beginning with one slash. */
  readonly target: string;
  /** Cookie of the browser; '' for a login that began at the identity provider. */
  readonly browser: string;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
}

export interface BegunFlow {
  readonly flow: Flow;
  /** The flow, sealed: letters, digits, `-` and `_`. */
  readonly state: string;
}

export class Flows {
  readonly #key: LoginKey;
  readonly #states: Sealed<Flow>;
  readonly #now: () => number;

  constructor(key: LoginKey, now: () => number) {
    this.#key = key;
    this.#states = key.sealedFor('login/1');
    this.#now = now;
  }

  /** `browser`: the value of the browser's cookie; '' only where a login began elsewhere, and that is allowed. */
  begin(of: Pick<Flow, 'place' | 'host' | 'target' | 'browser'>): BegunFlow {
    const { place, host, target, browser } = of;
    const flow: Flow = {
      id: randomBytes(16).toString('base64url'),
      place,
      host,
      target: target.length > mostTarget ? '/' : target,
      browser: browser === '' ? '' : browserDigest(browser),
      begunAt: this.#now(),
    };
    return { flow, state: this.#states.seal(flow, '') };
  }

  /** Returns the content of a state of any age; null if this service did not make it. */
  open(state: string): Flow | null {
    return this.#states.open(state, '');
  }

  isTooOld({ begunAt }: Flow): boolean {
    return this.#now() >= begunAt + flowSeconds * 1000;
  }

  /** Returns a secret of the flow: a verifier of PKCE, a nonce. */
  secretOf({ id }: Flow, purpose: string): string {
    return this.#key.secretOf(purpose, id);
  }
}

/** A new value for the cookie by which a browser is known again while it logs in. */
export function newBrowser(): string {
  return randomBytes(16).toString('base64url');
}

export function isOfBrowser({ browser }: Flow, cookie: string): boolean {
  return cookie !== '' && browser === browserDigest(cookie);
}

/** The result of a login is sealed for that login, on the way to its name. */
export function placeOfAnswer({ place, id }: Flow): string {
  return `${place} ${id}`;
}

function browserDigest(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url').slice(0, 22);
}
