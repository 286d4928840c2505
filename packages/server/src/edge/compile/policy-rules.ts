/** The rules of IP policies as sites read them: sets that change in place, each under a view that is another after a change. */
import { isCidrFault, parseCidr } from '../../core/ip/cidr.ts';
import { IpRuleSet } from '../../core/ip/ip-rule-set.ts';
import type { IpRule } from '../../core/ip/ip-rules.ts';
import type { StoredDocument } from '../../documents/index.ts';

/** Another object for each state of the rules; the set within is the same. */
export interface RulesView {
  readonly rules: IpRuleSet;
}

interface Known {
  readonly policy: string;
  readonly rule: IpRule;
}

const empty: RulesView = { rules: new IpRuleSet() };

export class PolicyRules {
  readonly #views = new Map<string, RulesView>();
  readonly #known = new Map<string, Known>();
  readonly #touched: (policy: string) => void;

  /** `touched` is called with the id of each policy whose rules have changed. */
  constructor(touched: (policy: string) => void) {
    this.#touched = touched;
  }

  get ids(): Iterable<string> {
    return this.#known.keys();
  }

  view(policy: string): RulesView {
    return this.#views.get(policy) ?? empty;
  }

  put({ id, body: { ip_policy_id: policy, cidr: text, action } }: StoredDocument<'ip_policy_rule'>): void {
    const cidr = parseCidr(text);
    if (isCidrFault(cidr)) throw new Error(`the rule ${id} has a range that is none: ${text}`);
    const before = this.#known.get(id);
    if (before?.rule.cidr.text === cidr.text && before.rule.action === action) return;
    if (before !== undefined) this.remove(id);
    const rule: IpRule = { action, cidr };
    this.#known.set(id, { policy, rule });
    const rules = this.#views.get(policy)?.rules ?? new IpRuleSet();
    rules.add(rule);
    this.#renew(policy, rules);
  }

  /** Returns true if it was there. */
  remove(id: string): boolean {
    const known = this.#known.get(id);
    if (known === undefined) return false;
    this.#known.delete(id);
    const { rules } = this.view(known.policy);
    rules.remove(known.rule);
    this.#renew(known.policy, rules);
    return true;
  }

  #renew(policy: string, rules: IpRuleSet): void {
    if (rules.size === 0) this.#views.delete(policy);
    else this.#views.set(policy, { rules });
    this.#touched(policy);
  }
}
