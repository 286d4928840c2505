/**
 * A browser's request from an identity provider to the host of all of them.
 * Invariant: at most the allowed length of a form is kept.
 */
import { randomUUID } from 'node:crypto';
import type { Request } from '../http-server/request.ts';
import { LoginFault } from './login-fault.ts';

/** Bytes of a form: the largest SAML message, escaped, and what goes with it. */
export const mostForm = 224 * 1024;

export class Visit {
  /** Id in the log. */
  readonly id = randomUUID();
  readonly method: string;
  readonly path: string;
  /** Raw query without the question mark. */
  readonly query: string;
  /** The address. */
  readonly client: string;
  /** Rejects when it is given up. */
  readonly givenUp: Promise<never>;
  readonly #request: Request;
  readonly #giveUp: (why: LoginFault) => void;

  constructor(request: Request) {
    const { target, method, peer } = request;
    const at = target.indexOf('?');
    this.method = method;
    this.path = at === -1 ? target : target.slice(0, at);
    this.query = at === -1 ? '' : target.slice(at + 1);
    this.client = peer.source;
    this.#request = request;
    const { promise, reject } = Promise.withResolvers<never>();
    this.givenUp = promise;
    this.#giveUp = reject;
  }

  /** Stops reading the form and rejects the wait for it. */
  giveUp(why: LoginFault): void {
    this.#request.discardBody();
    this.#giveUp(why);
  }

  /** Rejects with LoginFault. Once for a visit. */
  async form(): Promise<URLSearchParams> {
    const { headers, hasBody, bodyLength } = this.#request;
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    if (!hasBody || type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
      throw new LoginFault('loginMessageUnreadable', 'form', 'the request has no form as its body');
    if (bodyLength !== null && bodyLength > mostForm) throw tooLarge();
    const body = Buffer.alloc(bodyLength ?? mostForm);
    let size = 0;
    await new Promise<void>((resolve, reject) => {
      this.#request.readBody({
        data: (piece) => {
          size += piece.length;
          if (size <= body.length) piece.copy(body, size - piece.length);
          else {
            this.#request.discardBody();
            reject(tooLarge());
          }
        },
        end: resolve,
        fail: () => reject(new LoginFault('loginMessageUnreadable', 'form', 'the form ended in the middle')),
      });
    });
    return new URLSearchParams(body.toString('latin1', 0, size));
  }
}

function tooLarge(): LoginFault {
  return new LoginFault('loginMessageTooLarge', 'size', `the form is larger than ${mostForm} bytes`);
}
