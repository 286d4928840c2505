/** The option `OAuth`: `{"provider", "client_id", "client_secret", "allow_emails", "allow_domains", "scopes"}`. */
import { oauthProvider, oauthProviders } from '../../core/modules/oauth-providers.ts';
import { Problem } from '../../errors/problem.ts';
import type { AgentOauth } from '../../online/agent-modules.ts';
import { shown, textField } from './fields.ts';
import type { ModuleOption } from './option.ts';
import { agentLogin, readClient, readScopes, readUserLists } from './user-lists.ts';

export const oauthOption: ModuleOption<AgentOauth> = {
  option: 'OAuth',
  asksByPresence: true,
  fields: ['provider', 'client_id', 'client_secret', 'allow_emails', 'allow_domains', 'scopes'],
  read(sent, { reading, settings }) {
    const given = textField(sent, 'provider', reading);
    const allowed = oauthProviders.join(', ');
    if (given === '') throw new Problem('oauthProviderMissing', { allowed });
    const name = oauthProvider(given);
    if (name === null) throw new Problem('bindOauthProvider', { value: shown(given), allowed });
    const client = readClient(sent, reading);
    const scopes = readScopes(sent, reading);
    if (client.client_id === '') {
      const isGiven = settings.oauthClients.has(name) && client.client_secret === '';
      if (!isGiven) throw new Problem('oauthClientMissing', { provider: name });
      if (scopes.length > 0) throw new Problem('oauthScopesOfOthers');
    } else if (client.client_secret === '') throw new Problem('oauthSecretMissing');
    const { emails, domains } = readUserLists(sent, reading);
    const lists = { email_addresses: emails, email_domains: domains, teams: [], organizations: [] };
    const provider = { name, ...client, scopes, ...lists };
    return { ...agentLogin, provider, auth_check_interval: 0 };
  },
};
