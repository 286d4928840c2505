/** Shows what an address gets by all IP policies and IP restrictions of the account. */
import { useSignal } from '@preact/signals';
import type { IPRestriction, IPRestrictionList, IPRulesVerdict } from '@underpass/client';
import { Failure } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { ApiError, send } from '../api/http.ts';
import { href, query, setQuery } from '../router.ts';

type Rule = IPRulesVerdict['rule'];

interface Line {
  readonly id: string;
  readonly name: string;
  readonly to: string;
  readonly outcome: string;
  readonly rule: Rule;
  readonly remark: string;
}

/** Restrictions that are tested at most: each costs one request. */
const RESTRICTIONS_MAX = 20;

/** The address of the page keeps the tested address. */
export function AddressTester() {
  const ip = query.value.get('ip') ?? '';
  const lines = useSignal<readonly Line[] | null>(null);
  const error = useSignal<ApiError | null>(null);
  const test = async () => {
    error.value = null;
    lines.value = null;
    try {
      lines.value = [...(await byRestrictions(ip)), ...(await byPolicies(ip))];
    } catch (cause) {
      error.value = cause instanceof ApiError ? cause : new ApiError(String(cause), 0);
    }
  };
  return (
    <section class="tester card" aria-label="Test an address">
      <h2>What does an address get?</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void test();
        }}
      >
        <label>
          Address
          <input
            required
            spellcheck={false}
            autocomplete="off"
            placeholder="203.0.113.9"
            value={ip}
            onInput={(event) => {
              setQuery({ ip: event.currentTarget.value.trim() });
              lines.value = null;
            }}
          />
        </label>
        <button type="submit" class="primary">
          Test
        </button>
      </form>
      <ul role="status" aria-label="Verdicts">
        {lines.value?.map((line) => (
          <Verdict key={line.id} {...line} />
        ))}
        {lines.value?.length === 0 && <li>No policy or restriction exists: no rule concerns it.</li>}
      </ul>
      {error.value !== null && <Failure error={error.value} />}
    </section>
  );
}

function Verdict({ name, to, outcome, rule, remark }: Omit<Line, 'id'>) {
  return (
    <li class="verdict">
      <Status kind={outcome === 'allowed' ? 2 : 5}>{outcome}</Status> by <a href={to}>{name}</a>
      {': '}
      {rule === null ? 'no rule matches' : `${rule.action} ${rule.cidr}`}{' '}
      {remark !== '' && <span class="remark">{remark}</span>}
    </li>
  );
}

async function byPolicies(ip: string): Promise<readonly Line[]> {
  const { policies, policies_left_out: leftOut } = await verdictOf(ip, []);
  return policies.map(({ ip_policy: { id }, description, outcome, rule }, at) => ({
    ...{ id, name: description || id, to: href(['access', 'ip-policies', id]), outcome, rule },
    remark: leftOut > 0 && at === policies.length - 1 ? `${leftOut} more policies are not shown` : '',
  }));
}

/** A restriction is the verdict of its policies together. */
async function byRestrictions(ip: string): Promise<readonly Line[]> {
  const { data } = await send<IPRestrictionList>({
    ...{ method: 'GET', path: `/ip_restrictions?limit=${RESTRICTIONS_MAX}` },
  });
  const lines: Line[] = [];
  for (const one of data.ip_restrictions) lines.push(await byRestriction(ip, one));
  return lines;
}

async function byRestriction(ip: string, { id, type, enforced, ip_policies }: IPRestriction): Promise<Line> {
  const ids = ip_policies.map((policy) => policy.id);
  // Without ids the API would test all policies.
  const { outcome, rule } = ids.length === 0 ? { outcome: 'denied', rule: null } : await verdictOf(ip, ids);
  return {
    ...{ id, name: `restriction of ${type}`, to: href(['resources', 'ip_restriction', id]) },
    ...{ outcome, rule, remark: enforced ? '' : 'not enforced: it only logs' },
  };
}

async function verdictOf(ip: string, ids: readonly string[]): Promise<IPRulesVerdict> {
  const body = { ip, ip_policy_ids: ids };
  return (await send<IPRulesVerdict>({ method: 'POST', path: '/ip_policies/test', body })).data;
}
