/**
 * The management API over HTTP/1.1: what turns requests into calls of the resource engine, and results into bytes.
 * In: TLS-terminated sockets from the front door. Out: JSON answers, one log line each.
 * What may change here: how HTTP is spoken; the order of the checks is in handler.ts, what a resource is in ../resources.
 */
import { createServer, METHODS, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import Fastify from 'fastify';
import { problemAnswer } from './answer.ts';
import { answerBroken, brokenRequestProblem, HEAD_LIMIT, type ParseError } from './broken-request.ts';
import { Connections } from './connections.ts';
import { Exchange } from './exchange.ts';
import { Handler, type HandlerDeps } from './handler.ts';
import { openApiDocument } from './openapi.ts';
import { publicDocuments } from './public-documents.ts';
import { pathsOf } from './routes.ts';

export type { Observed } from './request-log.ts';

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** From the first byte of a request (or the start of a connection) to the end of its head. */
  readonly head: number;
  /** From the first byte of a request to the end of its body. */
  readonly request: number;
  /** Between two requests. */
  readonly keepAlive: number;
  /** Without any byte in either direction. */
  readonly silence: number;
}

const PATIENCE: Patience = { head: 15_000, request: 60_000, keepAlive: 60_000, silence: 120_000 };

export interface ApiDeps extends HandlerDeps {
  readonly patience?: Patience;
}

export interface Api {
  /** Takes over a connection whose TLS is already terminated. */
  serve(socket: TLSSocket | Socket): void;
  /** Lets requests that have begun finish; what is still open after the deadline is cut. */
  close(deadlineMs: number): Promise<void>;
}

/** Builds the API over an engine. It listens nowhere: connections come through `serve`. */
export async function createApi(deps: ApiDeps): Promise<Api> {
  const connections = new Connections();
  const handler = new Handler(deps, connections);
  const { server, ready } = createFront(deps, handler, connections);
  await ready;
  return {
    serve(socket) {
      if (connections.closing) {
        socket.destroy();
        return;
      }
      connections.add(socket);
      server.emit('connection', socket);
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
      server = createHttpServer(deps.patience ?? PATIENCE, connections, onRequest);
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
      const problem = brokenRequestProblem(error as unknown as ParseError, paths);
      const exchange = new Exchange(null, connection.source, deps.now(), deps.vocabularies.own);
      exchange.fault = problem.code;
      answerBroken(
        connection,
        exchange.operationId,
        problemAnswer(problem, exchange.operationId, deps.settings.errorPrefix),
      );
      handler.record(exchange, problem.entry.status);
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
  for (const document of publicDocuments(JSON.stringify(openApiDocument(deps.engine.kinds, deps.settings)))) {
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

function createHttpServer(patience: Patience, connections: Connections, onRequest: RequestListener): Server {
  const options = {
    maxHeaderSize: HEAD_LIMIT,
    headersTimeout: patience.head,
    requestTimeout: patience.request,
    keepAliveTimeout: patience.keepAlive,
    connectionsCheckingInterval: Math.min(1000, patience.head),
    // The handler refuses these requests in the API's own shape.
    requireHostHeader: false,
  };
  const server = createServer(options, (request, response) => {
    if (connections.begin(request, response)) onRequest(request, response);
  });
  // Names beyond a maximum would be dropped without a word; the size of the head bounds them already.
  server.maxHeadersCount = 0;
  server.timeout = patience.silence;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) =>
    server.emit('clientError', new Error('a tunnel was asked for'), socket),
  );
  // Node begins to enforce the timeouts above when a server listens, which this one never does.
  server.emit('listening');
  return server;
}
