/** Adds an agent: a credential, the commands to paste, and the wait until its URL responds. */
import { useSignal } from '@preact/signals';
import type { Credential, TrafficRequest, Tunnel, TunnelSession } from '@underpass/client';
import { attempt } from '@underpass/ui/attempt.ts';
import { Copy } from '@underpass/ui/copy.tsx';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { useGet } from '../api/cache.ts';
import { ApiError, send } from '../api/http.ts';
import { mayWrite } from '../api/session.ts';
import { type Joining, MACHINES, type Machine, stepsOf } from '../home/join.ts';
import { href } from '../router.ts';
import { useRefresh } from '../traffic/refresh.ts';

/** Milliseconds between two looks for the agent. */
const LOOK_MS = 1_500;

/** The created credential, whose token is shown once, and the name that it may bind. */
interface Made {
  readonly id: string;
  readonly token: string;
  readonly name: string;
}

export default function AddAgent() {
  const machine = useSignal<Machine>('Linux');
  const name = useSignal('');
  const made = useSignal<Made | null>(null);
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
  readonly made: Made;
}

function Commands({ machine, joining, made }: CommandsParts) {
  return (
    <section class="related" aria-label="Commands">
      <h2>Token</h2>
      <p>It is shown once. The login reads it from a prompt; Docker and programs from UNDERPASS_AUTHTOKEN.</p>
      <p class="command">
        <code>{made.token}</code> <Copy what="token" text={made.token} />
      </p>
      <h2>Paste on the machine</h2>
      {stepsOf(machine, joining, made.name).map((step) => (
        <p key={step} class="command">
          <code>{step}</code> <Copy what="command" text={step} />
        </p>
      ))}
      <Wait credential={made.id} />
    </section>
  );
}

interface Sessions {
  readonly tunnel_sessions: readonly TunnelSession[];
}
interface Tunnels {
  readonly tunnels: readonly Tunnel[];
}
interface Requests {
  readonly requests: readonly TrafficRequest[];
}

/** Looks for an agent with this credential, for its tunnel, and for a response of that tunnel. */
function Wait({ credential }: { credential: string }) {
  const sessions = useGet<Sessions>(listPath('/tunnel_sessions', 'credential.id', credential));
  const session = sessions.data.value?.tunnel_sessions[0];
  const tunnels = useGet<Tunnels>(session ? listPath('/tunnels', 'tunnel_session.id', session.id) : null);
  const tunnel = session && tunnels.data.value?.tunnels[0];
  const host = hostOf(tunnel);
  const requests = useGet<Requests>(host === '' ? null : listPath('/traffic/requests', 'host', host));
  useRefresh(() => {
    for (const entry of [sessions, tunnels, requests]) if (entry.path !== '') void entry.refresh();
  }, LOOK_MS);
  if (session === undefined)
    return (
      <p role="status">
        <Status kind="none">○ waiting for your agent…</Status>
      </p>
    );
  const response = firstResponse(requests.data.value?.requests ?? [], tunnel);
  return (
    <p role="status">
      <Status kind={2}>● online</Status> <a href={href(['agents', session.id])}>the agent</a>{' '}
      {tunnel === undefined && 'It has no tunnel yet: start one with the last command.'}
      {tunnel?.public_url && (
        <>
          <a href={tunnel.public_url} target="_blank" rel="noreferrer">
            Open {tunnel.public_url}
          </a>{' '}
        </>
      )}
      {host !== '' && response === undefined && 'Open it: its first response appears here.'}
      {response !== undefined && (
        <Status kind={Math.floor(response.status_code / 100)}>answers {response.status_code}</Status>
      )}
    </p>
  );
}

/** The newest rows with this value. */
function listPath(path: string, field: string, value: string): string {
  return `${path}?${new URLSearchParams({ limit: '10', filter: `${field} = "${value}"` })}`;
}

/** Host of the tunnel for HTTP; '' for none. */
function hostOf(tunnel: Tunnel | undefined): string {
  const url = tunnel?.public_url ?? '';
  return url.startsWith('https://') ? new URL(url).hostname : '';
}

/** Requests for the name before this tunnel went elsewhere, or nowhere. */
function firstResponse(
  requests: readonly TrafficRequest[],
  tunnel: Tunnel | undefined,
): TrafficRequest | undefined {
  return requests.find(({ served_by, backend }) => served_by === tunnel?.id || backend === tunnel?.id);
}
