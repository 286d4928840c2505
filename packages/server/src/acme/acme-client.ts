/**
 * The ACME protocol (RFC 8555), which the library `acme-client` speaks. Never that a request outlives its signal, that an answer without end is
 * read, or that the library waits by itself: it would for as long as the authority says, and cannot be told to stop.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import { axios, Client } from 'acme-client';
import type { AcmeConfig } from './acme-config.ts';
import { AcmeFailure, failureOf } from './acme-failure.ts';

/** For one request, with its answer. */
const REQUEST_MS = 30_000;
/** A chain is some kilobytes. */
const LARGEST_ANSWER = 1024 * 1024;
const LARGEST_RETRY_AFTER_S = 7 * 24 * 60 * 60;
const BAD_NONCE = 'urn:ietf:params:acme:error:badNonce';

interface Call {
  /** Of the directory: nothing is asked for over another one. */
  readonly protocol: string;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

/** Whose request it is: the library has one axios for all of its clients. */
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

  /** The library's client of an account; `url` is '' for one that the authority does not know yet. */
  of(keyPem: string, url: string): Client {
    const { directory: directoryUrl, externalAccount } = this.#config;
    return new AccountClient({
      ...{ directoryUrl, accountKey: keyPem },
      ...(url === '' ? {} : { accountUrl: url }),
      ...(externalAccount === null ? {} : { externalAccountBinding: externalAccount }),
    });
  }

  /** What `work` asks of the library ends with the signal. Rejects with AcmeFailure, whatever went wrong. */
  async ask<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      const { protocol } = new URL(this.#config.directory);
      return await calls.run({ agent: this.#agent, protocol, signal }, work);
    } catch (error) {
      if (error instanceof AcmeFailure) throw error;
      throw new AcmeFailure(`the certificate authority cannot be used: ${reasonOf(error)}`);
    }
  }

  /** A document that anybody may read; null when there is none. */
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

/** The library's client. It updates an account with what the account was to be created with, if the authority has it already. */
class AccountClient extends Client {
  /** Without an update that changes nothing, which authorities may refuse (RFC 8555, section 7.3.2): the account is read instead. */
  override updateAccount(
    ...[data = {}]: Parameters<Client['updateAccount']>
  ): ReturnType<Client['updateAccount']> {
    const { termsOfServiceAgreed: _, ...changes } = data;
    return super.updateAccount(changes);
  }
}

function setUp(): void {
  Object.assign(axios.defaults, { proxy: false, maxRedirects: 0, maxContentLength: LARGEST_ANSWER });
  // Those of the library try again by themselves, and fail over what is no answer.
  axios.interceptors.request.clear();
  axios.interceptors.response.clear();
  axios.interceptors.request.use((config) => {
    const call = calls.getStore();
    if (call === undefined) throw new Error('the library was asked by nobody');
    const { url = '' } = config;
    if (!URL.canParse(url) || new URL(url).protocol !== call.protocol)
      throw new AcmeFailure('the certificate authority names an address that is not asked');
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(REQUEST_MS)]);
    return Object.assign(config, { httpsAgent: call.agent, signal });
  });
  axios.interceptors.response.use((response) => {
    const { status, data, headers } = response;
    // The library asks again with another nonce.
    if (status < 400 || data?.type === BAD_NONCE) return response;
    const about = `the certificate authority refused (HTTP ${status})`;
    throw failureOf(data, about, { status, retryAfterMs: retryAfterMs(headers['retry-after']) });
  });
}

/** RFC 9110, section 10.2.3: seconds, or a date. 0 for what is neither. */
export function retryAfterMs(value: unknown, now = Date.now()): number {
  if (typeof value !== 'string') return 0;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Math.min(Math.max(0, Number.isNaN(seconds) ? 0 : seconds), LARGEST_RETRY_AFTER_S) * 1000;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The library looks into what it is answered as if that were what it has to be.
  if (error instanceof TypeError) return 'what it answers is not of the protocol';
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
