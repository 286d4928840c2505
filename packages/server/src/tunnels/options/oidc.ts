/** The option `OIDC`: `{"issuer_url", "client_id", "client_secret", "allow_emails", "allow_domains", "scopes"}`. */
import { isIssuer } from '../../core/oidc-settings.ts';
import { Problem } from '../../errors/problem.ts';
import type { AgentOidc } from '../../online/agent-modules.ts';
import { shown, textField } from './fields.ts';
import type { ModuleOption } from './option.ts';
import { agentLogin, readClient, readScopes, readUserLists } from './user-lists.ts';

const maxIssuer = 255;

export const oidcOption: ModuleOption<AgentOidc> = {
  option: 'OIDC',
  asksByPresence: true,
  fields: ['issuer_url', 'client_id', 'client_secret', 'allow_emails', 'allow_domains', 'scopes'],
  read(sent, { reading }) {
    const issuer = textField(sent, 'issuer_url', reading);
    checkIssuer(issuer);
    const client = readClient(sent, reading);
    if (client.client_id === '') throw new Problem('oidcClientIdMissing');
    if (client.client_secret === '') throw new Problem('oidcClientSecretMissing');
    const [scopes, lists] = [readScopes(sent, reading), readUserLists(sent, reading)];
    return { ...agentLogin, issuer, ...client, scopes, lists };
  },
};

function checkIssuer(issuer: string): void {
  if (issuer === '') throw new Problem('oidcIssuerMissing');
  const actual = issuer.length;
  if (actual > maxIssuer) throw new Problem('oidcIssuerTooLong', { actual, limit: maxIssuer });
  if (!isIssuer(issuer)) throw new Problem('oidcIssuerInvalid', { value: shown(issuer) });
}
