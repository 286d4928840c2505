/**
 * The management API over HTTP: what turns requests into calls of the resource engine, and results into bytes. Only how
 * HTTP is spoken: the order of the checks is in handler.ts, what a resource is in ../resources.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type ConnectionAddresses, ipOf } from '../core/ip/client-address.ts';
import type { PublishedJoining } from '../core/joining.ts';
import { Problem } from '../errors/problem.ts';
import type { ConnectionLimits } from '../http-server/connections.ts';
import { HttpServer } from '../http-server/server.ts';
import type { Timeouts } from '../http-server/timeouts.ts';
import type { StandaloneOperation } from '../resources/standalone/definition.ts';
import { faultProblem, HEAD_LIMIT } from './broken-request.ts';
import { Handler, type HandlerDeps } from './handler.ts';
import { openApiDocument } from './openapi.ts';
import { PlainRefusals } from './plain-refusals.ts';
import { type PublicDocument, publicDocuments } from './public-documents.ts';
import { Router } from './router.ts';
import { type Path, pathsOf, type StandaloneParts, standalonePaths } from './routes.ts';

export type { Observed } from './request-log.ts';

const TIMEOUTS: Timeouts = { head: 15_000, request: 60_000, keepAlive: 60_000, silence: 120_000 };
/** A connection on which nothing is read holds some 250 KB, most of it what TLS has in hand. */
const CONNECTIONS: ConnectionLimits = { perSource: 256, total: 2048 };

const RETRY_SECONDS = 1;

export interface ApiDeps extends HandlerDeps {
  /** Facts by which machines join the service; null while they are not known. Absent: it has no document of them. */
  readonly joining?: () => PublishedJoining | null;
  /** Certificate of the service's own authority as PEM; null if it signs none of its names. Absent: the same. */
  readonly authorityPem?: () => string | null;
  /** Operations that belong to no kind, and the parts that run them. Absent: there are none. */
  readonly standalone?: StandaloneParts & {
    readonly operations: readonly StandaloneOperation[];
    /** Ends all streams of events. Absent: there are none. */
    readonly endStreams?: () => void;
  };
  readonly timeouts?: Timeouts;
  readonly connections?: ConnectionLimits;
}

export interface Api {
  /** Bytes of a connection that are read ahead of the requests in progress. */
  readonly readAhead: number;
  /** Protocols that connections may use. */
  readonly alpn: readonly string[];
  /** Takes over a connection whose TLS is already terminated. */
  serve(socket: TLSSocket | Socket, addresses: Pick<ConnectionAddresses, 'clientAddr'>): void;
  /** Responses to plain HTTP requests for its names. */
  readonly plain: PlainRefusals;
  /** Makes each further response the last one of its connection. New connections are still served. */
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
  const handler = new Handler(deps, routerOf(deps));
  const server = new HttpServer(limits, {
    timeouts: deps.timeouts ?? TIMEOUTS,
    headLimit: HEAD_LIMIT,
    onRequest: (request) => void handler.handle(request),
    onFault(sender, fault) {
      const problem =
        fault === 'tooManyConnections' ? tooManyConnections(limits.perSource) : faultProblem(fault);
      handler.refuse(sender, problem);
    },
    crashed: (error) => deps.log.error({ err: error }, 'a connection to the API failed'),
  });
  return {
    readAhead: HEAD_LIMIT,
    alpn: ['h2', 'http/1.1', 'http/1.0'],
    plain: new PlainRefusals(deps),
    serve: (socket, { clientAddr }) => server.serve(socket, ipOf(clientAddr)),
    drain: () => {
      server.drain();
      deps.standalone?.endStreams?.();
    },
    close: (deadlineMs, quietMs) => server.close(deadlineMs, quietMs),
  };
}

function routerOf({
  engine,
  settings,
  joining,
  authorityPem,
  standalone,
}: ApiDeps): Router<Path | PublicDocument> {
  const { operations, ...parts } = standalone ?? { operations: [], runs: {} };
  const openApi = () => JSON.stringify(openApiDocument(engine.kinds, settings, operations));
  return new Router<Path | PublicDocument>([
    ...[...pathsOf(engine.kinds), ...standalonePaths(operations, parts)].map((path): [string, Path] => [
      path.template,
      path,
    ]),
    ...publicDocuments(openApi, joining, authorityPem).map((document): [string, PublicDocument] => [
      document.path,
      document,
    ]),
  ]);
}

function tooManyConnections(limit: number): Problem {
  return new Problem('tooManyConnections', { limit, seconds: RETRY_SECONDS }, { limit }, RETRY_SECONDS);
}
