/** Requests of the API for rules about an address. */
import type {
  EndpointIPPolicy,
  IPPolicy,
  IPPolicyRule,
  IPPolicyRuleList,
  IPRulesVerdict,
} from '@underpass/client';
import { invalidate } from '../api/cache.ts';
import { ApiError, send } from '../api/http.ts';
import { isCurrent, NEW, type Plan, type Rule, type StoredRule } from './plan.ts';

/** Pages of 100 rules that are read at most. */
const PAGES_MAX = 10;

/** Rejects with ApiError. */
export async function rulesOf(policy: string): Promise<readonly StoredRule[]> {
  const filter = new URLSearchParams({ limit: '100', filter: `ip_policy.id = ${JSON.stringify(policy)}` });
  const rules: StoredRule[] = [];
  let path: string | null = `/ip_policy_rules?${filter}`;
  for (let pages = 0; path !== null && pages < PAGES_MAX; pages++) {
    const { data }: { data: IPPolicyRuleList } = await send<IPPolicyRuleList>({ method: 'GET', path });
    for (const { id, action, cidr } of data.ip_policy_rules)
      rules.push({ id, cidr, action: action === 'deny' ? 'deny' : 'allow' });
    const next: URL | null = data.next_page_uri === null ? null : new URL(data.next_page_uri);
    path = next === null ? null : `${next.pathname}${next.search}`;
  }
  return rules;
}

/** The verdict of policies and rules together. Rejects with ApiError. */
export async function verdictOf(
  ip: string,
  policies: readonly string[],
  rules: readonly Rule[] = [],
): Promise<IPRulesVerdict> {
  const body = { ip, ip_policy_ids: policies, rules };
  return (await send<IPRulesVerdict>({ method: 'POST', path: '/ip_policies/test', body })).data;
}

export interface Done {
  readonly policy: string;
  /** Takes the whole change back. Rejects with ApiError. */
  readonly undo: () => Promise<void>;
}

/** Makes the change. `module`: path at which a new policy is attached. Rejects with ApiError, and nothing has changed then. */
export async function carryOut(plan: Plan, module: string | null): Promise<Done> {
  const done = plan.policy === NEW ? await createPolicy(plan, module) : await addRule(plan);
  changed();
  return {
    policy: done.policy,
    undo: async () => {
      try {
        await done.undo();
      } finally {
        changed();
      }
    },
  };
}

async function addRule(plan: Plan): Promise<Done> {
  const { policy, added, description } = plan;
  if (!isCurrent(plan, await rulesOf(policy)))
    throw new ApiError('The policy was changed meanwhile. Show the difference again.', 412);
  const undos: (() => Promise<void>)[] = [];
  for (const rule of added) undos.unshift(await createRule(policy, rule, description));
  return { policy, undo: () => inTurn(undos) };
}

async function createPolicy({ added, description }: Plan, module: string | null): Promise<Done> {
  const { data } = await send<IPPolicy>({ method: 'POST', path: '/ip_policies', body: { description } });
  const undos = [() => remove(`/ip_policies/${data.id}`)];
  try {
    for (const rule of added) await createRule(data.id, rule, description);
    if (module !== null) undos.unshift(await attach(module, data.id));
  } catch (error) {
    await inTurn(undos);
    throw error;
  }
  return { policy: data.id, undo: () => inTurn(undos) };
}

async function createRule(policy: string, rule: Rule, description: string): Promise<() => Promise<void>> {
  const body = { ip_policy_id: policy, ...rule, description };
  const { data, etag } = await send<IPPolicyRule>({ method: 'POST', path: '/ip_policy_rules', body });
  return () => remove(`/ip_policy_rules/${data.id}`, etag);
}

/** Turns the module on with one policy, if it is the same as before. */
async function attach(path: string, policy: string): Promise<() => Promise<void>> {
  const carrier = path.slice(0, path.lastIndexOf('/'));
  const name = path.slice(carrier.length + 1);
  const before = await send<Readonly<Record<string, EndpointIPPolicy | null>>>({
    method: 'GET',
    path: carrier,
  });
  const module = before.data[name] ?? null;
  if (module !== null && module.ip_policies.length > 0)
    throw new ApiError('Another policy was attached meanwhile. Load the page again.', 412);
  const set = (body: object, ifMatch: string | null) => send({ method: 'PUT', path, body, ifMatch });
  const { etag } = await set({ enabled: true, ip_policy_ids: [policy] }, before.etag);
  return async () => {
    if (module === null) await remove(path, etag);
    else await set({ enabled: module.enabled, ip_policy_ids: [] }, etag);
  };
}

async function remove(path: string, ifMatch: string | null = null): Promise<void> {
  await send({ method: 'DELETE', path, ifMatch });
}

async function inTurn(undos: readonly (() => Promise<void>)[]): Promise<void> {
  for (const undo of undos) await undo();
}

function changed(): void {
  invalidate('/ip_policy_rules', '/ip_policies', '/edges', '/endpoint_configurations', '/names');
}
