/**
 * The callback URL of logins with the operator's OAuth applications: redirects visitors to the name of their login.
 * Invariant: redirects lead to names of this service only. Codes travel sealed, because another account could have the name by then.
 */
import type { Answer } from '../http-server/answer.ts';
import { placeOfAnswer } from './flows.ts';
import type { Login } from './login.ts';
import { LoginFault } from './login-fault.ts';
import { callbackPath, sharedCallbackPath } from './paths.ts';
import { type ProviderEndpoint, sentTo, text } from './provider-answers.ts';
import type { Visit } from './visit.ts';

export class OauthCallback implements ProviderEndpoint {
  readonly #login: Login;

  constructor(login: Login) {
    this.#login = login;
  }

  serves(path: string): boolean {
    return path === sharedCallbackPath;
  }

  answer({ method, query }: Pick<Visit, 'method' | 'query'>): Answer {
    if (method !== 'GET' && method !== 'HEAD') return text(405, 'Only GET and HEAD.\n');
    const state = new URLSearchParams(query).get('state') ?? '';
    const flow = this.#login.flows.open(state);
    // A state of the console has no name to return to.
    if (flow === null || flow.host === '')
      throw new LoginFault('loginUnfinished', 'state', 'the state was not made here');
    const answer = this.#login.answers.seal(query, placeOfAnswer(flow));
    return sentTo(302, `https://${flow.host}${callbackPath}?state=${state}&answer=${answer}`);
  }
}
