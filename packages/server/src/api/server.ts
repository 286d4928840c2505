/**
 * The management API over HTTP/1.1: what turns requests into calls of the resource engine, and results into bytes. Only how
 * HTTP is spoken: the order of the checks is in handler.ts, what a resource is in ../resources.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { ipOf } from '../core/client-address.ts';
import { Problem } from '../errors/problem.ts';
import { type ConnectionLimits, Connections } from '../http-server/connections.ts';
import { createHttpServer, type Timeouts } from '../http-server/server.ts';
import { brokenRequestProblem, HEAD_LIMIT, type ParseError } from './broken-request.ts';
import { Handler, type HandlerDeps } from './handler.ts';
import { openApiDocument } from './openapi.ts';
import { type PublicDocument, publicDocuments } from './public-documents.ts';
import { Router } from './router.ts';
import { type Path, pathsOf } from './routes.ts';

export type { Observed } from './request-log.ts';

const TIMEOUTS: Timeouts = { head: 15_000, request: 60_000, keepAlive: 60_000, silence: 120_000 };
/** A connection on which nothing is read holds some 250 KB, most of it what TLS has in hand. */
const CONNECTIONS: ConnectionLimits = { perSource: 256, total: 2048 };

const RETRY_SECONDS = 1;

export interface ApiDeps extends HandlerDeps {
  readonly timeouts?: Timeouts;
  readonly connections?: ConnectionLimits;
}

export interface Api {
  /** As much of a connection is read ahead of the requests that are answered, in bytes. */
  readonly readAhead: number;
  /** Takes over a connection whose TLS is already terminated. */
  serve(socket: TLSSocket | Socket, clientAddr: string): void;
  /** From here on each answer is its connection's last one; connections that come are served. */
  drain(): void;
  /**
   * Lets requests that have begun, or begin within `quietMs`, finish; what is still open after the deadline is cut. Takes no
   * further connections.
   */
  close(deadlineMs: number, quietMs?: number): Promise<void>;
}

/** Builds the API over an engine. It listens nowhere: connections come through `serve`. */
export function createApi(deps: ApiDeps): Api {
  const limits = deps.connections ?? CONNECTIONS;
  const connections = new Connections(limits);
  const handler = new Handler(deps, connections, routerOf(deps));
  const server = createServer(deps, handler, connections);
  return {
    readAhead: HEAD_LIMIT,
    serve(socket, clientAddr) {
      const connection = connections.add(socket, ipOf(clientAddr));
      if (connection === null) return;
      if (connection.surplus) handler.refuse(connection, tooManyConnections(limits.perSource));
      else server.emit('connection', connection.stream);
    },
    drain() {
      connections.drain();
    },
    async close(deadlineMs, quietMs) {
      await connections.close(deadlineMs, quietMs);
      server.close();
    },
  };
}

function routerOf({ engine, settings }: ApiDeps): Router<Path | PublicDocument> {
  const openApi = () => JSON.stringify(openApiDocument(engine.kinds, settings));
  return new Router<Path | PublicDocument>([
    ...pathsOf(engine.kinds).map((path): [string, Path] => [path.template, path]),
    ...publicDocuments(openApi).map((document): [string, PublicDocument] => [document.path, document]),
  ]);
}

function createServer(deps: ApiDeps, handler: Handler, connections: Connections): Server {
  const timeouts = deps.timeouts ?? TIMEOUTS;
  const server = createHttpServer(
    { connections, timeouts, headLimit: HEAD_LIMIT },
    (request, response) => void handler.handle(request, response),
  );
  const refuse = (error: ParseError, socket: Duplex): void => {
    const connection = connections.of(socket);
    if (connection === undefined || (!connection.finished && !socket.writable)) {
      socket.destroy();
      return;
    }
    if (connection.broken || connection.finished) return;
    connection.broken = true;
    handler.refuse(connection, brokenRequestProblem(error, handler.pathAt));
  };
  server.on('clientError', refuse);
  server.on('connect', (_request, socket) => refuse(new Error('a tunnel was asked for'), socket));
  return server;
}

function tooManyConnections(limit: number): Problem {
  return new Problem('tooManyConnections', { limit, seconds: RETRY_SECONDS }, { limit }, RETRY_SECONDS);
}
