/** Tests whether a credential, or rules by value, permit a bind, and shows the reason. */
import { useSignal } from '@preact/signals';
import type { BindRulesVerdict, Credential } from '@underpass/client';
import { Failure } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { ApiError, send } from '../api/http.ts';
import { query, setQuery } from '../router.ts';

type Offered = Pick<Credential, 'id' | 'description'>;

/** The address keeps the credential and the bind. */
export function BindTester({ credentials }: { readonly credentials: readonly Offered[] }) {
  const credential = query.value.get('credential') ?? '';
  const bind = query.value.get('bind') ?? '';
  const rules = useSignal('');
  const verdict = useSignal<BindRulesVerdict | null>(null);
  const error = useSignal<ApiError | null>(null);
  const change = (to: Readonly<Record<string, string>>) => {
    setQuery(to);
    verdict.value = null;
  };
  const test = async () => {
    const by = credential === '' ? { acl: rules.value.split(/[\s,]+/).filter(Boolean) } : {};
    const body = { ...by, ...(credential === '' ? {} : { credential_id: credential }), bind };
    error.value = null;
    try {
      verdict.value = (
        await send<BindRulesVerdict>({ method: 'POST', path: '/credentials/test', body })
      ).data;
    } catch (cause) {
      verdict.value = null;
      error.value = cause instanceof ApiError ? cause : new ApiError(String(cause), 0);
    }
  };
  return (
    <section class="tester card" aria-label="Test a bind">
      <h2>Would it bind?</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void test();
        }}
      >
        <label>
          Credential
          <input
            list="tested-credentials"
            autocomplete="off"
            spellcheck={false}
            placeholder="none: rules by value"
            value={credential}
            onInput={(event) => change({ credential: event.currentTarget.value.trim() })}
          />
          <datalist id="tested-credentials">
            {credentials.map(({ id, description }) => (
              <option key={id} value={id}>
                {description}
              </option>
            ))}
          </datalist>
        </label>
        {credential === '' && (
          <label>
            Rules
            <input
              spellcheck={false}
              placeholder="bind:*.example.com"
              value={rules.value}
              onInput={(event) => (rules.value = event.currentTarget.value)}
            />
          </label>
        )}
        <label>
          Bind
          <input
            required
            spellcheck={false}
            placeholder="shop.example.com or tcp://"
            value={bind}
            onInput={(event) => change({ bind: event.currentTarget.value })}
          />
        </label>
        <button type="submit" class="primary">
          Test
        </button>
      </form>
      <div role="status">{verdict.value !== null && <Verdict {...verdict.value} />}</div>
      {error.value !== null && <Failure error={error.value} />}
    </section>
  );
}

function Verdict({ outcome, why, error_code: code }: BindRulesVerdict) {
  return (
    <p class="verdict">
      <Status kind={outcome === 'permitted' ? 2 : 5}>{outcome}</Status> {why}{' '}
      {code !== '' && <span class="remark">{code}</span>}
    </p>
  );
}
