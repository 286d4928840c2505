/** The OIDC module: only users whom an OpenID Connect provider vouches for are served (open points, B 1.9.1 and 4.9). */

import {
  isIssuer,
  isScope,
  issuerPattern,
  oidcSecretContext,
  scopePattern,
} from '../../core/modules/oidc-settings.ts';
import { Type } from '../../core/type.ts';
import type { OidcModule } from '../../documents/index.ts';
import { printableLine } from '../../errors/printable.ts';
import { Problem } from '../../errors/problem.ts';
import type { ModuleContext, StoredModule } from '../definition.ts';
import { body, type Input, needed, optional, secret, text } from '../schema.ts';
import { loginRead, loginWrite, parseLogin, sealClientSecret, showLogin } from './login-fields.ts';

const maxScopes = 32;
const what = 'Serves only users whom an OpenID Connect provider vouches for.';

const write = body(
  {
    ...loginWrite,
    issuer: optional(
      text(
        255,
        'oidcIssuerTooLong',
        'Needed. The https URL of the provider, below which its metadata is (/.well-known/openid-configuration). It is compared with that metadata at each write, and refused if no login can succeed. One that cannot be reached then is accepted.',
        { pattern: issuerPattern, examples: ['https://accounts.example.com'] },
      ),
    ),
    client_id: optional(
      text(
        255,
        'loginClientIdTooLong',
        'Needed. The client id of this service at the provider. Its redirect URI is "https://<name>/underpass/callback", and that after a logout "https://<name>/underpass/logout".',
      ),
    ),
    client_secret: optional(
      secret(
        text(
          512,
          'loginClientSecretTooLong',
          'Needed. Shown as "". A change that leaves it out keeps it, as long as issuer and client_id stay.',
        ),
      ),
    ),
    scopes: optional(
      Type.Array(Type.String({ pattern: scopePattern, description: 'A scope, of at most 255 bytes.' }), {
        maxItems: maxScopes,
        default: [],
        'x-error': 'loginScopeCount',
        description: 'Scopes that the service requests beside "openid"; empty for "profile" and "email".',
      }),
    ),
  },
  {
    description: what,
    examples: [
      { issuer: 'https://accounts.example.com', client_id: 'web-shop', client_secret: 'its secret' },
    ],
    minProperties: 1,
    allOf: [needed('issuer'), needed('client_id')],
  },
);

type Fields = Input<typeof write>;

export const oidcModule = {
  name: 'oidc',
  schemaName: 'EndpointOIDC',
  summary: 'OpenID Connect',
  write,
  read: Type.Object(
    {
      ...loginRead,
      issuer: Type.String(),
      client_id: Type.String(),
      client_secret: Type.String({ description: 'Always "".' }),
      scopes: Type.Array(Type.String()),
    },
    { description: what },
  ),

  async parse(input, pointer, context) {
    const { issuer = '', client_id = '', client_secret = '', scopes = [] } = input;
    checkIssuer(issuer, `${pointer}/issuer`);
    if (client_id === '') throw new Problem('oidcClientIdMissing', {}, { field: `${pointer}/client_id` });
    for (const [at, scope] of scopes.entries()) checkScope(scope, `${pointer}/scopes/${at}`);
    const client_secret_sealed = sealed({ issuer, client_id }, client_secret, pointer, context);
    await refuseContradiction(issuer, `${pointer}/issuer`, context);
    const { current } = context;
    // Sealed anew, it is another secret.
    const continued = current?.client_secret_sealed === client_secret_sealed ? current : null;
    return {
      ...parseLogin(input, pointer, continued),
      issuer,
      client_id,
      client_secret_sealed,
      scopes: [...new Set(scopes)],
    };
  },

  show(config) {
    const { issuer, client_id, scopes } = config;
    return { ...showLogin(config), issuer, client_id, client_secret: '', scopes };
  },
} as const satisfies StoredModule<OidcModule, Fields>;

/** Raises Problem. */
function checkIssuer(issuer: string, field: string): void {
  if (issuer === '') throw new Problem('oidcIssuerMissing', {}, { field });
  if (!isIssuer(issuer)) throw new Problem('oidcIssuerInvalid', { value: issuer }, { field });
}

/** Refuses an issuer by which no login can succeed, as its own metadata state. Rejects with Problem. */
async function refuseContradiction(
  issuer: string,
  field: string,
  { principal, settings }: Pick<ModuleContext<OidcModule>, 'principal' | 'settings'>,
): Promise<void> {
  const { contradictionOf } = await import('../../login/oidc-contradiction.ts');
  const { account } = principal;
  const found = await contradictionOf(issuer, { account, allowPrivate: settings.allowPrivate });
  if (found === null) return;
  const value = issuer;
  if ('stated' in found)
    throw new Problem('oidcIssuerContradicted', { value, stated: found.stated }, { field });
  throw new Problem('oidcProviderUnfit', { value, reason: printableLine(found.obstacle) }, { field });
}

function checkScope(scope: string, field: string): void {
  if (!isScope(scope)) throw new Problem('loginScopeInvalid', { value: scope }, { field });
}

/** Keeps the stored secret if the request has none for the same client. */
function sealed(
  client: Pick<OidcModule, 'issuer' | 'client_id'>,
  given: string,
  pointer: string,
  { current, sealer }: Pick<ModuleContext<OidcModule>, 'current' | 'sealer'>,
): string {
  const context = oidcSecretContext(client);
  const isSameClient = current !== null && oidcSecretContext(current) === context;
  const standing = isSameClient ? current.client_secret_sealed : null;
  const secret = sealClientSecret(given, standing, context, sealer);
  if (secret !== null) return secret;
  throw new Problem('oidcClientSecretMissing', {}, { field: `${pointer}/client_secret` });
}
