/**
 * Checks that a change of IP policies, rules or restrictions leaves the caller access to the API (open points,
 * decision 8).
 * Invariant: the check reads the store only, because what this process follows may be older.
 */

import { IpPolicies } from '../access/ip-policies.ts';
import { admits, type IpRule } from '../core/ip/ip-rules.ts';
import type { IpRestrictionDocument, StoredDocument } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { NameClaim } from '../store/store.ts';
import type { RuleContext } from './definition.ts';
import { everyDocument } from './list.ts';
import { nameWithin } from './scoped-names.ts';

type Caller = Pick<RuleContext, 'principal' | 'store'>;

/** An account has one restriction of each type. */
export function restrictionClaim(account: string, type: IpRestrictionDocument['type']): NameClaim {
  return nameWithin(account, 'ip_restriction', type);
}

/** The IP restriction of the caller's API, if it is enforced. */
export async function enforcedOnApi({
  principal,
  store,
}: Caller): Promise<StoredDocument<'ip_restriction'> | null> {
  const holder = await store.findName(restrictionClaim(principal.account, 'api'));
  const document = holder && (await store.get(holder.id));
  return document?.kind === 'ip_restriction' && document.body.enforced ? document : null;
}

/**
 * Returns the policies that still exist. A policy's revision also covers its rules, because each write of a rule
 * writes the policy, too.
 */
export async function policyDocuments(
  ids: readonly string[],
  { store }: Caller,
): Promise<readonly StoredDocument[]> {
  const documents = await Promise.all(ids.map((id) => store.get(id)));
  return documents.filter((document) => document !== null);
}

/** These policies with the rules that they have now. */
export async function storedPolicies(
  ids: readonly string[],
  { principal, store }: Caller,
): Promise<IpPolicies> {
  const policies = new IpPolicies();
  for (const id of ids) {
    for await (const rule of everyDocument(store, principal.account, 'ip_policy_rule', id))
      policies.put(rule);
  }
  return policies;
}

/** Raises `error` when these rules would not let the caller in. */
export function refuseShutOut(
  rules: readonly IpRule[],
  { principal: { address } }: Caller,
  error: ErrorNeeding<'address'>,
): void {
  if (!admits(rules, address)) throw new Problem(error, { address });
}
