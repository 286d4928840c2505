/** One IP policy: its rules, a form that adds one, and what uses it. */
import { useSignal } from '@preact/signals';
import type { IPPolicy, IPPolicyRule } from '@underpass/client';
import { announce } from '@underpass/ui/announce.tsx';
import { Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import type { Column } from '@underpass/ui/table.tsx';
import { useEffect } from 'preact/hooks';
import { invalidate, useGet } from '../api/cache.ts';
import { ApiError, send } from '../api/http.ts';
import { useList } from '../api/list.ts';
import { loadReference, useReference } from '../api/reference.ts';
import { mayWrite } from '../api/session.ts';
import { kindNamed } from '../resources/kinds.ts';
import { UsedByOthers } from '../resources/related.tsx';
import { href } from '../router.ts';
import { DeleteRow } from './delete-row.tsx';
import { Head } from './parts.tsx';
import { Rows } from './rows.tsx';

const COLUMNS: readonly Column<IPPolicyRule>[] = [
  {
    ...{ name: 'Action', width: '5em' },
    cell: ({ action }) => <Status kind={action === 'allow' ? 2 : 5}>{action}</Status>,
  },
  { name: 'Range', width: 'minmax(0, 1fr)', cell: ({ cidr }) => <code>{cidr}</code> },
  { name: 'Description', width: 'minmax(0, 2fr)', cell: (row) => row.description || '—', isWide: true },
  {
    ...{ name: 'Actions', width: '5.5em', align: 'end' },
    cell: ({ action, cidr, id }) => <DeleteRow name={`${action} ${cidr}`} path={`/ip_policy_rules/${id}`} />,
  },
];

export function IpPolicyPage({ id }: { readonly id: string }) {
  const path = `/ip_policies/${encodeURIComponent(id)}`;
  const policy = useGet<IPPolicy>(path);
  const filter = new URLSearchParams({ limit: '100', filter: `ip_policy.id = ${JSON.stringify(id)}` });
  const rules = useList<IPPolicyRule>(`/ip_policy_rules?${filter}`);
  const { reference, error } = useReference();
  const row = policy.data.value;
  // A page of a filtered list can be empty although more follows.
  useEffect(() => {
    if (rules.rows.length === 0) rules.more?.();
  }, [rules.rows.length, rules.more === undefined]);
  const fault = row === undefined ? policy.error.value : error;
  if (fault !== null) {
    const retry = () => {
      void policy.refresh();
      void loadReference();
    };
    return (
      <>
        <Head title={id} />
        <Failure error={fault} retry={retry} />
      </>
    );
  }
  if (row === undefined) return <Loading what={id} />;
  const kind = reference === null ? null : kindNamed(reference, 'ip_policy');
  return (
    <>
      <Head title={row.description || id}>
        <a class="button" href={href(['resources', 'ip_policy', id])}>
          {mayWrite() ? 'Edit' : 'All fields'}
        </a>
      </Head>
      {mayWrite() && <AddRule policy={id} />}
      <Rows {...{ list: rules, label: 'Rules', columns: COLUMNS }} nothing="It has no rule: it denies all." />
      {reference !== null && kind !== null && <UsedByOthers {...{ reference, kind, path }} />}
    </>
  );
}

function AddRule({ policy }: { readonly policy: string }) {
  const action = useSignal('allow');
  const cidr = useSignal('');
  const description = useSignal('');
  const error = useSignal<ApiError | null>(null);
  const add = async () => {
    error.value = null;
    const body = {
      ...{ ip_policy_id: policy, action: action.value, cidr: cidr.value.trim() },
      description: description.value,
    };
    try {
      await send({ method: 'POST', path: '/ip_policy_rules', body });
      invalidate('/ip_policy_rules');
      announce(`Added ${body.action} ${body.cidr}`);
      cidr.value = '';
      description.value = '';
    } catch (cause) {
      error.value = cause instanceof ApiError ? cause : new ApiError(String(cause), 0);
    }
  };
  return (
    <section class="tester card" aria-label="Add a rule">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label>
          Action
          <select value={action.value} onChange={(event) => (action.value = event.currentTarget.value)}>
            <option value="allow">allow</option>
            <option value="deny">deny</option>
          </select>
        </label>
        <label>
          Range
          <input
            required
            spellcheck={false}
            placeholder="192.0.2.0/24"
            value={cidr.value}
            onInput={(event) => (cidr.value = event.currentTarget.value)}
          />
        </label>
        <label>
          Description
          <input
            value={description.value}
            onInput={(event) => (description.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Add rule
        </button>
      </form>
      {error.value !== null && <Failure error={error.value} />}
    </section>
  );
}
