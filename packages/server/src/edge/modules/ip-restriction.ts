/**
 * The IP restriction module: refuses visitors by the address of their connection.
 * Invariant: no header field has an effect.
 */
import { ipOf } from '../../core/ip/client-address.ts';
import { explainedBySets, type NamedRules } from '../../core/ip/ip-reason.ts';
import { decideBySets, IpRuleSet } from '../../core/ip/ip-rule-set.ts';
import type { IpRestrictionModule } from '../../documents/index.ts';
import type { AgentIpRestriction } from '../../online/agent-modules.ts';
import type { Preview } from '../sites/site.ts';
import type { EdgeModule } from './module.ts';

interface Connected {
  readonly clientAddr: string;
}

export const ipRestriction: EdgeModule<IpRestrictionModule | AgentIpRestriction> = {
  compile(config, { look }) {
    const policies: readonly NamedRules[] =
      'rules' in config
        ? [{ name: 'the list of the agent', rules: new IpRuleSet(config.rules) }]
        : config.ip_policy_ids.map((id) => ({ name: `the policy ${id}`, rules: look.rules(id) }));
    const sets = policies.map(({ rules }) => rules);
    const check = ({ clientAddr }: Connected) => verdictOf(decideBySets(sets, ipOf(clientAddr)));
    const preview = ({ clientAddr }: Connected): Preview => {
      const { decision, why } = explainedBySets(policies, ipOf(clientAddr));
      return { verdict: verdictOf(decision), why };
    };
    return { guards: [{ name: 'ip_restriction', reads: 'connection', check, preview }] };
  },
};

function verdictOf(decision: 'allow' | 'deny'): 'sourceRefused' | null {
  return decision === 'allow' ? null : 'sourceRefused';
}
