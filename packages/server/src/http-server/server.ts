/**
 * node:http as this daemon uses it: connections come through `Connections`, never from a port that Node listens on by
 * itself.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Connections } from './connections.ts';

/** How long a client may take, in milliseconds. */
export interface Timeouts {
  /** From the first byte of a request (or the start of a connection) to the end of its head. */
  readonly head: number;
  /** From the first byte of a request to the end of its body. */
  readonly request: number;
  /** Between two requests. */
  readonly keepAlive: number;
  /** Without any byte in either direction. */
  readonly silence: number;
}

export interface HttpServerOptions {
  readonly connections: Connections;
  readonly timeouts: Timeouts;
  /** Of the request line and all headers, in bytes. */
  readonly headLimit: number;
}

/** Emit `connection` with the stream of each connection that was added. */
export function createHttpServer(options: HttpServerOptions, onRequest: RequestListener): Server {
  const { connections, timeouts, headLimit } = options;
  const server = createServer(
    {
      maxHeaderSize: headLimit,
      headersTimeout: timeouts.head,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: Math.min(1000, timeouts.head),
      // What Node answered by itself would not be counted: the listener refuses these requests.
      requireHostHeader: false,
    },
    (request, response) => {
      if (connections.begin(request, response)) onRequest(request, response);
    },
  );
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Names beyond a maximum would be dropped without a word; the size of the head bounds them already.
  server.maxHeadersCount = 0;
  server.timeout = timeouts.silence;
  // Node begins to enforce the timeouts above when a server listens, which this one never does.
  server.emit('listening');
  return server;
}
