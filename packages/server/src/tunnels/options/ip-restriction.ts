/** The option `IPRestriction`: `{"allow_cidrs": [], "deny_cidrs": []}`. What is denied is so whatever is allowed. */
import { isCidrFault, parseCidr } from '../../core/ip/cidr.ts';
import type { IpRule } from '../../core/ip/ip-rules.ts';
import { Problem } from '../../errors/problem.ts';
import type { AgentIpRestriction } from '../../online/agent-modules.ts';
import { malformed, shown, textListField } from './fields.ts';
import type { ModuleOption, OptionContext } from './option.ts';

const maxRanges = 1000;

export const ipRestrictionOption: ModuleOption<AgentIpRestriction> = {
  option: 'IPRestriction',
  asksByPresence: true,
  onBytes: { tls: 'IPRestriction', tcp: 'IPRestriction' },
  fields: ['allow_cidrs', 'deny_cidrs'],
  read(sent, context) {
    const allowed = readRules(sent, 'allow_cidrs', 'allow', context);
    const denied = readRules(sent, 'deny_cidrs', 'deny', context);
    if (allowed.length === 0) throw new Problem(denied.length === 0 ? 'bindRangesMissing' : 'bindDeniesAll');
    return { enabled: true, rules: [...allowed, ...denied] };
  },
};

function readRules(
  sent: object,
  field: string,
  action: IpRule['action'],
  { reading }: OptionContext,
): readonly IpRule[] {
  const ranges = textListField(sent, field, reading);
  if (ranges.length > maxRanges) throw malformed(reading, `${field} has more than ${maxRanges} ranges`);
  return ranges.map((text) => {
    const cidr = parseCidr(text);
    if (isCidrFault(cidr)) throw new Problem('bindCidrInvalid', { value: shown(text) });
    return { action, cidr };
  });
}
