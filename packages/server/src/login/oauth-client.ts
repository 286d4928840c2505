/**
 * Logs users in by OAuth 2.0 (RFC 6749, section 4.1), with PKCE if the provider supports it.
 * Invariant: only the provider's own API identifies a user, with a token for a code and our secret.
 */
import type { OutboundAgent } from '../outbound/agent.ts';
import { outboundFetch, type Question } from '../outbound/fetch.ts';
import { LoginFault } from './login-fault.ts';
import type { OauthEndpoints } from './oauth-endpoints.ts';
import type { LoginUser } from './session.ts';

export interface OauthSettings {
  readonly endpoints: OauthEndpoints;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Empty for those by which it is known who the user is. */
  readonly scopes: readonly string[];
  /** True if it matters of which organizations and teams users are. */
  readonly needsGroups: boolean;
}

/** Values of one login. */
export interface OauthFlow {
  readonly redirectUri: string;
  readonly state: string;
  /** PKCE verifier of the challenge. */
  readonly verifier: string;
  readonly challenge: string;
}

export interface OauthUser {
  readonly user: LoginUser;
  readonly token: string;
}

const mostWords = 255;

export class OauthClient {
  readonly #settings: OauthSettings;
  readonly #agent: OutboundAgent;

  constructor(settings: OauthSettings, agent: OutboundAgent) {
    this.#settings = settings;
    this.#agent = agent;
  }

  /** Returns the URL of the login page. */
  loginUrl({ redirectUri, state, challenge }: OauthFlow, isForced: boolean): string {
    const { endpoints, clientId, needsGroups } = this.#settings;
    const own = this.#settings.scopes;
    const scopes =
      own.length > 0 ? own : [...endpoints.scopes, ...(needsGroups ? (endpoints.groupScopes ?? []) : [])];
    const url = new URL(endpoints.authorize);
    const parameters = {
      ...{
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        scope: scopes.join(' '),
      },
      ...(endpoints.hasPkce ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
      ...(isForced ? { prompt: 'login' } : {}),
      ...endpoints.extra,
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Returns the user of a callback with a code. Rejects with LoginFault. */
  async userOf(query: URLSearchParams, { redirectUri, verifier }: OauthFlow): Promise<OauthUser> {
    const error = query.get('error');
    if (error !== null)
      throw refused(error, `the provider answered ${error}: ${query.get('error_description') ?? ''}`);
    const code = query.get('code');
    if (code === null || query.getAll('code').length > 1)
      throw refused('code', 'there is no code in the answer');
    const { endpoints, clientId, clientSecret } = this.#settings;
    const form = new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri },
      ...{ client_id: clientId, client_secret: clientSecret },
      ...(endpoints.hasPkce ? { code_verifier: verifier } : {}),
    });
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
    const { json } = await this.#ask(endpoints.token, { method: 'POST', headers, body: form.toString() });
    const { access_token: token, error: why } = json;
    // GitHub returns errors with status 200.
    if (typeof why === 'string') throw refused(why, `the token endpoint answered ${why}`);
    if (typeof token !== 'string' || token === '')
      throw refused('token', 'the token endpoint gave no access token');
    const user = await this.userWith(token);
    if (user === null) throw refused('user', 'the provider does not take the token that it gave');
    return { user, token };
  }

  /** Returns the user of a token; null if it is not valid any more. Rejects with LoginFault. */
  async userWith(token: string): Promise<LoginUser | null> {
    const { endpoints, needsGroups } = this.#settings;
    let isGone = false;
    const ask = async (url: string): Promise<unknown> => {
      const headers = {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'user-agent': 'underpass',
      };
      const { status, json } = await this.#ask(url, { headers });
      isGone ||= status === 401 || status === 403;
      if (status !== 200 && !isGone) throw failed(`${url} answered ${status}`);
      return json;
    };
    const user = await endpoints.userOf(ask, needsGroups);
    if (isGone) return null;
    if (user.id === '') throw refused('user', 'the provider returned no user id');
    return user;
  }

  /** Lists are objects, too. */
  async #ask(
    url: string,
    question: Question,
  ): Promise<{ status: number; json: Readonly<Record<string, unknown>> }> {
    try {
      const answer = await outboundFetch(this.#agent, url, question);
      const json: unknown = JSON.parse(await answer.text());
      if (typeof json !== 'object' || json === null) throw failed(`${url} answered no JSON object`);
      return { status: answer.status, json: json as Readonly<Record<string, unknown>> };
    } catch (error) {
      if (error instanceof LoginFault) throw error;
      throw failed(error instanceof Error ? error.message : String(error));
    }
  }
}

function refused(check: string, reason: string): LoginFault {
  return new LoginFault('loginRefused', check.slice(0, mostWords), reason.slice(0, 2 * mostWords));
}

function failed(reason: string): LoginFault {
  return new LoginFault('loginProviderFailed', 'request', reason.slice(0, 2 * mostWords));
}
