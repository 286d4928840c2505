/**
 * Replays a request to an upstream over HTTP/2, on a connection of its own.
 * Invariant: the replay ends at its deadline, whatever the upstream does.
 */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { Duplex } from 'node:stream';
import {
  ErrorCode,
  type MuxStream,
  noopHandler,
  type ProxyHeader,
  type StreamHandler,
} from '@underpass/wire';
import { InvalidInput } from '../address.ts';
import type { ServeConnection } from '../forward.ts';
import { DEADLINE_MS, type ReplayedRequest } from './replay.ts';

/** Sends like `send` of replay.ts. Throws InvalidInput if HTTP/2 does not allow the request. */
export function sendHttp2(
  serve: ServeConnection,
  header: ProxyHeader,
  request: ReplayedRequest,
): Promise<void> {
  const connection = new LocalConnection();
  serve(connection.stream, header);
  const session = connect('http://replay', { createConnection: () => connection });
  const asked = ask(session, request);
  if (asked instanceof Error) {
    session.destroy();
    throw new InvalidInput(`HTTP/2 does not take this request: ${asked.message}`);
  }
  const deadline = setTimeout(() => connection.destroy(), DEADLINE_MS);
  // Errors need no report, because they appear as the end of the exchange.
  for (const one of [session, asked]) one.on('error', () => connection.destroy());
  asked.on('close', () => session.close());
  asked.resume();
  if (request.body.length > 0) asked.end(request.body);
  return new Promise<void>((resolve) => connection.on('close', resolve)).finally(() =>
    clearTimeout(deadline),
  );
}

function ask(session: ClientHttp2Session, request: ReplayedRequest): ClientHttp2Stream | Error {
  try {
    return session.request(headersOf(request), { endStream: request.body.length === 0 });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function headersOf({ method, target, headers }: ReplayedRequest): OutgoingHttpHeaders {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    values.set(lower, [...(values.get(lower) ?? []), value]);
  }
  const [authority = 'localhost'] = values.get('host') ?? [];
  values.delete('host');
  return {
    ...{ ':method': method, ':path': target, ':scheme': 'http', ':authority': authority },
    ...Object.fromEntries(values),
    // The service sends this header, too: gRPC requires it.
    te: 'trailers',
  };
}

/** Both sides of a connection in memory: a Duplex for the client, and the stream that a tunnel serves. */
class LocalConnection extends Duplex {
  readonly stream: LocalStream;

  constructor() {
    super({ allowHalfOpen: true });
    this.stream = new LocalStream(this);
    this.on('error', () => {});
  }

  override _read(): void {
    this.stream.handler.drain();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.stream.handler.data(chunk);
    this.stream.whenResumed(done);
  }

  override _final(done: () => void): void {
    this.stream.handler.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.stream.reset(ErrorCode.streamCancelled);
    done(error);
  }
}

class LocalStream implements MuxStream {
  readonly id = 0;
  readonly writableNeedDrain = false;
  handler: StreamHandler = noopHandler;
  closed = false;
  readonly #far: Duplex;
  #isPaused = false;
  #waiting: (() => void) | null = null;

  constructor(far: Duplex) {
    this.#far = far;
  }

  /** Called once there is room for more. */
  whenResumed(done: () => void): void {
    if (this.#isPaused) this.#waiting = done;
    else done();
  }

  write(chunk: Uint8Array): boolean {
    return this.closed || this.#far.push(chunk);
  }

  writeCopy(chunk: Uint8Array): boolean {
    return this.write(Buffer.from(chunk));
  }

  end(): void {
    if (!this.closed) this.#far.push(null);
  }

  reset(code: ErrorCode): void {
    if (this.closed) return;
    this.closed = true;
    const { handler } = this;
    this.handler = noopHandler;
    handler.close(code);
    this.#far.destroy();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.();
  }

  acknowledge(): void {}

  detach(): void {}
}
