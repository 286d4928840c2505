/** A visitor that speaks HTTP/2, by a client that is not ours. */
import { once } from 'node:events';
import http2, { type ClientHttp2Session, type ClientHttp2Stream, type OutgoingHttpHeaders } from 'node:http2';
import type { TestContext } from 'node:test';
import tls from 'node:tls';
import { NAME } from './test-server.fixture.ts';

export interface Http2Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly trailers: Readonly<Record<string, unknown>>;
  /** The code with which the stream ended. */
  readonly code: number;
}

export class Http2Client {
  readonly session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.session = session;
  }

  static async open(t: TestContext, port: number, options: tls.ConnectionOptions = {}): Promise<Http2Client> {
    const socket = tls.connect({
      ...{ port, host: '127.0.0.1', servername: NAME, rejectUnauthorized: false, ALPNProtocols: ['h2'] },
      ...options,
    });
    const session = http2.connect(`https://${NAME}`, { createConnection: () => socket });
    session.on('error', () => {});
    t.after(() => session.destroy());
    await once(session, 'remoteSettings');
    return new Http2Client(session);
  }

  request(headers: OutgoingHttpHeaders, ends = true): ClientHttp2Stream {
    const stream = this.session.request({ ':authority': NAME, ...headers }, { endStream: ends });
    stream.on('error', () => {});
    return stream;
  }

  async ask(headers: OutgoingHttpHeaders, body: string | null = null): Promise<Http2Answer> {
    const stream = this.request(headers, body === null);
    if (body !== null) stream.end(Buffer.from(body, 'latin1'));
    return answerOf(stream);
  }
}

/** Returns the response of a stream at its end. */
export async function answerOf(stream: ClientHttp2Stream): Promise<Http2Answer> {
  let headers: Record<string, unknown> = {};
  let trailers: Record<string, unknown> = {};
  let body = '';
  stream.setEncoding('latin1');
  stream.on('response', (given) => {
    headers = { ...given };
  });
  stream.on('trailers', (given) => {
    trailers = { ...given };
  });
  stream.on('data', (text: string) => {
    body += text;
  });
  const closed = Promise.withResolvers<void>();
  stream.once('close', () => closed.resolve());
  await closed.promise;
  return { status: Number(headers[':status'] ?? 0), headers, body, trailers, code: stream.rstCode ?? 0 };
}
