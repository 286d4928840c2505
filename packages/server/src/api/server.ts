/**
 * The management API over HTTP/1.1: what turns requests into calls of the resource engine, and results into bytes. Only how
 * HTTP is spoken: the order of the checks is in handler.ts, what a resource is in ../resources.
 */
import { METHODS, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import Fastify from 'fastify';
import { Problem } from '../errors/problem.ts';
import { type ConnectionLimits, Connections } from '../http-server/connections.ts';
import { createHttpServer, type Timeouts } from '../http-server/server.ts';
import { brokenRequestProblem, HEAD_LIMIT, type ParseError } from './broken-request.ts';
import { Handler, type HandlerDeps } from './handler.ts';
import { openApiDocument } from './openapi.ts';
import { publicDocuments } from './public-documents.ts';
import { pathsOf } from './routes.ts';

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
  serve(socket: TLSSocket | Socket): void;
  /** Lets requests that have begun finish; what is still open after the deadline is cut. */
  close(deadlineMs: number): Promise<void>;
}

/** Builds the API over an engine. It listens nowhere: connections come through `serve`. */
export async function createApi(deps: ApiDeps): Promise<Api> {
  const limits = deps.connections ?? CONNECTIONS;
  const connections = new Connections(limits);
  const handler = new Handler(deps, connections);
  const { server, ready } = createFront(deps, handler, connections);
  await ready;
  return {
    readAhead: HEAD_LIMIT,
    serve(socket) {
      const connection = connections.add(socket);
      if (connection === null) return;
      if (connection.surplus) handler.refuse(connection, tooManyConnections(limits.perSource));
      else server.emit('connection', connection.stream);
    },
    async close(deadlineMs) {
      await connections.close(deadlineMs);
      server.close();
    },
  };
}

function createFront(
  deps: ApiDeps,
  handler: Handler,
  connections: Connections,
): { server: Server; ready: PromiseLike<unknown> } {
  const paths = pathsOf(deps.engine.kinds);
  let server: Server | undefined;
  const app = Fastify({
    exposeHeadRoutes: false,
    routerOptions: {
      // A long id is an id of nothing; it is not a different path.
      maxParamLength: HEAD_LIMIT,
      querystringParser: () => ({}),
    },
    frameworkErrors: (error, request, reply) => {
      handler.fail(error, request, reply);
    },
    serverFactory: (onRequest) => {
      const timeouts = deps.timeouts ?? TIMEOUTS;
      server = createHttpServer({ connections, timeouts, headLimit: HEAD_LIMIT }, onRequest);
      server.on('connect', (_request, socket) =>
        server?.emit('clientError', new Error('a tunnel was asked for'), socket),
      );
      return server;
    },
    clientErrorHandler: (error, socket) => {
      const connection = connections.of(socket);
      if (connection === undefined || (!connection.finished && !socket.writable)) {
        socket.destroy();
        return;
      }
      if (connection.broken || connection.finished) return;
      connection.broken = true;
      // Fastify types the packet as what it would be in JSON.
      handler.refuse(connection, brokenRequestProblem(error as unknown as ParseError, paths));
    },
  });

  // Every method leads to the handler, and none has a body that the framework would read before the checks.
  const methods = METHODS.filter((method) => method !== 'CONNECT');
  for (const method of methods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });

  for (const path of paths) {
    const url = path.template.replaceAll(/\{(\w+)\}/g, ':$1');
    app.route({
      method: methods,
      url,
      handler: (request, reply) => void handler.handle(request, reply, path),
    });
  }
  const openApi = () => JSON.stringify(openApiDocument(deps.engine.kinds, deps.settings));
  for (const document of publicDocuments(openApi)) {
    app.route({
      method: methods,
      url: document.path,
      handler: (request, reply) => void handler.handlePublic(request, reply, document),
    });
  }
  app.setNotFoundHandler((request, reply) => void handler.handle(request, reply, null));
  app.setErrorHandler((error, request, reply) => handler.fail(error, request, reply));
  return { server: server!, ready: app.ready() };
}

function tooManyConnections(limit: number): Problem {
  return new Problem('tooManyConnections', { limit, seconds: RETRY_SECONDS }, { limit }, RETRY_SECONDS);
}
