/** Creates the credential of a new agent by a button, and shows the commands for its machine. */
import { type Signal, useSignal } from '@preact/signals';
import type { Credential } from '@underpass/client';
import { attempt } from '@underpass/ui/attempt.ts';
import { Copy } from '@underpass/ui/copy.tsx';
import { Failure, Loading } from '@underpass/ui/states.tsx';
import { useGet } from '../api/cache.ts';
import { ApiError, send } from '../api/http.ts';
import { type Joining, MACHINES, type Machine, stepsOf } from './join.ts';
import { Wait } from './wait.tsx';

/** The created credential, whose token is shown once, and the name that it may bind. */
export interface Made {
  readonly id: string;
  readonly token: string;
  readonly name: string;
}

/** `made`: kept by the page, which shows it for as long as it likes. */
export function NewAgent({ made }: { made: Signal<Made | null> }) {
  const machine = useSignal<Machine>('Linux');
  const name = useSignal('');
  const joining = useGet<Joining | null>('/join.json');
  const fault = useSignal('');
  const create = () =>
    attempt(async () => {
      fault.value = '';
      const wanted = name.value.trim();
      const body = {
        description: `Agent of ${wanted === '' ? 'any name' : wanted}`,
        ...(wanted === '' ? {} : { acl: [`bind:${wanted}`] }),
      };
      try {
        const { data } = await send<Credential>({ method: 'POST', path: '/credentials', body });
        made.value = { id: data.id, token: data.token ?? '', name: wanted };
      } catch (error) {
        if (!(error instanceof ApiError) || !error.field.startsWith('/acl')) throw error;
        fault.value = error.message;
      }
    });
  return (
    <>
      <form
        class="filters"
        aria-label="Agent"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <label>
          This machine is
          <select
            value={machine.value}
            onChange={(event) => {
              machine.value = event.currentTarget.value as Machine;
            }}
          >
            {MACHINES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label class="wide">
          It may bind
          <input
            value={name.value}
            placeholder="demo.example.com, or nothing for any name"
            disabled={made.value !== null}
            aria-invalid={fault.value !== ''}
            aria-describedby="bind-fault"
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit" class="primary" disabled={made.value !== null}>
          Create the credential
        </button>
      </form>
      <p id="bind-fault" class="fault" role="status">
        {fault.value}
      </p>
      {joining.error.value !== null && (
        <Failure error={joining.error.value} retry={() => void joining.refresh()} />
      )}
      {joining.data.value === undefined && joining.error.value === null && <Loading what="the service" />}
      {joining.data.value === null && <p>The addresses of the service are not known yet. Reload the page.</p>}
      {made.value === null && <p>The commands for the machine appear when the credential exists.</p>}
      {made.value !== null && joining.data.value && (
        <Commands machine={machine.value} joining={joining.data.value} made={made.value} />
      )}
    </>
  );
}

interface CommandsParts {
  readonly machine: Machine;
  readonly joining: Joining;
  readonly made: Made;
}

function Commands({ machine, joining, made }: CommandsParts) {
  return (
    <section class="related" aria-label="Commands">
      <h2>Token</h2>
      <p>It is shown once. The login reads it from a prompt; Docker and programs from UNDERPASS_AUTHTOKEN.</p>
      <Command what="token" text={made.token} />
      <h2>Paste on the machine</h2>
      {stepsOf(machine, joining, made.name).map((step) => (
        <Command key={step} what="command" text={step} />
      ))}
      <Wait credential={made.id} />
    </section>
  );
}

/** A text to copy, whose long lines scroll. */
export function Command({ what, text }: { what: string; text: string }) {
  return (
    <p class="command scrolls">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it, too. */}
      <code tabIndex={0}>{text}</code> <Copy what={what} text={text} />
    </p>
  );
}
