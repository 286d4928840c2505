/**
 * Endpoints of the OAuth providers, and their forms of a user.
 * Invariant: unverified addresses do not count.
 */
import { asciiLower } from '../core/modules/email-address.ts';
import type { OauthProvider } from '../core/modules/oauth-providers.ts';
import { userFrom } from './oidc-user.ts';
import type { LoginUser } from './session.ts';

/** Entries of a page of GitHub, which sends no more at a time. */
const pageLength = 100;
const mostPages = 30;

/** Sends a request to the provider as the user, and returns its JSON. Rejects with LoginFault. */
export type AskProvider = (url: string) => Promise<unknown>;

export interface OauthEndpoints {
  readonly authorize: string;
  readonly token: string;
  /** Scopes that identify the user. */
  readonly scopes: readonly string[];
  /** Further scopes, for the user's organizations and teams. */
  readonly groupScopes?: readonly string[];
  /** True if the provider takes PKCE (RFC 7636). */
  readonly hasPkce: boolean;
  /** Further parameters of the first request. */
  readonly extra?: Readonly<Record<string, string>>;
  userOf(ask: AskProvider, needsGroups: boolean): Promise<LoginUser>;
}

type Fields = Readonly<Record<string, unknown>>;

const openId = ['openid', 'profile', 'email'];

/** A provider that describes users as OpenID Connect does (Core, section 5.1). */
function described(at: string): OauthEndpoints['userOf'] {
  return async (ask) => userFrom(fieldsOf(await ask(at)));
}

export const oauthEndpoints: Readonly<Record<OauthProvider, OauthEndpoints>> = {
  github: github('https://github.com', 'https://api.github.com'),
  facebook: {
    authorize: 'https://www.facebook.com/v21.0/dialog/oauth',
    token: 'https://graph.facebook.com/v21.0/oauth/access_token',
    scopes: ['public_profile', 'email'],
    hasPkce: true,
    async userOf(ask) {
      // The provider returns verified addresses only.
      const { id, name, email } = fieldsOf(
        await ask('https://graph.facebook.com/v21.0/me?fields=id,name,email'),
      );
      return userFrom({ sub: id, name, email, email_verified: true });
    },
  },
  microsoft: {
    authorize: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    token: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scopes: ['User.Read'],
    hasPkce: true,
    async userOf(ask) {
      // Of the addresses this one alone is in a domain that its tenant has proved to have; an administrator can write any other.
      const { id, displayName, userPrincipalName } = fieldsOf(
        await ask('https://graph.microsoft.com/v1.0/me'),
      );
      return userFrom({ sub: id, name: displayName, email: userPrincipalName, email_verified: true });
    },
  },
  google: {
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    scopes: openId,
    hasPkce: true,
    userOf: described('https://openidconnect.googleapis.com/v1/userinfo'),
  },
  linkedin: {
    authorize: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    scopes: openId,
    hasPkce: false,
    userOf: described('https://api.linkedin.com/v2/userinfo'),
  },
  gitlab: {
    authorize: 'https://gitlab.com/oauth/authorize',
    token: 'https://gitlab.com/oauth/token',
    scopes: openId,
    hasPkce: true,
    userOf: described('https://gitlab.com/oauth/userinfo'),
  },
  twitch: {
    authorize: 'https://id.twitch.tv/oauth2/authorize',
    token: 'https://id.twitch.tv/oauth2/token',
    scopes: ['openid', 'user:read:email'],
    hasPkce: false,
    extra: { claims: '{"userinfo":{"email":null,"email_verified":null,"preferred_username":null}}' },
    userOf: described('https://id.twitch.tv/oauth2/userinfo'),
  },
  amazon: {
    authorize: 'https://www.amazon.com/ap/oa',
    token: 'https://api.amazon.com/auth/o2/token',
    scopes: ['profile'],
    hasPkce: true,
    async userOf(ask) {
      const { user_id, name, email } = fieldsOf(await ask('https://api.amazon.com/user/profile'));
      // Amazon states nothing of whether it has verified the address.
      return userFrom({ sub: user_id, name, email });
    },
  },
};

/** `site` is the address for users, `api` the one for programs. */
export function github(site: string, api: string): OauthEndpoints {
  return {
    authorize: `${site}/login/oauth/authorize`,
    token: `${site}/login/oauth/access_token`,
    scopes: ['read:user', 'user:email'],
    groupScopes: ['read:org'],
    hasPkce: true,
    async userOf(ask, needsGroups) {
      const { id, login, name } = fieldsOf(await ask(`${api}/user`));
      const addresses = await pagesOf(ask, `${api}/user/emails`);
      const primary = addresses.find(({ primary, verified }) => primary === true && verified === true);
      const groups = needsGroups ? await githubGroups(ask, api) : [];
      const verified = { email: primary?.email, email_verified: primary?.verified };
      return userFrom({ sub: String(id ?? ''), name: name ?? login, ...verified, groups });
    },
  };
}

/**
 * Returns the group name of an organization of GitHub. Organizations whose names are numbers are excluded, because
 * those could be ids of teams.
 */
export function organizationGroup(name: string): string {
  return /^\d+$/.test(name) ? `${name}/` : asciiLower(name);
}

/** Organizations by their names, teams as `org/team` and by their numbers. */
async function githubGroups(ask: AskProvider, api: string): Promise<readonly string[]> {
  const organizations = (await pagesOf(ask, `${api}/user/orgs`)).flatMap(({ login }) =>
    typeof login === 'string' ? organizationGroup(login) : [],
  );
  const teams = (await pagesOf(ask, `${api}/user/teams`)).flatMap(({ id, slug, organization }) => {
    const { login } = fieldsOf(organization);
    const isNamed = typeof login === 'string' && typeof slug === 'string';
    return [...(isNamed ? [`${login}/${slug}`] : []), ...(typeof id === 'number' ? [String(id)] : [])];
  });
  return [...organizations, ...teams.map(asciiLower)];
}

/** A list of GitHub, whole: a module compares all of it. Rejects if there are more pages than a user has. */
async function pagesOf(ask: AskProvider, url: string): Promise<readonly Fields[]> {
  const entries: Fields[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const further = page === 1 ? '' : `&page=${page}`;
    const list = listOf(await ask(`${url}?per_page=${pageLength}${further}`));
    entries.push(...list);
    if (list.length < pageLength) return entries;
  }
  throw new Error(`the provider lists more than ${mostPages * pageLength} entries at ${url}`);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}
