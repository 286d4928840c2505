/**
 * The IP restriction module: refuses visitors by the address of their connection.
 * Invariant: no header field has an effect.
 */
import { ipOf } from '../../core/ip/client-address.ts';
import { decideBySets, IpRuleSet } from '../../core/ip/ip-rule-set.ts';
import type { IpRestrictionModule } from '../../documents/index.ts';
import type { AgentIpRestriction } from '../../online/agent-modules.ts';
import type { EdgeModule } from './module.ts';

export const ipRestriction: EdgeModule<IpRestrictionModule | AgentIpRestriction> = {
  compile(config, { look }) {
    const policies =
      'rules' in config ? [new IpRuleSet(config.rules)] : config.ip_policy_ids.map((id) => look.rules(id));
    const check = ({ clientAddr }: { readonly clientAddr: string }) =>
      decideBySets(policies, ipOf(clientAddr)) === 'allow' ? null : 'sourceRefused';
    return { guards: [{ name: 'ip_restriction', reads: 'connection', check }] };
  },
};
