/** The basic authentication module: visitors log in with what the agent was started with (open points, B 1.7). */

import { isHeaderValue } from '../../core/header-syntax.ts';
import { Type } from '../../core/type.ts';
import type { BasicAuthModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredModule } from '../definition.ts';
import { patterns } from '../patterns.ts';
import { body, choice, enabled, type Input, optional, text } from '../schema.ts';

const what = 'Requires a login with a name and a password of the agent.';

const write = body(
  {
    enabled,
    auth_provider_id: optional(
      choice(
        ['', 'agent'],
        'authProviderInvalid',
        'The party that knows the names and passwords: the agent.',
        {
          default: 'agent',
        },
      ),
    ),
    realm: optional(
      text(128, 'realmTooLong', 'The realm of the login, as browsers show it. Empty for the default.', {
        pattern: patterns.headerValue,
        default: '',
      }),
    ),
    allow_options: optional(
      Type.Boolean({
        default: false,
        description: 'True if OPTIONS requests are served without a login, as CORS needs it.',
      }),
    ),
  },
  { description: what, examples: [{ realm: 'Reports' }] },
);

export const basicAuthModule = {
  name: 'basic_auth',
  schemaName: 'EndpointBasicAuth',
  summary: 'Basic authentication',
  write,
  read: Type.Object(
    {
      enabled: Type.Boolean(),
      auth_provider_id: Type.String(),
      realm: Type.String(),
      allow_options: Type.Boolean(),
    },
    { description: what },
  ),
  parse({ enabled = true, realm = '', allow_options = false }, pointer) {
    if (!isHeaderValue(realm)) throw new Problem('realmInvalid', {}, { field: `${pointer}/realm` });
    return { enabled, auth_provider_id: 'agent', realm, allow_options };
  },
  show(config) {
    return config;
  },
} as const satisfies StoredModule<BasicAuthModule, Input<typeof write>>;
