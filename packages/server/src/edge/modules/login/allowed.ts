/** Who may come in by lists of e-mail addresses and of domains. */
import type { LoginUser } from '../../../login/session.ts';
import type { AgentUserLists } from '../../../online/agent-modules.ts';

/** Why a user is not among them, for the log; null: is. An address belongs to the domain behind its last `@`, and to none above. */
export function allowedBy(
  { emails, domains }: AgentUserLists,
  { email }: Pick<LoginUser, 'email'>,
): string | null {
  if (emails.length === 0 && domains.length === 0) return null;
  if (email === '') return 'the provider has no verified e-mail address of the user';
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return emails.includes(email) || domains.includes(domain) ? null : `${email} is on none of the lists`;
}
