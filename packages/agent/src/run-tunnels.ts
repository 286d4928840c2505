/**
 * `underpass http`, `file`, `tls`, `tcp` and `start`: tunnels on one session.
 * Invariant: the end of one tunnel does not end the others.
 */
import type { HostPort, Upstream } from './address.ts';
import { adviceOf } from './advice.ts';
import { type Agent, type AgentEnd, connect } from './agent.ts';
import { AgentClosed } from './agent-error.ts';
import type { AgentState, ForwardOptions } from './agent-options.ts';
import type { Inspector } from './inspector/inspector.ts';
import type { InspectorServer } from './inspector/server.ts';
import { reasonOf } from './reason.ts';
import { Refused } from './refused.ts';
import type { Report, TunnelName } from './report.ts';
import type { Service } from './settings.ts';
import type { TunnelEnd } from './tunnel.ts';
import type { TunnelSpec } from './tunnel-spec.ts';

/** End of the code; its prefix is the service's. */
const TAKEN_OVER = '_60316';
const AFTER_TAKEOVER =
  'Only one agent can have the name: end the other one, give this one another name, or start both with --pooling.';

export interface TunnelsRun {
  readonly service: Service;
  readonly tunnels: readonly TunnelSpec[];
  readonly report: Report;
  /** Address of the inspector; null for none. */
  readonly inspect: HostPort | null;
}

/** Keeps tunnels until the signal, the service or a refusal has ended all of them. Resolves with the exit code. */
export async function runTunnels(run: TunnelsRun, signal: AbortSignal): Promise<number> {
  const { service, tunnels, report } = run;
  const inspection = await inspect(run);
  const inspector = inspection?.inspector ?? null;
  const watchers = { report, inspector, server: service.server };
  try {
    const onState = (state: AgentState) => {
      report.state(state);
      inspector?.state(state);
    };
    const agent = await connect({
      ...service,
      signal,
      onState,
      onLatency: (ms) => report.latency(ms),
      onConnections: (all) => report.connections(all),
    });
    const codes = await Promise.all(tunnels.map((spec) => runTunnel(agent, spec, watchers)));
    await agent.close();
    return Math.max(tell(await agent.ended, null, watchers), ...codes);
  } catch (error) {
    if (signal.aborted) return 0;
    if (error instanceof Refused) return tell({ reason: 'refused', error }, null, watchers);
    throw error;
  } finally {
    inspection?.server.close();
  }
}

/** Returns null without an inspector. A failed listen is reported, and ends nothing. */
async function inspect({ inspect: where, service, report }: TunnelsRun): Promise<Inspection | null> {
  if (where === null) return null;
  // Loaded with the first inspector only.
  const [{ Inspector }, { serveInspector }] = await Promise.all([
    import('./inspector/inspector.ts'),
    import('./inspector/server.ts'),
  ]);
  const inspector = new Inspector(service);
  try {
    const server = await serveInspector(inspector, where);
    report.inspector(server);
    return { inspector, server };
  } catch (error) {
    report.notice(
      `There is no inspector: ${where.host}:${where.port} cannot be listened on: ${reasonOf(error)}`,
      null,
    );
    return null;
  }
}

interface Inspection {
  readonly inspector: Inspector;
  readonly server: InspectorServer;
}

interface Watchers {
  readonly report: Report;
  /** The address that was dialled. */
  readonly server: string;
  readonly inspector: Inspector | null;
}

/** Resolves with the exit code. */
async function runTunnel(agent: Agent, spec: TunnelSpec, watchers: Watchers): Promise<number> {
  const { name, upstream } = spec;
  if (!('folder' in upstream)) return await keepTunnel(agent, { ...spec, upstream }, watchers);
  // Most agents serve no folder.
  const { FolderServer } = await import('./folder/folder-server.ts');
  try {
    const server = await FolderServer.start(upstream);
    const started = { ...spec, upstream: server.upstream };
    return await keepTunnel(agent, started, watchers).finally(() => server.close());
  } catch (error) {
    const message = `The folder cannot be served: ${reasonOf(error)}`;
    watchers.report.failure({ message, code: undefined, advice: '' }, name);
    return 1;
  }
}

/** A specification with a server to connect to. */
interface StartedSpec extends TunnelSpec {
  readonly upstream: Upstream;
}

/** Reports the end of a tunnel alone at once, and not the end of the agent; resolves with the exit code. */
async function keepTunnel(agent: Agent, spec: StartedSpec, watchers: Watchers): Promise<number> {
  const { report, inspector } = watchers;
  const { name, upstream, upstreamTls, upstreamSni, request, quiet } = spec;
  const isHttp = request.proto === 'http';
  const inspection = inspector?.add(spec) ?? null;
  const options: ForwardOptions = {
    ...request,
    ...(upstreamTls === undefined ? {} : { upstreamTls }),
    ...(upstreamSni === undefined ? {} : { upstreamSni }),
    onBound: (tunnel) => {
      report.bound(tunnel, spec);
      inspection?.bound(tunnel);
      if (tunnel.notice !== '') report.notice(tunnel.notice, name);
    },
    ...(quiet || !isHttp ? {} : { onExchange: (it) => report.exchange(it, name) }),
    ...(inspection === null || !isHttp ? {} : { inspection }),
    onRefused: (refused) => {
      if (!quiet) report.refused(refused, name);
      inspection?.refused(refused);
    },
    onUpstreamError: (message) => report.upstreamError(message, name),
  };
  const bound = agent.forward(upstream, options);
  const end = await bound.then(
    (tunnel) => tunnel.ended,
    (error: unknown): TunnelEnd | null => {
      if (error instanceof Refused) return { reason: 'refused', error };
      if (agent.isOver || error instanceof AgentClosed) return { reason: 'closed' };
      report.failure({ message: reasonOf(error), code: undefined, advice: '' }, name);
      return null;
    },
  );
  inspection?.ended();
  if (end === null) return 1;
  return agent.isOver ? 0 : tell(end, name, watchers);
}

function tell(end: AgentEnd | TunnelEnd, tunnel: TunnelName, { report, server }: Watchers): number {
  switch (end.reason) {
    case 'closed':
      return 0;
    case 'refused': {
      const { message, code } = end.error;
      report.failure({ message, code, advice: adviceOf(end.error, Date.now(), server) }, tunnel);
      return 1;
    }
    case 'stopped':
      if (!('message' in end)) {
        report.notice('The service stopped this agent.', null);
        return 0;
      }
      report.failure(
        {
          message: `The service stopped the tunnel: ${end.message}`,
          code: end.code,
          advice: end.code.endsWith(TAKEN_OVER) ? AFTER_TAKEOVER : '',
        },
        tunnel,
      );
      return 1;
  }
}
