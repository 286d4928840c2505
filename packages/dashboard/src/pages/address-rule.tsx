/** Allows or denies an address: a rule of an IP policy, with its difference first. */
import { type Signal, useSignal } from '@preact/signals';
import type { IPPolicy } from '@underpass/client';
import { announce } from '@underpass/ui/announce.tsx';
import { attempt } from '@underpass/ui/attempt.ts';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { useEffect } from 'preact/hooks';
import { carryOut, type Done, rulesOf, verdictOf } from '../address-rule/calls.ts';
import { type Difference, DifferenceView } from '../address-rule/diff.tsx';
import { FIELDS, RuleForm, type Values } from '../address-rule/form.tsx';
import { loadPlaces, type Place, type Places } from '../address-rule/places.ts';
import { addedRules, decidingPolicy, isThere, NEW } from '../address-rule/plan.ts';
import { isNetwork, rangesOf } from '../address-rule/ranges.ts';
import { useAll } from '../api/all.ts';
import { ApiError } from '../api/http.ts';
import { mayWrite } from '../api/session.ts';
import type { PageProps } from '../page.ts';
import { href, query } from '../router.ts';

export default function AddressRule({ title }: PageProps) {
  const places = useSignal<Places | null>(null);
  const error = useSignal<ApiError | null>(null);
  const stated = (name: string) => query.value.get(name) ?? '';
  const [site, route] = [stated('site'), stated('route')];
  const question = () => JSON.stringify(['site', 'route', 'ip', 'action'].map(stated));
  const asked = question();
  const load = () =>
    into(error, async () => {
      // Without places the form is gone, so a link to another rule starts with a new one.
      places.value = null;
      const found = await loadPlaces(site, route);
      if (question() === asked) places.value = found;
    });
  useEffect(() => void load(), [asked]);
  return (
    <>
      <p class="crumbs">
        <a href={href(['traffic'])}>Traffic</a>
      </p>
      <h1>{title}</h1>
      {!mayWrite() && <Empty title="Viewers only read. A member or an admin can add the rule." />}
      {error.value !== null && <Failure error={error.value} retry={() => void load()} />}
      {places.value === null && error.value === null && <Loading what="IP policies" />}
      {places.value !== null && mayWrite() && <Rule {...places.value} />}
    </>
  );
}

function Rule({ places, remark }: Places) {
  const recorded = query.value.get('ip') ?? '';
  const policies = useAll<IPPolicy>('/ip_policies?limit=100');
  const values = useSignal<Values>({
    address: isNetwork(recorded) ? '' : recorded,
    action: query.value.get('action') === 'deny' ? 'deny' : 'allow',
    ...{ policy: '', range: 0, description: '' },
  });
  const difference = useSignal<{ readonly of: Values; readonly value: Difference } | null>(null);
  const error = useSignal<ApiError | null>(null);
  const done = useSignal<Done | null>(null);
  useEffect(() => {
    const { address } = values.peek();
    const choose = async () => {
      const policy = await preselected(places, address);
      if (values.peek().policy === '') values.value = { ...values.peek(), policy };
    };
    void into(error, choose);
  }, []);
  const show = () =>
    into(error, async () => {
      const of = values.value;
      difference.value = { of, value: await differenceOf(of, places) };
    });
  const apply = ({ plan, place }: Difference) =>
    into(error, async () => {
      done.value = await carryOut(plan, place?.path ?? null);
      announce('The rule was added');
    });
  const current = difference.value?.of === values.value ? difference.value.value : null;
  if (done.value !== null)
    return (
      <Result
        done={done.value}
        close={() => {
          done.value = null;
          difference.value = null;
        }}
      />
    );
  const { value: fault } = error;
  return (
    <section class="tester card" aria-label="Rule">
      {remark !== '' && <p class="remark">{remark}</p>}
      <RuleForm
        {...{ values, places, recorded, policies: policies.rows, error: fault }}
        submit={() => void show()}
      />
      {policies.error !== null && <Failure error={policies.error} retry={policies.refresh} />}
      {fault !== null && !FIELDS.some((field) => field === fault.field) && <Failure error={fault} />}
      {current !== null && (
        <section aria-label="Difference">
          <DifferenceView difference={current} />
          {current.plan.added.length === 0 ? (
            <p>The policy has this rule already.</p>
          ) : (
            <button type="button" class="primary" onClick={() => void apply(current)}>
              {current.plan.policy === NEW ? 'Create the policy' : 'Add the rule'}
            </button>
          )}
        </section>
      )}
    </section>
  );
}

function Result({ done, close }: { readonly done: Done; readonly close: () => void }) {
  const undo = () =>
    attempt(async () => {
      await done.undo();
      announce('The rule was taken back');
      close();
    });
  return (
    <section class="card" aria-label="Result">
      <p>
        The rule is in effect. <a href={href(['access', 'ip-policies', done.policy])}>The policy</a>
      </p>
      <button type="button" onClick={() => void undo()}>
        Undo
      </button>
    </section>
  );
}

/** The policy that decides about the address now, or else one that is attached; '' for none. */
async function preselected(places: readonly Place[], address: string): Promise<string> {
  const active = places.filter(({ isOn, policies }) => isOn && policies.length > 0);
  const own = places.find(({ path }) => path !== null);
  const usual = own === undefined ? (active[0]?.policies[0] ?? '') : (own.policies[0] ?? NEW);
  if (rangesOf(address).length === 0) return usual;
  const verdicts = [];
  for (const { policies } of active) verdicts.push(await verdictOf(address, policies));
  // An address that is refused nowhere is decided at the place of the request.
  const isRefused = verdicts.some(({ outcome }) => outcome === 'denied');
  return own?.policies.length === 0 && !isRefused ? NEW : (decidingPolicy(verdicts) ?? usual);
}

/** Rejects with ApiError. */
async function differenceOf(values: Values, places: readonly Place[]): Promise<Difference> {
  const { address, action, policy, range, description } = values;
  const cidr = rangesOf(address)[range]?.cidr ?? address;
  const rule = { action, cidr };
  const isNew = policy === NEW;
  const before = isNew ? [] : await rulesOf(policy);
  const added = isThere(before, rule) ? [] : addedRules(policy, rule);
  const place =
    places.find((one) =>
      isNew ? one.path !== null && one.policies.length === 0 : one.policies.includes(policy),
    ) ?? null;
  const policies = isNew ? [] : (place?.policies ?? [policy]);
  return {
    ...{ action, place, plan: { policy, before, added, description } },
    now: isNew ? null : await verdictOf(address, policies),
    after: await verdictOf(address, policies, added),
  };
}

/** Keeps the error of an action; null after a success. */
async function into(error: Signal<ApiError | null>, act: () => Promise<void>): Promise<void> {
  try {
    await act();
    error.value = null;
  } catch (cause) {
    error.value = cause instanceof ApiError ? cause : new ApiError(String(cause), 0);
  }
}
