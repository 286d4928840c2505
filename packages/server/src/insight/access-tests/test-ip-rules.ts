/** Answers `POST /ip_policies/test`. */
import { isCidrFault, parseCidr } from '../../core/ip/cidr.ts';
import { formatIpAddress, type IpAddress, parseIpAddress } from '../../core/ip/ip-address.ts';
import { decidingRule, type IpRule } from '../../core/ip/ip-rules.ts';
import type { DocumentStore, StoredDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { ShowContext } from '../../resources/definition.ts';
import { canonicalCidr } from '../../resources/kinds/ip-policy-rule.ts';
import { everyDocument } from '../../resources/list.ts';
import { MOST_POLICIES } from '../../resources/standalone/access-tests.ts';
import type { StandaloneCall } from '../../resources/standalone/definition.ts';
import type { JsonObject } from '../../store/store.ts';

export interface TestIpRulesOptions {
  readonly store: Pick<DocumentStore, 'get' | 'page'>;
  readonly ref: ShowContext['ref'];
}

type Body = {
  readonly ip: string;
  readonly ip_policy_ids?: readonly string[];
  readonly rules?: readonly { readonly action: 'allow' | 'deny'; readonly cidr: string }[];
};

interface TestedRule extends IpRule {
  /** '' for one by value. */
  readonly id: string;
}

type Policy = StoredDocument<'ip_policy'>;

/** Raises Problem. */
export async function testIpRules(
  { store, ref }: TestIpRulesOptions,
  { principal, body }: StandaloneCall,
): Promise<JsonObject> {
  const { ip, ip_policy_ids: ids = [], rules: given = [] } = body as Body;
  const address = parseIpAddress(ip);
  if (address === null)
    throw new Problem('testedAddressMalformed', { field: '/ip', value: ip }, { field: '/ip' });
  const byValue = given.map((rule, at) =>
    parsed('', rule.action, canonicalCidr(rule.cidr, `/rules/${at}/cidr`)),
  );
  const isAll = ids.length === 0 && given.length === 0;
  const { account } = principal;
  const tested = isAll ? everyDocument(store, account, 'ip_policy') : policiesOf(store, account, ids);
  const all: TestedRule[] = [...byValue];
  const policies: JsonObject[] = [];
  let leftOut = 0;
  for await (const { id, body: policy } of tested) {
    const rule = await decidingIn(store, account, id, address);
    // Only the rule that decides in a policy can decide among all.
    if (rule !== null) all.push(rule);
    if (policies.length === MOST_POLICIES) leftOut += 1;
    else policies.push({ ip_policy: ref(id), description: policy.description, ...verdict(rule) });
  }
  const deciding = decidingRule(all, address);
  return {
    ...{ ip: formatIpAddress(address), ...verdict(deciding), why: reason(deciding, isAll) },
    ...{ policies, policies_left_out: leftOut },
  };
}

async function* policiesOf(
  store: Pick<DocumentStore, 'get'>,
  account: string,
  ids: readonly string[],
): AsyncGenerator<Policy> {
  for (const id of new Set(ids)) {
    const document = await store.get(id);
    if (document?.kind !== 'ip_policy' || document.account !== account)
      throw new Problem('ipPolicyUnknown', { id }, { field: '/ip_policy_ids' });
    yield document;
  }
}

/** Returns the rule of a policy that decides. Of many rules it keeps one. */
async function decidingIn(
  store: Pick<DocumentStore, 'page'>,
  account: string,
  policy: string,
  address: IpAddress,
): Promise<TestedRule | null> {
  let deciding: TestedRule | null = null;
  for await (const { id, body } of everyDocument(store, account, 'ip_policy_rule', policy)) {
    const rule = parsed(id, body.action, body.cidr);
    deciding = decidingRule(deciding === null ? [rule] : [deciding, rule], address);
    if (deciding?.action === 'deny') break;
  }
  return deciding;
}

function parsed(id: string, action: 'allow' | 'deny', text: string): TestedRule {
  const cidr = parseCidr(text);
  if (isCidrFault(cidr)) throw new Error(`the rule ${id} has a range that is none: ${text}`);
  return { id, action, cidr };
}

function verdict(rule: TestedRule | null): JsonObject {
  return {
    outcome: rule?.action === 'allow' ? 'allowed' : 'denied',
    rule: rule === null ? null : { rule_id: rule.id, action: rule.action, cidr: rule.cidr.text },
  };
}

function reason(rule: TestedRule | null, isAll: boolean): string {
  if (rule === null) return isAll ? 'No rule of the account matches.' : 'No rule matches, so it is denied.';
  const which = rule.action === 'allow' ? 'allows it, and no deny rule matches' : 'denies it';
  return `The rule for ${rule.cidr.text} ${which}.`;
}
