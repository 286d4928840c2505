/**
 * Checks that a change of IP policies, rules or restrictions leaves the caller access to the API, or to the console from
 * which the change comes (open points, decision 8).
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

type Restriction = StoredDocument<'ip_restriction'>;

/**
 * The enforced IP restriction that decides on the caller's address; null if none does. For a console session that is the
 * one of the dashboard, and without it the one of the API (see `IpRestrictions.judgeConsole`).
 */
export async function enforcedOnCaller(caller: Caller): Promise<Restriction | null> {
  const ofConsole = caller.principal.session === undefined ? null : await enforced('dashboard', caller);
  return ofConsole ?? (await enforced('api', caller));
}

/**
 * The restriction that decides on the caller's address once `after` has replaced `before`. Null: none does, or the same one
 * as before, unchanged.
 */
export async function decidingAfter(
  before: IpRestrictionDocument | null,
  after: IpRestrictionDocument | null,
  caller: Caller,
): Promise<{ readonly body: IpRestrictionDocument; readonly stored: Restriction | null } | null> {
  const changed = (after ?? before)?.type;
  const own = after?.enforced === true ? { body: after, stored: null } : null;
  const isOfConsole = caller.principal.session !== undefined;
  if (changed === 'api') {
    if (own === null || (isOfConsole && (await enforced('dashboard', caller)) !== null)) return null;
    return own;
  }
  if (changed !== 'dashboard' || !isOfConsole) return null;
  if (own !== null) return own;
  const stored = await enforced('api', caller);
  return stored === null ? null : { body: stored.body, stored };
}

async function enforced(
  type: 'api' | 'dashboard',
  { principal, store }: Caller,
): Promise<Restriction | null> {
  const holder = await store.findName(restrictionClaim(principal.account, type));
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
