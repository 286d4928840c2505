/**
 * The port of plain HTTP: reads the head of a connection's first request. Where an agent serves that name without TLS, the HTTP engine
 * takes the connection over; else it is answered and ended.
 *
 * Invariant: only what is bound for plain HTTP is served here. Other names are redirected to HTTPS, and the API's are refused, because a
 * client that follows a redirect sends its key in clear each time.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { deadline } from '@underpass/wire';
import type { Logger } from 'pino';
import { type ConnectionAddresses, ipOf, sourceKey } from '../../core/ip/client-address.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import type { ListenAddress } from '../../core/settings.ts';
import { CR } from '../../http-syntax/bytes.ts';
import { Field } from '../../http-syntax/fields.ts';
import { afterEmptyLines, FAULTY, Head, type HeadFault, INCOMPLETE } from '../../http-syntax/head.ts';
import { HeadBuffer } from '../../http-syntax/head-buffer.ts';
import { needsRewriting, rewrittenHead } from '../../http-syntax/rewritten-head.ts';
import { listen } from '../../system/listen.ts';
import type { HttpEdge } from '../http/edge.ts';
import type { HttpLimits } from '../http/limits.ts';
import type { OwnRequest } from '../http/own-answers.ts';
import type { Reply } from '../sites/site.ts';
import type { PlainSites, Sites } from '../sites/sites.ts';
import { type AcmeChallenges, challengeReply } from './acme-challenges.ts';
import { connectionFacts } from './connection-facts.ts';
import type { LoadBalancers } from './load-balancers.ts';
import type { ListenerObserver, OpenConnections } from './open-connections.ts';
import type { PlainGuard } from './plain-http.ts';
import { hostOf, type PlainAnswer, type PlainNames, redirectOf } from './plain-redirect.ts';
import { endWith } from './refuse.ts';

export interface PlainListenerOptions {
  readonly listen: ListenAddress;
  readonly sites: Sites & PlainSites;
  readonly services: ReadonlyMap<Hostname, { readonly plain?: PlainGuard } | null>;
  readonly publicPort: number;
  /** Lower case. */
  readonly errorCodeHeader: string;
  readonly http: Pick<HttpEdge, 'own' | 'serve'>;
  readonly loadBalancers: LoadBalancers;
  readonly connections: OpenConnections;
  readonly observer?: ListenerObserver;
  readonly log: Logger;
  /** The limits of HTTPS. The time begins with the connection, or with a load balancer's header. */
  readonly limits: Pick<HttpLimits, 'headMs' | 'headBytes' | 'fields'>;
  /** Null: the service gets no certificates. */
  readonly challenges: AcmeChallenges | null;
}

interface Arrived {
  readonly socket: Socket;
  readonly addresses: ConnectionAddresses;
  readonly since: number;
}

/** A name that is served, and what was read of its first request. */
interface Served {
  readonly hostname: Hostname;
  readonly read: Buffer;
}

const REPEATED_LOG_MS = 1000;

