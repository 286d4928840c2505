/**
 * Speaks ACME (RFC 8555) through the library `acme-client`.
 * Invariant: a request ends with its signal, and a response has a size limit.
 * Invariant: the library does not wait by itself, because its waits have no limit and cannot be cancelled.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import { axios, Client } from 'acme-client';
import type { AcmeConfig } from './acme-config.ts';
import { AcmeFailure, failureOf } from './acme-failure.ts';

/** Milliseconds for one request with its response. */
const REQUEST_MS = 30_000;
/** Bytes of a response at most. A chain has some kilobytes. */
const LARGEST_ANSWER = 1024 * 1024;
const LARGEST_RETRY_AFTER_S = 7 * 24 * 60 * 60;
const BAD_NONCE = 'urn:ietf:params:acme:error:badNonce';

interface Call {
  /** The protocol of the directory's URL. Requests use no other. */
  readonly protocol: string;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

/** The call that a request belongs to. The library uses one axios for all of its clients. */
const calls = new AsyncLocalStorage<Call>();

setUp();

export class AcmeClient {
  readonly #agent: Agent;
  readonly #config: AcmeConfig;

  constructor(config: AcmeConfig) {
    this.#config = config;
    const known = config.authorities.length === 0 ? {} : { ca: [...rootCertificates, ...config.authorities] };
    this.#agent = new Agent({ keepAlive: false, ...known });
  }

  /** Returns the library's client of an account. `url` is '' for an account that the authority does not know yet. */
  of(keyPem: string, url: string): Client {
    const { directory: directoryUrl, externalAccount } = this.#config;
    return new AccountClient({
      ...{ directoryUrl, accountKey: keyPem },
      ...(url === '' ? {} : { accountUrl: url }),
      ...(externalAccount === null ? {} : { externalAccountBinding: externalAccount }),
    });
  }

  /** Runs `work`, whose requests end with the signal. Rejects only with AcmeFailure. */
  async ask<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      const { protocol } = new URL(this.#config.directory);
      return await calls.run({ agent: this.#agent, protocol, signal }, work);
    } catch (error) {
      if (error instanceof AcmeFailure) throw error;
      throw new AcmeFailure(`the certificate authority cannot be used: ${reasonOf(error)}`);
    }
  }

  /** Fetches a public document; returns null if there is none. */
  async read(
    signal: AbortSignal,
    url: string,
  ): Promise<{ readonly data: unknown; readonly retryAfterMs: number }> {
    return this.ask(signal, async () => {
      const { data, headers } = await axios.get<unknown>(url);
      return { data, retryAfterMs: retryAfterMs(headers['retry-after']) };
    });
  }
}

/** Adapts the library's client, which updates an existing account with the fields of its creation. */
class AccountClient extends Client {
  /**
   * Reads the account instead of sending an update without changes, which authorities may refuse (RFC 8555, section
   * 7.3.2).
   */
  override updateAccount(
    ...[data = {}]: Parameters<Client['updateAccount']>
  ): ReturnType<Client['updateAccount']> {
    const { termsOfServiceAgreed: _, ...changes } = data;
    return super.updateAccount(changes);
  }
}

function setUp(): void {
  Object.assign(axios.defaults, { proxy: false, maxRedirects: 0, maxContentLength: LARGEST_ANSWER });
  // The library's interceptors retry by themselves, and fail on malformed responses.
  axios.interceptors.request.clear();
  axios.interceptors.response.clear();
  axios.interceptors.request.use((config) => {
    const call = calls.getStore();
    if (call === undefined) throw new Error('the library sent a request outside of a call');
    const { url = '' } = config;
    if (!URL.canParse(url) || new URL(url).protocol !== call.protocol)
      throw new AcmeFailure(
        'the certificate authority names an address with another scheme than its directory',
      );
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(REQUEST_MS)]);
    return Object.assign(config, { httpsAgent: call.agent, signal });
  });
  axios.interceptors.response.use((response) => {
    const { status, data, headers } = response;
    // The library retries with another nonce.
    if (status < 400 || data?.type === BAD_NONCE) return response;
    const about = `the certificate authority refused (HTTP ${status})`;
    throw failureOf(data, about, { status, retryAfterMs: retryAfterMs(headers['retry-after']) });
  });
}

/** Parses Retry-After (RFC 9110, section 10.2.3): seconds, or a date. Returns 0 for anything else. */
export function retryAfterMs(value: unknown, now = Date.now()): number {
  if (typeof value !== 'string') return 0;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Math.min(Math.max(0, Number.isNaN(seconds) ? 0 : seconds), LARGEST_RETRY_AFTER_S) * 1000;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The library uses a response without checking its type.
  if (error instanceof TypeError) return 'its response does not follow the protocol';
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
