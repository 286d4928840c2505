/**
 * The port of plain HTTP: reads the head of one request per connection, answers it and ends. Never that anything is served here: the answer
 * says where HTTPS is, or what was wrong.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { deadline } from '@underpass/wire';
import type { Logger } from 'pino';
import type { Hostname } from '../../core/hostname.ts';
import type { ListenAddress } from '../../core/settings.ts';
import { Field } from '../../http-syntax/fields.ts';
import { FAULTY, Head, type HeadFault, INCOMPLETE } from '../../http-syntax/head.ts';
import { HeadBuffer } from '../../http-syntax/head-buffer.ts';
import { listen } from '../../system/listen.ts';
import type { HttpEdge } from '../http/edge.ts';
import type { Sites } from '../sites/sites.ts';
import type { LoadBalancers } from './load-balancers.ts';
import type { ListenerObserver, OpenConnections } from './open-connections.ts';
import { type PlainAnswer, type PlainNames, redirectOf } from './plain-redirect.ts';
import { endWith } from './refuse.ts';

export interface PlainListenerOptions {
  readonly listen: ListenAddress;
  readonly sites: Sites;
  readonly services: ReadonlyMap<Hostname, unknown>;
  readonly publicPort: number;
  /** Lower case. */
  readonly errorCodeHeader: string;
  readonly http: Pick<HttpEdge, 'ownError' | 'ownReply'>;
  readonly loadBalancers: LoadBalancers;
  readonly connections: OpenConnections;
  readonly observer?: ListenerObserver;
  readonly log: Logger;
  /** Milliseconds from accept, or from a load balancer's header, to a whole head. */
  readonly headMs: number;
}

/** Less than for HTTPS: thousands of connections may have one, and what is in it is only looked at for a host and a target. */
const HEAD_BYTES = 16 * 1024;
const FIELDS = 200;
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
    this.#head = new Head(HEAD_BYTES, FIELDS, options.errorCodeHeader);
    const { sites, services, publicPort } = options;
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
    // Nothing depends on who asks, but what it sends begins behind the header.
    loadBalancers.identify(socket, () => this.#readHead(socket));
  }

  #readHead(socket: Socket): void {
    const { connections, headMs } = this.#options;
    const wait = deadline(headMs, () => socket.destroy());
    socket.once('close', () => wait.met());
    const buffer = new HeadBuffer(HEAD_BYTES);
    const onData = (chunk: Buffer): void => {
      const bytes = this.#answerTo(chunk, buffer);
      if (bytes === null) return;
      wait.met();
      socket.off('data', onData);
      socket.off('end', giveUp);
      connections.finished(socket);
      endWith(socket, bytes);
    };
    const giveUp = (): void => void socket.destroy();
    socket.on('data', onData);
    socket.once('end', giveUp);
    socket.resume();
  }

  /** The whole answer; null while the head is not. */
  #answerTo(chunk: Buffer, buffer: HeadBuffer): Buffer | null {
    try {
      const isFirst = buffer.length === 0;
      if (!isFirst && !buffer.append(chunk)) return null;
      const bytes = isFirst ? chunk : buffer.take();
      const next = this.#head.parseRequest(bytes, 0, bytes.length);
      if (next === INCOMPLETE && isFirst) {
        return buffer.append(chunk) ? this.#refusal() : null;
      }
      if (next === INCOMPLETE) return this.#refusal();
      if (next === FAULTY) return this.#refusal(this.#head.fault);
      return this.#bytesOf(redirectOf(this.#head, this.#names));
    } catch (error) {
      this.#options.log.error({ err: error }, 'a plain HTTP request could not be answered');
      return Buffer.alloc(0);
    }
  }

  #refusal(fault: HeadFault = 'requestHeaderMalformed'): Buffer {
    return this.#options.http.ownError(
      fault,
      { limit: HEAD_BYTES, fields: FIELDS },
      { isHead: false, wantsHtml: false },
    );
  }

  #bytesOf(answer: PlainAnswer): Buffer {
    const head = this.#head;
    const isHead = head.bytes.toString('latin1', head.start, head.methodEnd) === 'HEAD';
    if ('kind' in answer) return this.#options.http.ownReply(answer, isHead);
    const wantsHtml = head.has(Field.accept) && head.valueOf(Field.accept).includes('text/html');
    return this.#options.http.ownError(answer.error, { host: answer.host }, { isHead, wantsHtml });
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