export class PlainListener {
  readonly #options: PlainListenerOptions;
  readonly #names: PlainNames;
  readonly #server: Server;
  /** Filled and used within one call. */
  readonly #head: Head;
  #acceptErrorLoggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: PlainListenerOptions) {
    this.#options = options;
    const { sites, services, publicPort, limits } = options;
    this.#head = new Head(limits.headBytes, limits.fields, []);
    this.#names = {
      isKnown: (hostname) => services.has(hostname) || (sites.lookup(hostname)?.account ?? '') !== '',
      publicPort,
    };
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
  }

  /** Rejects with `ListenError`. */
  async start(): Promise<{ readonly port: number }> {
    const port = await listen(this.#server, this.#options.listen);
    this.#server.on('error', (error) => this.#acceptFailed(error));
    return { port };
  }

  /** Stops accepting at once. What was accepted ends with the connections of the edge. */
  stop(): void {
    this.#server.close();
  }

  #accept(socket: Socket): void {
    socket.on('error', () => {});
    const { connections, loadBalancers } = this.#options;
    if (!connections.add(socket)) return;
    socket.once('close', () => connections.remove(socket));
    loadBalancers.identify(socket, (addresses) => this.#readHead(socket, addresses));
  }

  #readHead(socket: Socket, addresses: ConnectionAddresses): void {
    const { connections, limits } = this.#options;
    const arrived = { socket, addresses, since: performance.now() };
    const wait = deadline(limits.headMs, () => socket.destroy());
    socket.once('close', () => wait.met());
    const buffer = new HeadBuffer(limits.headBytes);
    const onData = (chunk: Buffer): void => {
      const outcome = this.#answerTo(chunk, buffer, arrived);
      if (outcome === null) return;
      wait.met();
      socket.off('data', onData);
      socket.off('end', giveUp);
      connections.finished(socket);
      if (Buffer.isBuffer(outcome)) endWith(socket, outcome);
      else this.#serve(arrived, outcome);
    };
    const giveUp = (): void => void socket.destroy();
    socket.on('data', onData);
    socket.once('end', giveUp);
    socket.resume();
  }

  /** The engine reads the request once more, as it reads all of them. */
  #serve({ socket, addresses }: Arrived, { hostname, read }: Served): void {
    const { http, sites } = this.#options;
    socket.pause();
    socket.unshift(read);
    const facts = connectionFacts(socket, addresses, hostname);
    const source = sourceKey(ipOf(facts.clientAddr));
    http.serve(socket, {
      ...{ facts, source, negotiated: null },
      plainSite: () => sites.lookupPlain(hostname),
    });
    socket.resume();
  }

  /** The whole answer, or whose name it is that is served; null while the head is not whole. */
  #answerTo(chunk: Buffer, buffer: HeadBuffer, arrived: Arrived): Buffer | Served | null {
    try {
      const isFirst = buffer.length === 0;
      if (!isFirst && !buffer.append(chunk)) return null;
      const bytes = isFirst ? chunk : buffer.take();
      const next = this.#read(bytes);
      if (next === FAULTY) return this.#refusal(arrived, this.#head.fault);
      if (next === INCOMPLETE) {
        return buffer.append(bytes.subarray(afterEmptyLines(bytes, 0))) ? this.#refusal(arrived) : null;
      }
      const hostname = hostOf(this.#head);
      const proof = hostname && this.#proofOf(hostname);
      if (proof !== null) return this.#bytesOf(proof, arrived, hostname);
      const guard = hostname === null ? undefined : this.#options.services.get(hostname)?.plain;
      if (guard !== undefined) return this.#refusedBy(guard, arrived, hostname);
      if (hostname !== null && this.#options.sites.lookupPlain(hostname) !== undefined)
        return { hostname, read: Buffer.from(bytes) };
      return this.#bytesOf(redirectOf(this.#head, this.#names), arrived, hostname);
    } catch (error) {
      this.#options.log.error({ err: error }, 'a plain HTTP request could not be answered');
      return Buffer.alloc(0);
    }
  }

  /** Fills `#head` with what the engine would read: behind empty lines, in ASCII. */
  #read(bytes: Buffer): number {
    const head = this.#head;
    const start = afterEmptyLines(bytes, 0);
    const isCut = start === bytes.length || (start + 1 === bytes.length && bytes[start] === CR);
    const next = isCut ? INCOMPLETE : head.parseRequest(bytes, start, bytes.length);
    if (next < 0 || !needsRewriting(head)) return next;
    const written = rewrittenHead(head, null);
    return head.parseRequest(written, 0, written.length);
  }

  /**
   * Returns the proof for a certificate authority. It precedes the name's own site, because the service ordered the
   * certificate.
   */
  #proofOf(hostname: Hostname): Reply | null {
    const { challenges } = this.#options;
    return challenges && challengeReply(this.#head, hostname, challenges);
  }

  #refusal({ socket, addresses, since }: Arrived, fault: HeadFault = 'requestHeaderMalformed'): Buffer {
    const { http, limits } = this.#options;
    const values = { limit: limits.headBytes, fields: limits.fields };
    const connection = connectionFacts(socket, addresses, null);
    return http.own.error(fault, values, { connection, since, method: '', path: '', wantsHtml: false });
  }

  #bytesOf(answer: PlainAnswer, arrived: Arrived, hostname: Hostname | null): Buffer {
    const { own } = this.#options.http;
    const request = this.#requestOf(arrived, hostname);
    if ('kind' in answer) return own.reply(answer, request);
    return own.error(answer.error, { host: answer.host }, request);
  }

  #refusedBy(guard: PlainGuard, arrived: Arrived, hostname: Hostname | null): Buffer {
    const head = this.#head;
    const headers = new Map<string, string>();
    for (let at = 0; at < head.count; at += 1) headers.set(head.name(at).toLowerCase(), head.value(at));
    const request = this.#requestOf(arrived, hostname);
    const { error, ...reply } = guard.refuse({
      method: request.method,
      target: head.bytes.toString('latin1', head.targetStart, head.targetEnd),
      headers,
      source: ipOf(request.connection.clientAddr),
    });
    return this.#options.http.own.reply({ kind: 'reply', ...reply }, request, error);
  }

  /** Returns the request whose head was just read. */
  #requestOf({ socket, addresses, since }: Arrived, hostname: Hostname | null): OwnRequest {
    const head = this.#head;
    const target = head.bytes.toString('latin1', head.targetStart, head.targetEnd);
    return {
      connection: connectionFacts(socket, addresses, hostname),
      since,
      method: head.bytes.toString('latin1', head.start, head.methodEnd),
      path: target.split('?', 1)[0] ?? '',
      wantsHtml: head.has(Field.accept) && head.valueOf(Field.accept).includes('text/html'),
    };
  }

  #acceptFailed(error: NodeJS.ErrnoException): void {
    const { observer, log } = this.#options;
    observer?.acceptFailed(error.code ?? '');
    const now = performance.now();
    if (now - this.#acceptErrorLoggedAt < REPEATED_LOG_MS) return;
    this.#acceptErrorLoggedAt = now;
    log.warn({ err: error }, 'a connection for plain HTTP could not be accepted');
  }
}
