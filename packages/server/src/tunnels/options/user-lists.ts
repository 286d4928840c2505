/** The common parts of the options `OAuth` and `OIDC`: the lists of the provider's users, the scopes and the client. */
import { comparableAddress, comparableDomain } from '../../core/modules/email-address.ts';
import { isScope } from '../../core/modules/oidc-settings.ts';
import { Problem } from '../../errors/problem.ts';
import type { AgentUserLists } from '../../online/agent-modules.ts';
import { type Reading, shown, textField, textListField } from './fields.ts';

const limits = { client: 255, secret: 512, scopes: 32, listed: 100, entry: 255 };

export interface AgentClient {
  readonly client_id: string;
  readonly client_secret: string;
}

/** '' for what is not given. Raises Problem. */
export function readClient(sent: object, reading: Reading): AgentClient {
  const client_id = textField(sent, 'client_id', reading);
  const client_secret = textField(sent, 'client_secret', reading);
  const [idLength, secretLength] = [client_id.length, client_secret.length];
  if (idLength > limits.client)
    throw new Problem('loginClientIdTooLong', { actual: idLength, limit: limits.client });
  if (secretLength > limits.secret)
    throw new Problem('loginClientSecretTooLong', { actual: secretLength, limit: limits.secret });
  return { client_id, client_secret };
}

export function readScopes(sent: object, reading: Reading): readonly string[] {
  const scopes = textListField(sent, 'scopes', reading);
  const actual = scopes.length;
  if (actual > limits.scopes) throw new Problem('loginScopeCount', { actual, limit: limits.scopes });
  const wrong = scopes.find((scope) => !isScope(scope));
  if (wrong !== undefined) throw new Problem('loginScopeInvalid', { value: shown(wrong) });
  return scopes;
}

/** Returns the lists in the form in which users' addresses are compared. Raises Problem. */
export function readUserLists(sent: object, reading: Reading): AgentUserLists {
  return {
    emails: readList(sent, 'allow_emails', reading, (text) => comparableAddress(text)?.address ?? null),
    domains: readList(sent, 'allow_domains', reading, comparableDomain),
  };
}

function readList(
  sent: object,
  field: string,
  reading: Reading,
  formOf: (text: string) => string | null,
): readonly string[] {
  const entries = textListField(sent, field, reading);
  if (entries.length > limits.listed) throw new Problem('bindUserListCount', { field, limit: limits.listed });
  return entries.map((entry) => {
    const form = entry.length > limits.entry ? null : formOf(entry);
    if (form === null) throw new Problem('bindUserListEntry', { field, value: shown(entry) });
    return form;
  });
}

/** Values that agents do not set for the module. */
export const agentLogin = {
  enabled: true,
  options_passthrough: false,
  cookie_prefix: '',
  inactivity_timeout: 0,
  maximum_duration: 0,
  // A tunnel that comes again is the same one.
  generation: '',
} as const;
