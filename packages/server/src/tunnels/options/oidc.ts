/**
 * The option `OIDC`: `{"issuer_url", "client_id", "client_secret", "allow_emails", "allow_domains", "allow_unverified_email", "scopes"}`.
 */
import { isIssuer, isSharedIssuer } from '../../core/modules/oidc-settings.ts';
import { Problem } from '../../errors/problem.ts';
import type { AgentOidc } from '../../online/agent-modules.ts';
import { shown, switchField, textField } from './fields.ts';
import type { ModuleOption } from './option.ts';
import { agentLogin, readClient, readScopes, readUserLists } from './user-lists.ts';

const maxIssuer = 255;

export const oidcOption: ModuleOption<AgentOidc> = {
  option: 'OIDC',
  asksByPresence: true,
  fields: [
    ...['issuer_url', 'client_id', 'client_secret', 'scopes'],
    ...['allow_emails', 'allow_domains', 'allow_unverified_email'],
  ],
  read(sent, { reading }) {
    const issuer = textField(sent, 'issuer_url', reading);
    checkIssuer(issuer);
    const client = readClient(sent, reading);
    if (client.client_id === '') throw new Problem('oidcClientIdMissing');
    if (client.client_secret === '') throw new Problem('oidcClientSecretMissing');
    const [scopes, users] = [readScopes(sent, reading), readUserLists(sent, reading)];
    if (users.emails.length + users.domains.length > 0 && isSharedIssuer(issuer))
      throw new Problem('bindOidcIssuerShared', { value: shown(issuer) });
    const takesUnverified = switchField(sent, 'allow_unverified_email', reading) === true;
    return { ...agentLogin, issuer, ...client, scopes, lists: { ...users, takesUnverified } };
  },
};

function checkIssuer(issuer: string): void {
  if (issuer === '') throw new Problem('oidcIssuerMissing');
  const actual = issuer.length;
  if (actual > maxIssuer) throw new Problem('oidcIssuerTooLong', { actual, limit: maxIssuer });
  if (!isIssuer(issuer)) throw new Problem('oidcIssuerInvalid', { value: shown(issuer) });
}
