/** The OAuth module: users log in at one of the providers that are known by name. Never that one is let in who is on none of the lists, where there are any. */
import { createHash } from 'node:crypto';
import { oauthSecretContext } from '../../core/oauth-providers.ts';
import type { OauthModule } from '../../documents/index.ts';
import type { Flow } from '../../login/flows.ts';
import type { Login } from '../../login/login.ts';
import type { OauthClient, OauthFlow } from '../../login/oauth-client.ts';
import { callbackPath } from '../../login/paths.ts';
import type { LoginUser, Session } from '../../login/session.ts';
import type { AgentOauth } from '../../online/agent-modules.ts';
import { allowedBy } from './login/allowed.ts';
import type { LoginMethod } from './login/method.ts';
import { loginParts } from './login-parts.ts';
import type { EdgeModule, RouteParts } from './module.ts';

export const oauth: EdgeModule<OauthModule | AgentOauth> = {
  compile(config, { look, place, before }) {
    if (before !== undefined) return before;
    const { provider } = config;
    const secret =
      'client_secret' in provider
        ? provider.client_secret
        : look.secret(provider.client_secret_sealed, oauthSecretContext(provider));
    // What cannot be opened lets nobody through.
    if (secret === null || look.login === null) return shut;
    return loginParts({
      ...{ login: look.login, config, place },
      method: oauthMethod(config, secret, look.login),
      generation: [provider.name, provider.client_id, secret],
    });
  },
};

const shut: RouteParts = {
  guards: [{ name: 'oauth', reads: 'connection', check: () => 'moduleWithoutEffect' }],
};

function oauthMethod(
  { provider, auth_check_interval }: OauthModule | AgentOauth,
  clientSecret: string,
  login: Login,
): LoginMethod {
  const { name, client_id: clientId, scopes, teams, organizations } = provider;
  const groups = [...teams, ...organizations].map((group) => group.toLowerCase());
  const lists = { emails: provider.email_addresses, domains: provider.email_domains, groups };
  let client: Promise<OauthClient> | null = null;
  const opened = (): Promise<OauthClient> => {
    const settings = { clientId, clientSecret, scopes, needsGroups: groups.length > 0 };
    client ??= import('../../login/open-oauth.ts').then(({ openOauth }) =>
      openOauth(name, settings, login.allowPrivate),
    );
    return client;
  };
  const known = (flow: Flow, state: string): OauthFlow => {
    const verifier = login.flows.secretOf(flow, 'verifier');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    return { redirectUri: `https://${flow.host}${callbackPath}`, state, verifier, challenge };
  };
  return {
    module: 'oauth',
    begin: async ({ flow, state }, isForced) => (await opened()).loginUrl(known(flow, state), isForced),
    async finish(query, flow) {
      const { user, token } = await (await opened()).userOf(query, known(flow, query.get('state') ?? ''));
      const listedFirst = matteringFirst(user, groups);
      return { user: listedFirst, handles: [], token: auth_check_interval > 0 ? token : '' };
    },
    takesUnsolicited: false,
    refusalOf: (user) => allowedBy(lists, user),
    recheck: {
      seconds: auth_check_interval,
      async ask({ token, handles }: Session) {
        // Where the token had no room, the user shows up at the provider again.
        const user = token === '' ? null : await (await opened()).userWith(token);
        return user && { user: matteringFirst(user, groups), handles, token };
      },
    },
    logoutUrl: () => null,
  };
}

/** A cookie has room for some of them. */
function matteringFirst(user: LoginUser, groups: readonly string[]): LoginUser {
  const matters = (group: string) => groups.includes(group);
  return { ...user, groups: [...user.groups.filter(matters), ...user.groups.filter((one) => !matters(one))] };
}
