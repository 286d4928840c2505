/** Answers what is no HTTP request. Never with anything that was sent. */
import { METHODS, STATUS_CODES } from 'node:http';
import { Problem } from '../errors/problem.ts';
import type { ServerConnection } from '../http-server/connections.ts';
import { type Answer, methodNotAllowed } from './answer.ts';
import { OPERATION_ID_HEADER } from './operation-id.ts';
import type { Path } from './routes.ts';

export const HEAD_LIMIT = 16 * 1024;

/** The error of Node's HTTP parser; its reasons are fixed texts, never what was sent. */
export interface ParseError extends Error {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly rawPacket?: Buffer | undefined;
}

/** Finds the path of a resource; null where there is none. */
export type FindPath = (pathname: string) => Pick<Path, 'methods'> | null;

/** What is wrong with bytes that the HTTP parser refused. */
export function brokenRequestProblem(error: ParseError, pathAt: FindPath): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('requestHeadTooLarge', { limit: HEAD_LIMIT }, { limit: HEAD_LIMIT });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('requestTimeout');
    case 'HPE_INVALID_EOF_STATE':
      return malformed('it ends early');
    case 'HPE_INVALID_METHOD':
      return unknownMethod(error.rawPacket, pathAt) ?? malformed('the method is unknown');
    default:
      return malformed(error.reason ?? 'it could not be understood');
  }
}

/** A method that the parser does not know, on a path that exists, is like any other method that the path does not have. */
function unknownMethod(packet: Buffer | undefined, pathAt: FindPath): Problem | undefined {
  const line = packet?.subarray(0, HEAD_LIMIT).toString('latin1') ?? '';
  const [, method, pathname] =
    /^([A-Za-z][A-Za-z0-9-]{0,31}) (\/[^\s?#]*)[^\s#]* HTTP\/1\.[01]\r\n/.exec(line) ?? [];
  const path = pathname === undefined ? null : pathAt(pathname);
  // A method that it does know begins an earlier request, which was fine.
  if (method === undefined || METHODS.includes(method) || pathname === undefined || path === null)
    return undefined;
  return methodNotAllowed(method, pathname, path.methods);
}

function malformed(reason: string): Problem {
  return new Problem('requestMalformed', { reason });
}

/** Answers a request that never became one, or whose body is broken, as bytes, and ends the connection. */
export function answerBroken(connection: ServerConnection, operationId: string, answer: Answer): void {
  const { stream, latest, active } = connection;
  // The answer to a request may be out before its body: it has had its own.
  const answered = !active && latest !== null && !latest.complete;
  if (stream.writable && !answered) stream.write(bytesOf(answer, operationId));
  connection.finish();
}

function bytesOf(answer: Answer, operationId: string): string {
  const body = answer.body ?? '';
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    `date: ${new Date().toUTCString()}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `${OPERATION_ID_HEADER}: ${operationId}`,
    ...answer.headers.map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
