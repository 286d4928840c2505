/** Adds an agent: a credential, the commands to paste, and the wait until its URL responds. */
import { useSignal } from '@preact/signals';
import type { Credential, NameEntry, TrafficRequest } from '@underpass/client';
import { attempt } from '@underpass/ui/attempt.ts';
import { Copy } from '@underpass/ui/copy.tsx';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { useGet } from '../api/cache.ts';
import { send } from '../api/http.ts';
import { mayWrite } from '../api/session.ts';
import { type Joining, MACHINES, type Machine, stepsOf } from '../home/join.ts';
import { href } from '../router.ts';
import { useRefresh } from '../traffic/refresh.ts';

/** Milliseconds between two looks for the agent. */
const LOOK_MS = 1_500;

/** The created credential, whose token is shown once, and the name that it may bind. */
interface Made {
  readonly token: string;
  readonly name: string;
}

export default function AddAgent() {
  const machine = useSignal<Machine>('Linux');
  const name = useSignal('');
  const made = useSignal<Made | null>(null);
  const joining = useGet<Joining | null>('/join.json');
  const create = () =>
    attempt(async () => {
      const wanted = name.value.trim();
      const body = {
        description: `Agent of ${wanted === '' ? 'any name' : wanted}`,
        ...(wanted === '' ? {} : { acl: [`bind:${wanted}`] }),
      };
      const { data } = await send<Credential>({ method: 'POST', path: '/credentials', body });
      made.value = { token: data.token ?? '', name: wanted };
    });
  if (!mayWrite()) return <OnlyReads />;
  return (
    <>
      <h1>Add an agent</h1>
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
        <label>
          It may bind
          <input
            value={name.value}
            placeholder="demo.example.com, or nothing for any name"
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit" class="primary" disabled={made.value !== null}>
          Create the credential
        </button>
      </form>
      {joining.error.value !== null && (
        <Failure error={joining.error.value} retry={() => void joining.refresh()} />
      )}
      {joining.data.value === undefined && joining.error.value === null && <Loading what="the service" />}
      {joining.data.value !== undefined && joining.data.value !== null && (
        <Commands
          machine={machine.value}
          joining={joining.data.value}
          made={made.value}
          name={name.value.trim()}
        />
      )}
    </>
  );
}

function OnlyReads() {
  return (
    <>
      <h1>Add an agent</h1>
      <Empty title="Viewers cannot create credentials. Contact an admin." />
    </>
  );
}

interface CommandsParts {
  readonly machine: Machine;
  readonly joining: Joining;
  readonly made: Made | null;
  readonly name: string;
}

function Commands({ machine, joining, made, name }: CommandsParts) {
  return (
    <section class="related" aria-label="Commands">
      {made !== null && (
        <>
          <h2>Token</h2>
          <p>It is shown once. The login asks for it; programs read UNDERPASS_AUTHTOKEN.</p>
          <p class="command">
            <code>{made.token}</code> <Copy what="token" text={made.token} />
          </p>
        </>
      )}
      <h2>Paste on the machine</h2>
      {stepsOf(machine, joining, made?.name ?? name).map((step) => (
        <p key={step} class="command">
          <code>{step}</code> <Copy what="command" text={step} />
        </p>
      ))}
      {made !== null && <Wait name={made.name} />}
    </section>
  );
}

/** Looks for the agent until it serves the name, and for the first response. */
function Wait({ name }: { name: string }) {
  const search = name === '' ? 'filter=served_by%20%3D%20agent' : `name=${encodeURIComponent(name)}`;
  const names = useGet<{ readonly names: readonly NameEntry[] }>(`/names?limit=1&${search}`);
  const entry = names.data.value?.names.find((one) => one.agents > 0);
  const served = entry === undefined ? '' : `host = "${new URL(entry.url).hostname}"`;
  const requests = useGet<{ readonly requests: readonly TrafficRequest[] }>(
    served === '' ? null : `/traffic/requests?limit=1&filter=${encodeURIComponent(served)}`,
  );
  useRefresh(() => {
    void names.refresh();
    if (served !== '') void requests.refresh();
  }, LOOK_MS);
  const last = requests.data.value?.requests[0];
  return (
    <p role="status">
      {entry === undefined && <Status kind="none">○ waiting for your agent…</Status>}
      {entry !== undefined && (
        <>
          <Status kind={2}>● online</Status> <a href={href(['names', entry.name])}>{entry.name}</a>{' '}
          <a href={entry.url} target="_blank" rel="noreferrer">
            Open {entry.url}
          </a>{' '}
          {last === undefined && 'Open it: the first response appears here.'}
          {last !== undefined && (
            <Status kind={Math.floor(last.status_code / 100)}>answers {last.status_code}</Status>
          )}
        </>
      )}
    </p>
  );
}
