/**
 * The one address to which providers send visitors back who log in with an application of the operator's: it hands them on to the name that they came
 * for. Never that a code goes there in clear, where another account could have come to own the name meanwhile.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { ipOf } from '../core/client-address.ts';
import type { Answer } from '../http-server/answer.ts';
import type { Request } from '../http-server/request.ts';
import { HttpServer } from '../http-server/server.ts';
import type { Timeouts } from '../http-server/timeouts.ts';
import type { Login } from './login.ts';
import { callbackPath, sharedCallbackPath } from './paths.ts';

const headLimit = 16 * 1024;
const timeouts: Timeouts = { head: 15_000, request: 15_000, keepAlive: 5_000, silence: 30_000 };
const connections = { perSource: 64, total: 512 };

export class CallbackService {
  readonly readAhead = headLimit;
  readonly #login: Login;
  readonly #server: HttpServer;

  constructor(login: Login, log: Pick<Logger, 'error'>) {
    this.#login = login;
    this.#server = new HttpServer(connections, {
      timeouts,
      headLimit,
      onRequest: (request) => request.answer(this.#answerTo(request)),
      onFault: (sender) => sender.refuse(text(400, 'This is no request that could be answered.\n')),
      crashed: (error) => log.error({ err: error }, 'a connection of somebody who logs in failed'),
    });
  }

  serve(socket: TLSSocket | Socket, clientAddr: string): void {
    this.#server.serve(socket, ipOf(clientAddr));
  }

  /** Lets what is asked be answered; what is still open after the deadline is cut. */
  close(deadlineMs: number): Promise<void> {
    return this.#server.close(deadlineMs);
  }

  #answerTo({ method, target }: Request): Answer {
    const at = target.indexOf('?');
    if (at === -1 || target.slice(0, at) !== sharedCallbackPath) return text(404, 'There is nothing here.\n');
    if (method !== 'GET' && method !== 'HEAD') return text(405, 'Only GET and HEAD.\n');
    const query = target.slice(at + 1);
    const state = new URLSearchParams(query).get('state') ?? '';
    const flow = this.#login.flows.open(state);
    if (flow === null)
      return text(400, 'The login was not begun here. Open the page that you wanted once more.\n');
    const answer = this.#login.answers.seal(query, flow.place);
    const location = `https://${flow.host}${callbackPath}?state=${state}&answer=${answer}`;
    return { status: 302, headers: [['location', location], ...common], body: null };
  }
}

const common: Answer['headers'] = [
  ['cache-control', 'no-store'],
  ['referrer-policy', 'no-referrer'],
];

function text(status: number, body: string): Answer {
  return { status, headers: [['content-type', 'text/plain; charset=utf-8'], ...common], body };
}
