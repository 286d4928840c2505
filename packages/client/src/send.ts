/** Sends one request and receives its response. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import { isCertificateError } from './certificate-error.ts';
import { ConnectionError } from './errors.ts';
import { routeTo } from './loopback.ts';
import { PinError, pinnedAuthority } from './pinned-authority.ts';
import type { HandshakeOptions } from './shown-chain.ts';

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  /** Path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends one request and reads its whole response. Rejects with ConnectionError, or with the signal's reason.
 * `timeoutMs` is for all of it.
 */
export function send(
  agent: Agent,
  outgoing: Outgoing,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  return exchange(agent, outgoing, { timeoutMs, signal }, async (response) => answerOf(response));
}

/**
 * Sends one request. Resolves with a response of the status 200 before its body, which the caller must read or destroy,
 * or with a whole one of another status. Rejects as `send`. `timeoutMs` is for the head.
 */
export function open(
  agent: Agent,
  outgoing: Outgoing,
  options: HandshakeOptions,
): Promise<IncomingMessage | Answer> {
  return exchange(agent, outgoing, options, async (response) =>
    response.statusCode === 200 ? response : answerOf(response),
  );
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const text = await read(response);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

function exchange<Received>(
  agent: Agent,
  outgoing: Outgoing,
  { timeoutMs, signal }: HandshakeOptions,
  receive: (response: IncomingMessage) => Promise<Received>,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let wasSent = false;
    const { url, method, path, headers, body } = outgoing;
    const { host, port } = placeOf(url);
    const sent = request({ ...routeTo(host, port), agent, method, path, headers });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const fail = (reason: unknown) => {
      settle();
      reject(reason);
      sent.destroy();
    };
    const lost = (error: NodeJS.ErrnoException) =>
      fail(new ConnectionError(lostMessage(url.host, error), error.code ?? '', wasSent, error));
    const late = () =>
      fail(
        new ConnectionError(`No answer from ${url.host} within ${timeoutMs / 1000} s.`, 'TIMEOUT', wasSent),
      );
    const abort = () => fail(signal?.reason);
    const timer = setTimeout(late, timeoutMs);
    signal?.addEventListener('abort', abort);
    sent.on('error', lost);
    sent.on('socket', (socket) => {
      // Nothing is sent before the end of the handshake.
      if (sent.reusedSocket) wasSent = true;
      else socket.once('secureConnect', () => (wasSent = true));
    });
    sent.on('response', (response) => {
      receive(response).then((received) => {
        settle();
        resolve(received);
      }, lost);
    });
    sent.end(body);
  });
}

/** Returns the PEM of the authority with the fingerprint. Rejects as `send`. */
export async function findAuthority(
  url: URL,
  fingerprint: string,
  options: HandshakeOptions,
): Promise<string> {
  try {
    return await pinnedAuthority(fingerprint, placeOf(url), options);
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    if (!(error instanceof Error)) throw error;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    throw new ConnectionError(lostMessage(url.host, error), code, false, error);
  }
}

function placeOf(url: URL): { readonly host: string; readonly port: number } {
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 443) };
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function lostMessage(host: string, error: NodeJS.ErrnoException): string {
  // One error for each address; the first one has the reason.
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  if (error instanceof PinError) return message;
  if (!isCertificateError(error.code ?? '')) return `No answer from ${host}: ${message}`;
  // The rest of the message is advice for the command line of Node.
  return `The certificate of ${host} is not trusted: ${message.split(';')[0]}.`;
}
