/** The options of a client, checked once, and of a call. */
import { readFileSync, statSync } from 'node:fs';
import type { ClientError } from './errors.ts';
import { parseFingerprint } from './fingerprint.ts';
import { defaultRetry, type RetryPolicy } from './retry.ts';

export interface ClientOptions {
  /** Base URL of the API: `https://api.example.com`, with a port and a path if necessary. */
  readonly baseUrl: string;
  /** The token of an API key. */
  readonly apiKey: string;
  /** PEM of the authorities to trust instead of the built-in ones. */
  readonly ca?: string | undefined;
  /** Path of a file with such a PEM; instead of `ca`. */
  readonly caFile?: string | undefined;
  /**
   * Fingerprint of the authority to trust, `sha256:<64 hexadecimal digits>`; instead of `ca`. The server sends the
   * authority itself.
   */
  readonly caFingerprint?: string | undefined;
  /** Default `Service-Version`. */
  readonly versionHeader?: string | undefined;
  /** Milliseconds for the response to each attempt; default 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that an idle connection is kept for the next request; default 15 seconds. */
  readonly keepAliveMs?: number | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Called before each wait. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface Retry {
  readonly error: ClientError;
  readonly delayMs: number;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, waits included; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the response to each attempt. */
  readonly timeoutMs?: number | undefined;
  /**
   * The ETag of the state that a change is for, as `onEtag` received it. The call rejects with `stateChanged` if the resource
   * has changed since.
   */
  readonly ifMatch?: string | undefined;
  /** Receives the ETag of the state in the response, if it has one: single reads and writes of stored resources. */
  readonly onEtag?: ((etag: string) => void) | undefined;
}

/** Options with nothing left open. */
export interface ResolvedOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly ca: string | undefined;
  /** Fingerprint in the form of `parseFingerprint`. */
  readonly caFingerprint: string | undefined;
  readonly timeoutMs: number;
  readonly keepAliveMs: number;
  readonly retry: RetryPolicy;
  readonly onRetry: (retry: Retry) => void;
}

/** Throws TypeError for what can never work, and the system's error for a CA file that cannot be read. */
export function resolveOptions(options: ClientOptions): ResolvedOptions {
  const authorities = [options.ca, options.caFile, options.caFingerprint];
  if (authorities.filter((one) => one !== undefined).length > 1)
    throw new TypeError('Give one of ca, caFile and caFingerprint.');
  if (!/^[\x21-\x7e]+$/.test(options.apiKey))
    throw new TypeError('The API key is not one: it is empty, or has characters that no key has.');
  const versionHeader = options.versionHeader ?? 'Service-Version';
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(versionHeader))
    throw new TypeError(`"${versionHeader}" is not the name of a header.`);
  return {
    url: parseBaseUrl(options.baseUrl),
    headers: { [versionHeader]: '2', authorization: `Bearer ${options.apiKey}`, accept: 'application/json' },
    ca: options.caFile === undefined ? options.ca : readCaFile(options.caFile),
    caFingerprint: checkedFingerprint(options.caFingerprint),
    timeoutMs: options.timeoutMs ?? 30_000,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    retry: { ...defaultRetry, ...options.retry },
    onRetry: options.onRetry ?? (() => {}),
  };
}

/** Bytes of the file of authorities. */
const CA_FILE_LIMIT = 4 * 1024 * 1024;

/** A pipe could be waited for without end, and a device fill the memory. */
function readCaFile(path: string): string {
  const stats = statSync(path);
  if (!stats.isFile()) throw new TypeError(`The caFile ${path} is no regular file. Give the path of one.`);
  if (stats.size > CA_FILE_LIMIT)
    throw new TypeError(
      `The caFile ${path} is larger than ${CA_FILE_LIMIT} bytes. Give the path of another.`,
    );
  return readFileSync(path, 'utf8');
}

function checkedFingerprint(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const read = parseFingerprint(text);
  if ('fault' in read) throw new TypeError(read.fault);
  return read.fingerprint;
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (url?.protocol !== 'https:' || !isPlain)
    throw new TypeError(`The base URL "${text}" is not valid. Give one such as https://api.example.com.`);
  return url;
}
