/**
 * The OIDC module: users log in at an OpenID Connect provider.
 * Invariant: if there are lists, only users on one of them are admitted.
 */
import { oidcSecretContext } from '../../core/modules/oidc-settings.ts';
import type { OidcModule } from '../../documents/index.ts';
import type { Flow } from '../../login/flows.ts';
import type { Login } from '../../login/login.ts';
import type { OidcClient, OidcFlow, OidcSettings } from '../../login/oidc-client.ts';
import { callbackPath, logoutPath } from '../../login/paths.ts';
import type { AgentOidc } from '../../online/agent-modules.ts';
import { judgeBy, type UserLists } from './login/allowed.ts';
import type { LoginMethod } from './login/method.ts';
import { loginParts } from './login-parts.ts';
import type { EdgeModule } from './module.ts';
import { shutParts } from './shut.ts';

const defaultScopes = ['profile', 'email'];
const everybody: UserLists = { emails: [], domains: [], groups: [] };

export const oidc: EdgeModule<OidcModule | AgentOidc> = {
  compile(config, { look, account, place, before }) {
    if (before !== undefined) return before;
    const secret =
      'client_secret' in config
        ? config.client_secret
        : look.secret(config.client_secret_sealed, oidcSecretContext(config));
    // Without a readable secret, no visitor is admitted.
    if (secret === null || look.login === null) return shut;
    const { issuer, client_id: clientId, scopes } = config;
    const lists: UserLists = 'lists' in config ? { ...everybody, ...config.lists } : everybody;
    const settings: OidcSettings = {
      issuer,
      clientId,
      clientSecret: secret,
      scopes: scopes.length === 0 ? defaultScopes : scopes,
      takesUnverified: lists.takesUnverified === true,
      needsOneTenant: lists.emails.length + lists.domains.length > 0,
    };
    return loginParts({
      ...{ login: look.login, account, config, place },
      method: oidcMethod(settings, lists, look.login, account),
      // A session with an unverified address must not outlive the permission for it.
      issuedBy: [issuer, clientId, secret, ...(settings.takesUnverified === true ? ['unverified'] : [])],
    });
  },
};

const shut = shutParts('oidc', 'The secret of the client cannot be read, so no visitor is admitted.');

function oidcMethod(settings: OidcSettings, lists: UserLists, login: Login, account: string): LoginMethod {
  const { allowPrivate } = login;
  let client: Promise<OidcClient> | null = null;
  const opened = (): Promise<OidcClient> => {
    client ??= import('../../login/open-oidc.ts').then(({ openOidc }) =>
      openOidc(settings, { account, allowPrivate }, login.now),
    );
    return client;
  };
  const known = (flow: Flow, state: string): OidcFlow => ({
    redirectUri: `https://${flow.host}${callbackPath}`,
    state,
    nonce: login.flows.secretOf(flow, 'nonce'),
    verifier: login.flows.secretOf(flow, 'verifier'),
  });
  return {
    module: 'oidc',
    clientId: settings.clientId,
    begin: async ({ flow, state }, isForced) => (await opened()).loginUrl(known(flow, state), isForced),
    async finish(query, flow) {
      const { user, idToken } = await (await opened()).userOf(query, known(flow, query.get('state') ?? ''));
      return { user, handles: [], token: idToken };
    },
    takesUnsolicited: false,
    denial: 'loginNotAllowed',
    refusalOf: judgeBy(lists),
    logoutUrl: async ({ token }, host) => (await opened()).logoutUrl(token, `https://${host}${logoutPath}`),
  };
}
