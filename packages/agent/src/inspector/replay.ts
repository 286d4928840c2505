/**
 * Replays a request to the upstream of a tunnel. The replay uses the tunnel's own path, so that its response is kept
 * like any other.
 */
import {
  ErrorCode,
  type MuxStream,
  noopHandler,
  type ProxyHeader,
  type StreamHandler,
} from '@underpass/wire';
import { InvalidInput } from '../address.ts';
import type { ServeConnection } from '../forward.ts';
import type { Header, ReplayRequest } from './api-types.ts';
import type { Exchange } from './exchange.ts';
import { inBytes, legible, rawHeaders } from './head.ts';
import { isHeader, isMethod, isTarget } from './request-syntax.ts';

/** Headers that belong to the original connection, or are written anew. */
const OF_THE_CONNECTION = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'],
  ...['content-length', 'transfer-encoding'],
];

/** A request that can be sent; its texts have one character a byte. */
export interface ReplayedRequest {
  readonly method: string;
  readonly target: string;
  /** The headers without those of a connection. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** Throws InvalidInput when it cannot be sent. */
export function replayedRequest(exchange: Exchange, edits: ReplayRequest): ReplayedRequest {
  const { method = exchange.origin.method } = edits;
  const target = edits.path === undefined ? exchange.origin.target : inBytes(edits.path);
  const headers = edits.headers?.map(inBytesOf) ?? rawHeaders(exchange.requestLines);
  if (!isMethod(method)) throw new InvalidInput('The method has to be capitals, such as GET.');
  if (method === 'CONNECT')
    throw new InvalidInput('CONNECT makes a connection and no request that could be replayed.');
  if (!isTarget(legible(target)))
    throw new InvalidInput('The path has to begin with / and have no white space in it.');
  for (const [name, value] of headers)
    if (!isHeader(name, value)) throw new InvalidInput(`${JSON.stringify(name)} cannot be a header.`);
  if (headers.some(([name]) => name.toLowerCase() === 'upgrade'))
    throw new InvalidInput('An upgrade, such as that of a WebSocket, cannot be replayed.');
  return { method, target, headers: headers.filter(isKept), body: bodyOf(exchange, edits) };
}

/** The request in HTTP/1.1 form. */
export function requestBytes({ method, target, headers, body }: ReplayedRequest): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body.length > 0 || /^(POST|PUT|PATCH)$/.test(method) ? [`Content-Length: ${body.length}`] : []),
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

function inBytesOf([name, value]: Header): Header {
  return [name, inBytes(value)];
}

function isKept([name]: Header): boolean {
  return !OF_THE_CONNECTION.includes(name.toLowerCase());
}

function bodyOf({ request, hasWholeRequest }: Exchange, { body, bodyBase64 }: ReplayRequest): Buffer {
  if (body !== undefined) return Buffer.from(body);
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64');
  if (!hasWholeRequest)
    throw new InvalidInput('Only the beginning of the body is here. Give a body, or send the request again.');
  return request.bytes;
}

export const DEADLINE_MS = 60_000;

/** Sends the request on a connection of its own, and ends that after the response. Resolves when the connection has ended. */
export function send(serve: ServeConnection, header: ProxyHeader, request: Buffer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stream = new LocalStream(resolve);
  serve(stream, header);
  stream.handler.data(request);
  const deadline = setTimeout(() => stream.reset(ErrorCode.streamCancelled), DEADLINE_MS);
  return promise.finally(() => clearTimeout(deadline));
}

/** The tunnel's side of a stream without a peer. It drops written bytes, because the capture has them already. */
class LocalStream implements MuxStream {
  readonly id = 0;
  readonly writableNeedDrain = false;
  handler: StreamHandler = noopHandler;
  closed = false;
  readonly #over: () => void;

  constructor(over: () => void) {
    this.#over = over;
  }

  write(): boolean {
    return true;
  }

  writeCopy(): boolean {
    return true;
  }

  end(): void {
    this.reset(ErrorCode.none);
  }

  reset(code: ErrorCode): void {
    if (this.closed) return;
    this.closed = true;
    const { handler } = this;
    this.handler = noopHandler;
    handler.end();
    handler.close(code);
    this.#over();
  }

  pause(): void {}

  resume(): void {}

  acknowledge(): void {}

  detach(): void {}
}
