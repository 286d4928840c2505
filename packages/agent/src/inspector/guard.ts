/**
 * Decides which requests the inspector accepts.
 * Invariant: a page of another site never gets a response. Its browser runs on this machine, too. It can send a Host
 * of its choice (DNS rebinding), or the right Host and an Origin (CSRF).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Names that mean this machine, independent of DNS. */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** The part of a request that is judged. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export class Guard {
  readonly #hosts: ReadonlySet<string>;
  readonly #token: string;

  /** `host`: that it listens on. */
  constructor({ host, port }: { readonly host: string; readonly port: number }, token: string) {
    const names = new Set([...LOOPBACK, host.includes(':') ? `[${host}]` : host]);
    this.#hosts = new Set([...names].map((name) => `${name}:${port}`));
    this.#token = digest(token);
  }

  /** Returns the reason to refuse a request; null if it is allowed. */
  refusal({ path, headers }: Asked): string | null {
    const host = headers.host?.toLowerCase() ?? '';
    if (!this.#hosts.has(host)) return 'This Host is not the inspector. Use http://127.0.0.1 with its port.';
    const { origin, 'sec-fetch-site': site = 'none' } = headers;
    if (origin !== undefined && origin !== `http://${host}`) return 'Pages of another origin get no answer.';
    if (site !== 'none' && site !== 'same-origin' && path !== '/')
      return 'Pages of another site get no answer.';
    if (!path.startsWith('/api/')) return null;
    return this.#isToken(headers['x-inspector-token'])
      ? null
      : 'The header X-Inspector-Token is missing or wrong.';
  }

  #isToken(given: string | string[] | undefined): boolean {
    return typeof given === 'string' && timingSafeEqual(Buffer.from(digest(given)), Buffer.from(this.#token));
  }
}

/** A digest of fixed length, so that two of them compare in constant time. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
