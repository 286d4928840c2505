/**
 * Decides by lists of e-mail addresses, of their domains and of groups which users may come in.
 * Invariant: with any list, a user comes in only by an address that the provider has verified, or by a group.
 */
import { asciiLower, comparableAddress, comparableDomain } from '../../../core/modules/email-address.ts';
import type { LoginUser } from '../../../login/session.ts';

/** All empty: all users who can log in; else those that are on one of them. */
export interface UserLists {
  readonly emails: readonly string[];
  readonly domains: readonly string[];
  /** Names of groups, with ASCII letters in lower case. */
  readonly groups: readonly string[];
  /** True if addresses count that the provider does not state to be verified. Absent: false. */
  readonly takesUnverified?: boolean;
}

/** Returns the reason for the log why a user is on none of the lists, or null if on one. */
export type UserJudge = (user: LoginUser) => string | null;

/** Prepares the lists once for all requests. An entry that is no address or no domain matches no user. */
export function judgeBy({ emails, domains, groups, takesUnverified = false }: UserLists): UserJudge {
  if (emails.length === 0 && domains.length === 0 && groups.length === 0) return () => null;
  const [addresses, hosts, listed] = [new Set<string>(), new Set<string>(), new Set(groups)];
  for (const email of emails) addTo(addresses, comparableAddress(email)?.address);
  for (const domain of domains) addTo(hosts, comparableDomain(domain));
  return (user) => {
    const { id, email, isEmailVerified } = user;
    if (user.groups.some((group) => listed.has(asciiLower(group)))) return null;
    if (email === '' || !(isEmailVerified || takesUnverified))
      return `${id}, of whom the provider states no verified e-mail address, is on none of the lists`;
    const comparable = comparableAddress(email);
    const isListed =
      comparable !== null && (addresses.has(comparable.address) || hosts.has(comparable.domain));
    return isListed ? null : `${email} is on none of the lists`;
  };
}

function addTo(entries: Set<string>, entry: string | null | undefined): void {
  if (entry) entries.add(entry);
}
