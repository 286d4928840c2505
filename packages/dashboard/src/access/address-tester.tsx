/** Shows what an address gets by all IP policies and IP restrictions of the account. */
import { useSignal } from '@preact/signals';
import { Failure } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { ApiError } from '../api/http.ts';
import { href, query, setQuery } from '../router.ts';
import { begin, proceed, type Tested, type VerdictLine } from './address-verdicts.ts';

/** The address of the page keeps the tested address. */
export function AddressTester() {
  const ip = query.value.get('ip') ?? '';
  const tested = useSignal<Tested | null>(null);
  const error = useSignal<ApiError | null>(null);
  const isTesting = useSignal(false);
  const run = async (act: () => Promise<Tested>) => {
    if (isTesting.value) return;
    isTesting.value = true;
    error.value = null;
    try {
      const result = await act();
      // The user may have typed another address meanwhile.
      if (result.ip === (query.value.get('ip') ?? '')) tested.value = result;
    } catch (cause) {
      error.value = cause instanceof ApiError ? cause : new ApiError(String(cause), 0);
    } finally {
      isTesting.value = false;
    }
  };
  return (
    <section class="tester card" aria-label="Test an address">
      <h2>What does an address get?</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          tested.value = null;
          void run(() => begin(ip));
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
              tested.value = null;
            }}
          />
        </label>
        <button type="submit" class="primary">
          Test
        </button>
      </form>
      <ul aria-label="Verdicts">
        {tested.value?.lines.map((line) => (
          <Verdict key={line.id} {...line} />
        ))}
      </ul>
      <div role="status">{tested.value !== null && <Coverage tested={tested.value} />}</div>
      {tested.value !== null && tested.value.left > 0 && (
        <button
          type="button"
          onClick={() => {
            const { value: before } = tested;
            if (before !== null) void run(() => proceed(before));
          }}
        >
          Test the next policies
        </button>
      )}
      {error.value !== null && <Failure error={error.value} />}
    </section>
  );
}

/** States the parts of the account that the verdicts cover. */
function Coverage({ tested: { lines, left, ip } }: { readonly tested: Tested }) {
  return (
    <p class="remark">
      {lines.length === 0 && 'No policy or restriction exists: no rule concerns it. '}
      {lines.length > 0 && left === 0 && 'These are all policies and all restrictions of the account. '}
      {left === 1 && '1 older policy is not tested yet. '}
      {left > 1 && `${left} older policies are not tested yet. `}
      Modules of edges are not in this test: <a href={href(['explain'], { ip })}>Explain</a> tests a whole
      request.
    </p>
  );
}

function Verdict({ name, to, outcome, rule, remark }: Omit<VerdictLine, 'id'>) {
  return (
    <li class="verdict">
      <Status kind={outcome === 'allowed' ? 2 : 5}>{outcome}</Status> by <a href={to}>{name}</a>
      {': '}
      {rule === null ? 'no rule matches' : `${rule.action} ${rule.cidr}`}{' '}
      {remark !== '' && <span class="remark">{remark}</span>}
    </li>
  );
}
