/** The OAuth module: only users whom one of the known providers vouches for are served (open points, B 1.9.1 and 4.9). */
import {
  isUserDomain,
  isUserEmail,
  type OauthProvider,
  oauthProviders,
  oauthSecretContext,
} from '../../core/modules/oauth-providers.ts';
import { isScope, scopePattern } from '../../core/modules/oidc-settings.ts';
import { Type } from '../../core/type.ts';
import type { OauthModule, OauthProviderModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { ErrorNeeding } from '../../errors/values.ts';
import type { ModuleContext, StoredModule } from '../definition.ts';
import { body, exactlyOne, type Input, needed, nullable, optional, secret, text } from '../schema.ts';
import {
  loginRead,
  loginWrite,
  maxSeconds,
  parseLogin,
  sealClientSecret,
  showLogin,
} from './login-fields.ts';

const maxListed = 100;
const what = 'Serves only users whom a provider that is known by its name vouches for.';

function list(description: string, pattern: string) {
  return optional(
    Type.Array(Type.String({ pattern, description: 'At most 255 bytes.' }), {
      maxItems: maxListed,
      default: [],
      'x-error': 'oauthListCount',
      description,
    }),
  );
}

const clientFields = {
  client_id: optional(
    text(
      255,
      'loginClientIdTooLong',
      'The client id of this service at the provider. Needed if the operator has no application there. Its redirect URI is "https://<name>/underpass/callback".',
    ),
  ),
  client_secret: optional(
    secret(
      text(
        512,
        'loginClientSecretTooLong',
        'Needed with client_id. Shown as "". A change that leaves it out keeps it, as long as provider and client_id stay.',
      ),
    ),
  ),
  scopes: list(
    'Scopes that the service requests from the provider; empty for those that identify the user.',
    scopePattern,
  ),
  email_addresses: list(
    'Users with these addresses are served, in lower case. The provider must have verified the address; amazon states nothing about that.',
    '^[^\\sA-Z@]+@[^\\sA-Z@]+$',
  ),
  email_domains: list(
    'Users with verified addresses in these domains are served, in lower case; the whole domain counts.',
    '^[^\\sA-Z@:/*?#,;]+$',
  ),
};
const client = body(clientFields, {
  description: 'All users of the provider if every list is empty.',
});
const githubClient = body(
  {
    ...clientFields,
    teams: list(
      'Members of these teams are served: "org/team", or the number of a team.',
      '^(?:[A-Za-z0-9-]+/[A-Za-z0-9._-]+|[0-9]+)$',
    ),
    organizations: list('Members of these organizations are served.', '^[A-Za-z0-9-]+$'),
  },
  { description: 'All users of GitHub if every list is empty.' },
);

const clientRead = {
  client_id: Type.String({ description: 'The client id of this service at the provider.' }),
  client_secret: Type.String({ description: 'Always "".' }),
  scopes: Type.Array(Type.String(), { description: 'Scopes that the service requests from the provider.' }),
  email_addresses: Type.Array(Type.String(), { description: 'Users with these addresses are served.' }),
  email_domains: Type.Array(Type.String(), {
    description: 'Users with addresses in these domains are served.',
  }),
};
const whatClient = 'A client at the provider, and whom of its users it is for.';
const shownClient = nullable(
  Type.Object(clientRead, { $id: 'EndpointOAuthClient', description: whatClient }),
);

const write = body(
  {
    ...loginWrite,
    provider: optional(
      body(
        {
          github: optional(githubClient),
          facebook: optional(client),
          microsoft: optional(client),
          google: optional(client),
          linkedin: optional(client),
          gitlab: optional(client),
          twitch: optional(client),
          amazon: optional(client),
        },
        { description: 'Needed. Exactly one of these.', minProperties: 1, ...exactlyOne(oauthProviders) },
      ),
    ),
    auth_check_interval: optional(
      Type.Integer({
        minimum: 0,
        maximum: maxSeconds,
        default: 0,
        'x-error': 'authCheckIntervalInvalid',
        description: 'Seconds until the provider is queried again about a logged-in user; 0 for never.',
      }),
    ),
  },
  {
    description: what,
    examples: [
      {
        provider: {
          github: { client_id: 'Iv1.8a61f9b3a7aba766', client_secret: 'its secret', organizations: ['acme'] },
        },
      },
    ],
    minProperties: 1,
    allOf: [needed('provider')],
  },
);

type Fields = Input<typeof write>;
type ClientInput = Input<typeof githubClient>;

export const oauthModule = {
  name: 'oauth',
  schemaName: 'EndpointOAuth',
  summary: 'OAuth',
  write,
  read: Type.Object(
    {
      ...loginRead,
      provider: Type.Object(
        {
          github: nullable(
            Type.Object(
              {
                ...clientRead,
                teams: Type.Array(Type.String(), { description: 'Members of these teams are served.' }),
                organizations: Type.Array(Type.String(), {
                  description: 'Members of these organizations are served.',
                }),
              },
              { $id: 'EndpointOAuthGitHubClient', description: whatClient },
            ),
          ),
          facebook: shownClient,
          microsoft: shownClient,
          google: shownClient,
          linkedin: shownClient,
          gitlab: shownClient,
          twitch: shownClient,
          amazon: shownClient,
        },
        { description: 'All but one are null.' },
      ),
      auth_check_interval: Type.Integer(),
    },
    { description: what },
  ),

  parse(input, pointer, context) {
    const field = `${pointer}/provider`;
    const given = oauthProviders.filter((name) => input.provider?.[name] !== undefined);
    const [name] = given;
    if (name === undefined)
      throw new Problem('oauthProviderMissing', { allowed: oauthProviders.join(', ') }, { field });
    if (given.length > 1) throw new Problem('oauthProviderSeveral', { value: given.join(', ') }, { field });
    const provider = parseClient(name, input.provider?.[name] ?? {}, `${field}/${name}`, context);
    const login = parseLogin(
      input,
      pointer,
      isSameClient(context.current, provider) ? context.current : null,
    );
    return { ...login, provider, auth_check_interval: input.auth_check_interval ?? 0 };
  },

  show(config) {
    const { provider, auth_check_interval } = config;
    const providers = oauthProviders.map((name) => [
      name,
      name === provider.name ? showClient(provider) : null,
    ]);
    return { ...showLogin(config), provider: Object.fromEntries(providers), auth_check_interval };
  },
} as const satisfies StoredModule<OauthModule, Fields>;

type Context = Pick<ModuleContext<OauthModule>, 'current' | 'sealer' | 'settings'>;

function parseClient(
  name: OauthProvider,
  input: ClientInput,
  pointer: string,
  context: Context,
): OauthProviderModule {
  const { client_id = '', client_secret = '' } = input;
  if (client_id === '') checkWithoutClient(name, input, pointer, context);
  const listed = (field: keyof typeof checks): readonly string[] => {
    const values = input[field] ?? [];
    const wrong = values.findIndex((value) => !checks[field].isRight(value));
    if (wrong === -1) return [...new Set(values)];
    const value = values[wrong] ?? '';
    throw new Problem(checks[field].error, { value }, { field: `${pointer}/${field}/${wrong}` });
  };
  return {
    name,
    client_id,
    client_secret_sealed:
      client_id === '' ? '' : sealed({ name, client_id }, client_secret, pointer, context),
    scopes: listed('scopes'),
    email_addresses: listed('email_addresses'),
    email_domains: listed('email_domains'),
    teams: listed('teams'),
    organizations: listed('organizations'),
  };
}

/** The operator's application has its own scopes and secret. Raises Problem. */
function checkWithoutClient(
  name: OauthProvider,
  input: ClientInput,
  pointer: string,
  { settings }: Context,
): void {
  if (!settings.oauthClients.has(name) || (input.client_secret ?? '') !== '')
    throw new Problem('oauthClientMissing', { provider: name }, { field: `${pointer}/client_id` });
  if ((input.scopes ?? []).length > 0)
    throw new Problem('oauthScopesOfOthers', {}, { field: `${pointer}/scopes` });
}

interface Check {
  readonly isRight: (value: string) => boolean;
  readonly error: ErrorNeeding<'value'>;
}

const checks = {
  scopes: { isRight: isScope, error: 'loginScopeInvalid' },
  email_addresses: { isRight: isUserEmail, error: 'oauthEmailInvalid' },
  email_domains: { isRight: isUserDomain, error: 'oauthDomainInvalid' },
  teams: {
    isRight: (value) => value.length <= 255 && /^(?:[A-Za-z0-9-]+\/[A-Za-z0-9._-]+|[0-9]+)$/.test(value),
    error: 'oauthTeamInvalid',
  },
  organizations: {
    isRight: (value) => value.length <= 255 && /^[A-Za-z0-9-]+$/.test(value),
    error: 'oauthOrganizationInvalid',
  },
} as const satisfies Readonly<Record<string, Check>>;

function showClient(provider: OauthProviderModule) {
  const { name, client_id, scopes, email_addresses, email_domains, teams, organizations } = provider;
  const shown = { client_id, client_secret: '', scopes, email_addresses, email_domains };
  return name === 'github' ? { ...shown, teams, organizations } : shown;
}

/** Also of the same secret: sealed anew, it is another one. */
function isSameClient(
  current: OauthModule | null,
  { name, client_secret_sealed }: OauthProviderModule,
): boolean {
  return current?.provider.name === name && current.provider.client_secret_sealed === client_secret_sealed;
}

/** Keeps the stored secret if the request has none for the same client. */
function sealed(
  asks: Pick<OauthProviderModule, 'name' | 'client_id'>,
  given: string,
  pointer: string,
  { current, sealer }: Context,
): string {
  const context = oauthSecretContext(asks);
  const standing = current?.provider ?? null;
  const isSame = standing !== null && oauthSecretContext(standing) === context;
  const secret = sealClientSecret(given, isSame ? standing.client_secret_sealed : null, context, sealer);
  if (secret !== null) return secret;
  throw new Problem('oauthSecretMissing', {}, { field: `${pointer}/client_secret` });
}
