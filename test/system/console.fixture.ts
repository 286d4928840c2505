/** A browser that uses the console of a daemon: it keeps the cookie, and sends what browsers send. */
import assert from 'node:assert/strict';
import type { Answer, Platform } from '../harness/index.ts';

/** Headers of browsers elsewhere, and of clients without Fetch Metadata. */
export const foreign: readonly Readonly<Record<string, string>>[] = [
  { 'sec-fetch-site': 'same-site', origin: 'https://tenant.underpass.localhost' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': '' },
  { 'sec-fetch-site': 'same-origin, same-site' },
  { 'sec-fetch-site': '', origin: 'null' },
  { 'sec-fetch-site': '', origin: 'https://tenant.underpass.localhost' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://tenant.underpass.localhost' },
];

export class ConsoleBrowser {
  readonly #platform: Platform;
  /** The URL of the console. */
  readonly #base: string;
  /** The cookie as `name=value`; '' without one. */
  cookie = '';
  /** The token of the session. */
  csrf = '';

  constructor(platform: Platform, base = platform.bootstrap.base_url) {
    this.#platform = platform;
    this.#base = base;
  }

  /** A browser that signed in with a token. */
  static async signedIn(platform: Platform, token: string, base?: string): Promise<ConsoleBrowser> {
    const browser = new ConsoleBrowser(platform, base);
    const answer = await browser.signIn(token);
    assert.equal(answer.status, 200, answer.text);
    return browser;
  }

  /** Requests of a page of the console. `headers`: in place of a browser's own; '' for none. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const own: Record<string, string> = {
      'service-version': '2',
      'sec-fetch-site': 'same-origin',
      cookie: this.cookie,
      ...(method === 'GET' ? {} : { 'x-csrf-token': this.csrf }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
    // The document describes requests with a key.
    return await this.#platform.client.unchecked(new URL(path, this.#base), {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async signIn(token: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const answer = await this.request('POST', '/ui/session', { token }, headers);
    if (answer.status !== 200) return answer;
    this.cookie = cookieOf(answer);
    this.csrf = answer.json.csrf_token;
    return answer;
  }
}

/** Returns the cookie that an answer sets, as `name=value`. */
export function cookieOf({ headers }: Answer): string {
  const [set] = [headers['set-cookie'] ?? []].flat();
  return set?.split(';')[0] ?? '';
}

/** Makes a link with an API key, and returns its token. */
export async function linkToken(platform: Platform, key = platform.bootstrap.api_key): Promise<string> {
  const { status, json } = await platform.api(
    'POST',
    '/console/links',
    {},
    { authorization: `Bearer ${key}` },
  );
  assert.equal(status, 200);
  const url = new URL(json.url);
  assert.deepEqual([url.pathname, url.search], ['/ui/sign-in', '']);
  return url.hash.slice(1);
}
