/**
 * The parsed rules of all IP policies, by policy.
 * Invariant: an unknown or deleted policy is empty, and an empty policy denies all.
 */
import { isCidrFault, parseCidr } from '../core/ip/cidr.ts';
import type { IpRule } from '../core/ip/ip-rules.ts';
import type { StoredDocument } from '../documents/index.ts';

export class IpPolicies {
  readonly #rules = new Map<string, Map<string, IpRule>>();
  readonly #policyOf = new Map<string, string>();

  /** Answers the policy that it changes. */
  put({ id, body }: Pick<StoredDocument<'ip_policy_rule'>, 'id' | 'body'>): string {
    const { ip_policy_id, cidr: text, action } = body;
    const cidr = parseCidr(text);
    if (isCidrFault(cidr)) throw new Error(`the rule ${id} has a range that is none: ${text}`);
    const rules = this.#rules.get(ip_policy_id) ?? new Map<string, IpRule>();
    this.#rules.set(ip_policy_id, rules.set(id, { action, cidr }));
    this.#policyOf.set(id, ip_policy_id);
    return ip_policy_id;
  }

  /** Answers the policy that it changes, if the id is one of a rule. */
  remove(id: string): string | undefined {
    const policy = this.#policyOf.get(id);
    if (policy === undefined) return undefined;
    this.#policyOf.delete(id);
    const rules = this.#rules.get(policy);
    rules?.delete(id);
    if (rules?.size === 0) this.#rules.delete(policy);
    return policy;
  }

  rulesOf(policies: readonly string[]): readonly IpRule[] {
    return policies.flatMap((policy) => [...(this.#rules.get(policy)?.values() ?? [])]);
  }

  /** The ids of all rules. */
  ids(): Iterable<string> {
    return this.#policyOf.keys();
  }
}
