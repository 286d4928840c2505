/** Reads a described request as the edge reads one from a connection. */
import type { Hostname } from '../../core/names/hostname.ts';
import type { EdgeRules } from '../../edge/edge.ts';
import { Request } from '../../edge/http/request.ts';
import { RequestLine } from '../../edge/http/request-line.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { Head } from '../../http-syntax/head.ts';
import { needsRewriting, rewrittenHead } from '../../http-syntax/rewritten-head.ts';
import type { Question } from './question.ts';

/** A request whose head was read. */
export interface ReadRequest {
  readonly head: Head;
  readonly request: Request;
  /** Raw path without the query. */
  readonly path: string;
}

/** Returns the fault for which the edge refuses a head before it chooses a route. `isTls`: false for plain HTTP. */
export function readRequest(
  question: Question,
  hostname: Hostname,
  isTls: boolean,
  { limits, settings }: EdgeRules,
): ReadRequest | ErrorName {
  const head = parsedHead(question, isTls ? hostname : null, limits);
  if (typeof head === 'string') return head;
  const ports = isTls ? [443, settings.publicPort] : [80, settings.plainPort];
  const request = new Request(hostname, ports);
  const fault = request.examine(head);
  if (fault !== null) return fault;
  const line = new RequestLine();
  line.begin(head, request);
  return { head, request, path: line.path };
}

/** Returns the head as the edge reads it, or the fault in it. `serverName`: null for plain HTTP. */
export function parsedHead(
  question: Question,
  serverName: Hostname | null,
  limits: EdgeRules['limits'],
): Head | ErrorName {
  const bytes = bytesOf(question);
  const head = new Head(limits.headBytes, limits.fields, []);
  if (head.parseRequest(bytes, 0, bytes.length) < 0) return head.fault;
  if (!needsRewriting(head)) return head;
  const written = rewrittenHead(head, serverName);
  return head.parseRequest(written, 0, written.length) < 0 ? head.fault : head;
}

function bytesOf({ target, method, headers }: Question): Buffer {
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host');
  const all = hasHost ? headers : [['Host', target.authority] as const, ...headers];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target.path} HTTP/1.1\r\n${lines}\r\n`);
}
