/** Who may come in by lists of e-mail addresses, of their domains, and of groups. Never that a list which is there lets in who is not on it. */
import type { LoginUser } from '../../../login/session.ts';

/** In lower case. All empty: everybody who can log in; else whoever is on one of them. */
export interface UserLists {
  readonly emails: readonly string[];
  readonly domains: readonly string[];
  readonly groups: readonly string[];
}

/** Why a user is on none of them, for the log; null: is on one. An address belongs to the domain behind its last `@`, and to none above. */
export function allowedBy({ emails, domains, groups }: UserLists, user: LoginUser): string | null {
  if (emails.length === 0 && domains.length === 0 && groups.length === 0) return null;
  const { id, email } = user;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (email !== '' && (emails.includes(email) || domains.includes(domain))) return null;
  if (user.groups.some((group) => groups.includes(group.toLowerCase()))) return null;
  return email === ''
    ? `${id}, of whom the provider has no verified e-mail address, is on none of the lists`
    : `${email} is on none of the lists`;
}
