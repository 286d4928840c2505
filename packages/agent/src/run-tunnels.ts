/** `underpass http`, `tls`, `tcp` and `start`: tunnels to local servers on one session. Never that one of them ends the others. */
import { ADVICE } from './advice.ts';
import { type Agent, type AgentEnd, connect } from './agent.ts';
import { Refused } from './refused.ts';
import type { Report, TunnelName } from './report.ts';
import type { Service } from './settings.ts';
import type { TunnelEnd } from './tunnel.ts';
import type { TunnelSpec } from './tunnel-spec.ts';

/** By the end of the code, whose prefix is the service's. */
const TAKEN_OVER = '_60316';
const AFTER_TAKEOVER = 'Only one agent can have the name: end the other one, or give this one another name.';

export interface TunnelsRun {
  readonly service: Service;
  readonly tunnels: readonly TunnelSpec[];
  readonly report: Report;
}

/** Keeps tunnels until the signal, the service or a refusal has ended all of them. Resolves with the exit code. */
export async function runTunnels(run: TunnelsRun, signal: AbortSignal): Promise<number> {
  const { service, tunnels, report } = run;
  try {
    const agent = await connect({ ...service, signal, onState: (state) => report.state(state) });
    const codes = await Promise.all(tunnels.map((spec) => runTunnel(agent, spec, report)));
    await agent.close();
    return Math.max(tell(await agent.ended, null, report), ...codes);
  } catch (error) {
    if (signal.aborted) return 0;
    if (error instanceof Refused) return tell({ reason: 'refused', error }, null, report);
    throw error;
  }
}

/** What ended a tunnel alone is told at once, and nothing of the agent's end; resolves with the exit code. */
async function runTunnel(agent: Agent, spec: TunnelSpec, report: Report): Promise<number> {
  const { name, upstream, upstreamTls, request, quiet } = spec;
  const bound = agent.forward(upstream.text, {
    ...request,
    ...(upstreamTls === undefined ? {} : { upstreamTls }),
    onBound: (tunnel) => {
      report.bound(tunnel, spec);
      if (tunnel.notice !== '') report.notice(tunnel.notice, name);
    },
    ...(quiet || request.proto !== 'http' ? {} : { onExchange: (it) => report.exchange(it, name) }),
    onUpstreamError: (message) => report.upstreamError(message, name),
  });
  const end = await bound.then(
    (tunnel) => tunnel.ended,
    (error: unknown): TunnelEnd =>
      error instanceof Refused ? { reason: 'refused', error } : { reason: 'closed' },
  );
  return agent.isOver ? 0 : tell(end, name, report);
}

function tell(end: AgentEnd | TunnelEnd, tunnel: TunnelName, report: Report): number {
  switch (end.reason) {
    case 'closed':
      return 0;
    case 'refused': {
      const { message, code, stage } = end.error;
      report.failure({ message, code, advice: ADVICE[stage] }, tunnel);
      return 1;
    }
    case 'stopped':
      if (!('message' in end)) {
        report.notice('The service asked this agent to stop.', null);
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
