/** The option `OIDC`: `{"issuer_url", "client_id", "client_secret", "allow_emails", "allow_domains", "scopes"}`. */
import { isIssuer, isScope } from '../../core/oidc-settings.ts';
import { Problem } from '../../errors/problem.ts';
import type { AgentOidc } from '../../online/agent-modules.ts';
import { type Reading, shown, textField, textListField } from './fields.ts';
import type { ModuleOption } from './option.ts';

const limits = { issuer: 255, client: 255, secret: 512, scopes: 32 };
const maxListed = 100;
const maxListedLength = 255;

export const oidcOption: ModuleOption<AgentOidc> = {
  option: 'OIDC',
  fields: ['issuer_url', 'client_id', 'client_secret', 'allow_emails', 'allow_domains', 'scopes'],
  read(sent, { reading }) {
    const issuer = textField(sent, 'issuer_url', reading);
    const client_id = textField(sent, 'client_id', reading);
    const client_secret = textField(sent, 'client_secret', reading);
    checkClient(issuer, client_id, client_secret);
    return {
      enabled: true,
      options_passthrough: false,
      cookie_prefix: '',
      inactivity_timeout: 0,
      maximum_duration: 0,
      issuer,
      client_id,
      client_secret,
      scopes: readScopes(sent, reading),
      lists: {
        emails: readList(sent, 'allow_emails', reading, /^[^\s@]+@[^\s@]+$/),
        domains: readList(sent, 'allow_domains', reading, /^[^\s@]+$/),
      },
    };
  },
};

function checkClient(issuer: string, id: string, secret: string): void {
  if (issuer === '') throw new Problem('oidcIssuerMissing');
  if (issuer.length > limits.issuer)
    throw new Problem('oidcIssuerTooLong', { actual: issuer.length, limit: limits.issuer });
  if (!isIssuer(issuer)) throw new Problem('oidcIssuerInvalid', { value: shown(issuer) });
  if (id === '') throw new Problem('oidcClientIdMissing');
  if (id.length > limits.client)
    throw new Problem('oidcClientIdTooLong', { actual: id.length, limit: limits.client });
  if (secret === '') throw new Problem('oidcClientSecretMissing');
  if (secret.length > limits.secret)
    throw new Problem('oidcClientSecretTooLong', { actual: secret.length, limit: limits.secret });
}

function readScopes(sent: object, reading: Reading): readonly string[] {
  const scopes = textListField(sent, 'scopes', reading);
  const actual = scopes.length;
  if (actual > limits.scopes) throw new Problem('loginScopeCount', { actual, limit: limits.scopes });
  const wrong = scopes.find((scope) => !isScope(scope));
  if (wrong !== undefined) throw new Problem('loginScopeInvalid', { value: shown(wrong) });
  return scopes;
}

/** In lower case, as users' addresses are compared. */
function readList(sent: object, field: string, reading: Reading, pattern: RegExp): readonly string[] {
  const entries = textListField(sent, field, reading);
  if (entries.length > maxListed) throw new Problem('bindUserListCount', { field, limit: maxListed });
  const wrong = entries.find((entry) => entry.length > maxListedLength || !pattern.test(entry));
  if (wrong !== undefined) throw new Problem('bindUserListEntry', { field, value: shown(wrong) });
  return entries.map((entry) => entry.toLowerCase());
}
