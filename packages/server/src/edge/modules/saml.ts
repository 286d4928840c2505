/**
 * The SAML module: users log in at the identity provider of the given metadata.
 * Invariant: if there are groups, only their members are admitted.
 */
import type { SamlModule } from '../../documents/index.ts';
import type { LoginUser, Session } from '../../login/session.ts';
import { providerSessionIn } from '../../saml/handles.ts';
import { identityIn, loginUrl } from '../../saml/login-exchange.ts';
import { leavingUrl } from '../../saml/logout-exchange.ts';
import { ServiceProvider } from '../../saml/service-provider.ts';
import type { LoginMethod } from './login/method.ts';
import { loginParts } from './login-parts.ts';
import type { EdgeModule } from './module.ts';
import { shutParts } from './shut.ts';

export const saml: EdgeModule<SamlModule> = {
  compile(config, { look, account, carrier, before }) {
    if (before !== undefined) return before;
    const { login } = look;
    const secret = (sealed: string, context: string): string | null => look.secret(sealed, context);
    const provider = login && ServiceProvider.open({ id: carrier, config, login, secret });
    // Without readable metadata, no visitor is admitted.
    if (provider === null) return shut;
    const { login: logins, issuedBy } = provider;
    // Users return to the address of the module's resource, on any name.
    return loginParts({
      ...{ login: logins, account, config, place: carrier, issuedBy },
      method: samlMethod(provider),
    });
  },
};

const shut = shutParts(
  'saml',
  'The metadata of the identity provider, or a key, cannot be read, so no visitor is admitted.',
);

function samlMethod(provider: ServiceProvider): LoginMethod {
  const { config, keys } = provider;
  const trusted = new Set(keys.map(({ handle }) => handle));
  return {
    module: 'saml',
    begin: async (begun, isForced) => loginUrl(provider, begun, isForced),
    finish: async (query, flow) => identityIn(provider, query, flow),
    takesUnsolicited: config.allow_idp_initiated,
    denial: 'loginGroupNotAuthorized',
    refusalOf: (user) => memberOf(config.authorized_groups, user),
    vouchesStill: ({ handles }: Session) => handles.some((handle) => trusted.has(handle)),
    logoutUrl: async ({ token }, host) => {
      const session = providerSessionIn(token);
      return session && leavingUrl(provider, session, host);
    },
  };
}

/** Groups are compared as they are written: what they mean, the provider alone knows. */
function memberOf(groups: readonly string[], { id, groups: own, groupSource }: LoginUser): string | null {
  if (groups.length === 0 || own.some((group) => groups.includes(group))) return null;
  return `${id} is in none of the authorized groups${groupSource === undefined ? '' : `: ${groupSource}`}`;
}
