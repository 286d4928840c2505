/**
 * The OAuth module: users log in at one of the providers that are known by name.
 * Invariant: if there are lists, only users on one of them are admitted.
 */
import { createHash } from 'node:crypto';
import { asciiLower } from '../../core/modules/email-address.ts';
import { oauthSecretContext } from '../../core/modules/oauth-providers.ts';
import type { OauthModule } from '../../documents/index.ts';
import { type Flow, placeOfAnswer } from '../../login/flows.ts';
import type { Login } from '../../login/login.ts';
import { LoginFault } from '../../login/login-fault.ts';
import type { OauthClient, OauthFlow } from '../../login/oauth-client.ts';
import { organizationGroup } from '../../login/oauth-endpoints.ts';
import { callbackPath } from '../../login/paths.ts';
import type { LoginUser, Session } from '../../login/session.ts';
import type { AgentOauth } from '../../online/agent-modules.ts';
import type { Look } from '../sites/look.ts';
import { judgeBy } from './login/allowed.ts';
import type { LoginMethod } from './login/method.ts';
import { loginParts } from './login-parts.ts';
import type { EdgeModule } from './module.ts';
import { shutParts } from './shut.ts';

type Config = OauthModule | AgentOauth;

/** An application at the provider. */
interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Its visitors come back to one address, whatever name they came for. */
  readonly isShared: boolean;
}

export const oauth: EdgeModule<Config> = {
  compile(config, { look, account, place, before }) {
    if (before !== undefined) return before;
    const { login } = look;
    const application = login && applicationOf(config, look, login);
    // Without a readable secret, no visitor is admitted.
    if (login === null || application === null) return shut;
    return loginParts({
      ...{ login, account, config, place },
      method: oauthMethod(config, application, login, account),
      issuedBy: [config.provider.name, application.clientId, application.clientSecret],
    });
  },
};

/** Null: there is none, or its secret cannot be opened. */
function applicationOf({ provider }: Config, look: Look, { oauthClients }: Login): Application | null {
  if (provider.client_id === '') {
    const shared = oauthClients.get(provider.name);
    return shared === undefined ? null : { ...shared, isShared: true };
  }
  const clientSecret =
    'client_secret' in provider
      ? provider.client_secret
      : look.secret(provider.client_secret_sealed, oauthSecretContext(provider));
  return clientSecret === null ? null : { clientId: provider.client_id, clientSecret, isShared: false };
}

const shut = shutParts('oauth', 'The secret of the application cannot be read, so no visitor is admitted.');

function oauthMethod(
  { provider, auth_check_interval }: Config,
  { clientId, clientSecret, isShared }: Application,
  login: Login,
  account: string,
): LoginMethod {
  const { name, scopes, teams, organizations } = provider;
  const groups = [...teams.map(asciiLower), ...organizations.map(organizationGroup)];
  const lists = { emails: provider.email_addresses, domains: provider.email_domains, groups };
  let client: Promise<OauthClient> | null = null;
  const opened = (): Promise<OauthClient> => {
    const settings = { clientId, clientSecret, scopes, needsGroups: groups.length > 0 };
    client ??= import('../../login/open-oauth.ts').then(({ openOauth }) =>
      openOauth(name, settings, { account, allowPrivate: login.allowPrivate }),
    );
    return client;
  };
  const known = (flow: Flow, state: string): OauthFlow => {
    const verifier = login.flows.secretOf(flow, 'verifier');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const redirectUri = isShared ? login.sharedCallback : `https://${flow.host}${callbackPath}`;
    return { redirectUri, state, verifier, challenge };
  };
  return {
    module: 'oauth',
    clientId,
    begin: async ({ flow, state }, isForced) => (await opened()).loginUrl(known(flow, state), isForced),
    async finish(query, flow) {
      const answer = isShared ? answerIn(query, flow, login) : query;
      const { user, token } = await (await opened()).userOf(answer, known(flow, query.get('state') ?? ''));
      const listedFirst = matteringFirst(user, groups);
      return { user: listedFirst, handles: [], token: auth_check_interval > 0 ? token : '' };
    },
    takesUnsolicited: false,
    denial: 'loginNotAllowed',
    refusalOf: judgeBy(lists),
    recheck: {
      seconds: auth_check_interval,
      async ask({ token, handles }: Session) {
        // A session without room for the token ends the check: the user logs in again at the provider.
        const user = token === '' ? null : await (await opened()).userWith(token);
        return user && { user: matteringFirst(user, groups), handles, token };
      },
    },
    logoutUrl: async () => null,
  };
}

/** Opens the provider's response that callback-service.ts has sealed. Throws LoginFault. */
function answerIn(query: URLSearchParams, flow: Flow, { answers }: Login): URLSearchParams {
  const answer = answers.open(query.get('answer') ?? '', placeOfAnswer(flow));
  if (answer !== null) return new URLSearchParams(answer);
  throw new LoginFault('loginRefused', 'answer', 'what the visitor came back with was not sealed here');
}

/** A cookie has room for some of them. */
function matteringFirst(user: LoginUser, groups: readonly string[]): LoginUser {
  const matters = (group: string) => groups.includes(asciiLower(group));
  return { ...user, groups: [...user.groups.filter(matters), ...user.groups.filter((one) => !matters(one))] };
}
