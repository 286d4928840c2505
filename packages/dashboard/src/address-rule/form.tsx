/** The form of a rule about an address: policy, action, address and range. */
import type { Signal } from '@preact/signals';
import type { IPPolicy } from '@underpass/client';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { ApiError } from '../api/http.ts';
import type { Place } from './places.ts';
import { type Action, NEW } from './plan.ts';
import { isNetwork, rangesOf } from './ranges.ts';

export interface Values {
  readonly address: string;
  readonly action: Action;
  /** Id of the policy, or `new`; '' until it is chosen. */
  readonly policy: string;
  /** The place of the chosen range among those of the address. */
  readonly range: number;
  readonly description: string;
}

interface FormParts {
  readonly values: Signal<Values>;
  readonly places: readonly Place[];
  readonly policies: readonly IPPolicy[];
  /** The address in the record of the request; a network if the whole address is not known. */
  readonly recorded: string;
  readonly error: ApiError | null;
  readonly submit: () => void;
}

export function RuleForm({ values, places, policies, recorded, error, submit }: FormParts) {
  const { address, action, policy, range, description } = values.value;
  const set = (changes: Partial<Values>) => {
    values.value = { ...values.value, ...changes };
  };
  const ranges = rangesOf(address);
  return (
    <form
      aria-label="Rule"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="Address" error={faultAt(error, '/ip')}>
        {(field) => (
          <input
            {...field}
            required
            spellcheck={false}
            autocomplete="off"
            placeholder="203.0.113.9"
            value={address}
            onInput={(event) => set({ address: event.currentTarget.value.trim() })}
          />
        )}
      </Field>
      <Field label="Range" error={faultAt(error, '/cidr', '/rules/0/cidr')}>
        {(field) => (
          <select
            {...field}
            value={range}
            onChange={(event) => set({ range: Number(event.currentTarget.value) })}
          >
            {ranges.map(({ cidr, label }, at) => (
              <option key={cidr} value={at}>{`${cidr} (${label})`}</option>
            ))}
            {ranges.length === 0 && <option value={0}>this address only</option>}
          </select>
        )}
      </Field>
      <Field label="Action" error="">
        {(field) => (
          <select
            {...field}
            value={action}
            onChange={(event) => set({ action: event.currentTarget.value === 'deny' ? 'deny' : 'allow' })}
          >
            <option value="allow">allow</option>
            <option value="deny">deny</option>
          </select>
        )}
      </Field>
      <Field label="IP policy" error={faultAt(error, '/ip_policy_id', '/ip_policy_ids')}>
        {(field) => (
          <select
            {...field}
            required
            value={policy}
            onChange={(event) => set({ policy: event.currentTarget.value })}
          >
            <option value="" disabled>
              Choose a policy
            </option>
            <Policies places={places} policies={policies} />
          </select>
        )}
      </Field>
      <Field label="Description" error={faultAt(error, '/description')}>
        {(field) => (
          <input
            {...field}
            value={description}
            onInput={(event) => set({ description: event.currentTarget.value })}
          />
        )}
      </Field>
      <button type="submit" class="primary">
        Show the difference
      </button>
      {isNetwork(recorded) && (
        <p class="remark">
          The request log has only the network {recorded} of the visitor. Enter the whole address. The
          operator can have whole addresses recorded: <code>--request-log full</code>.
        </p>
      )}
    </form>
  );
}

function Policies({ places, policies }: Pick<FormParts, 'places' | 'policies'>) {
  const nameOf = (id: string) => policies.find((policy) => policy.id === id)?.description || id;
  const attached = new Set(places.flatMap((place) => place.policies));
  const others = policies.filter(({ id }) => !attached.has(id));
  return (
    <>
      {places.map(
        (place, at) =>
          place.policies.length > 0 && (
            <optgroup key={at} label={`Decides at ${place.title}`}>
              {place.policies.map((id) => (
                <option key={id} value={id}>
                  {nameOf(id)}
                </option>
              ))}
            </optgroup>
          ),
      )}
      {places.map(
        ({ path, title, policies: own }) =>
          path !== null &&
          own.length === 0 && <option key={NEW} value={NEW}>{`a new policy, attached to ${title}`}</option>,
      )}
      {others.length > 0 && (
        <optgroup label="Others of the account">
          {others.map(({ id }) => (
            <option key={id} value={id}>
              {nameOf(id)}
            </option>
          ))}
        </optgroup>
      )}
    </>
  );
}

interface FieldParts {
  readonly label: string;
  /** '' for none. */
  readonly error: string;
  readonly children: (field: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string;
  }) => ComponentChildren;
}

function Field({ label, error, children }: FieldParts) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-invalid': error !== '', 'aria-describedby': `${id}-fault` })}
      <span id={`${id}-fault`} class={error === '' ? '' : 'fault'}>
        {error}
      </span>
    </div>
  );
}

/** Message of an error that belongs to one of these fields; '' for none. */
function faultAt(error: ApiError | null, ...fields: readonly string[]): string {
  return error !== null && fields.includes(error.field) ? error.message : '';
}

/** Fields of the form. Other errors are shown below it. */
export const FIELDS = [
  ...['/ip', '/cidr', '/rules/0/cidr', '/ip_policy_id', '/ip_policy_ids', '/description'],
] as const;
