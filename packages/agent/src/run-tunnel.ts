/** `underpass http`, `tls` and `tcp`: one tunnel to a local server. */
import type { Upstream } from './address.ts';
import { type AgentEnd, connect } from './agent.ts';
import type { TunnelRequest } from './binding.ts';
import { Refused, type RefusedStage } from './refused.ts';
import type { Report } from './report.ts';
import type { Settings } from './settings.ts';
import type { TunnelEnd } from './tunnel.ts';

const ADVICE: Readonly<Record<RefusedStage, string>> = {
  auth: 'Check the authtoken: --authtoken, UNDERPASS_AUTHTOKEN, the config file or data/bootstrap.json.',
  bind: 'The tunnel was not started. Check --domain, --address and --label, and what the credential may bind.',
  certificate:
    'Give the authority that signed it with --ca FILE (the daemon keeps its own in its data directory: ca.pem), ' +
    'and check that --server names the host of the certificate.',
};

export interface TunnelRun {
  readonly proto: 'http' | 'tls' | 'tcp';
  readonly upstream: Upstream;
  readonly settings: Settings;
  /** Of TLS; undefined: it passes through. */
  readonly termination?: TunnelRequest['termination'];
  readonly proxyProtocol?: TunnelRequest['proxyProtocol'];
  readonly scheme?: TunnelRequest['scheme'];
  readonly upstreamProtocol?: TunnelRequest['upstreamProtocol'];
  readonly report: Report;
  /** Requests are not reported, and not looked into. */
  readonly quiet: boolean;
}

/** Keeps one tunnel until the signal, the service or a refusal ends it. Resolves with the exit code. */
export async function runTunnel(run: TunnelRun, signal: AbortSignal): Promise<number> {
  const { report } = run;
  try {
    return tell(await keepTunnel(run, signal), report);
  } catch (error) {
    if (signal.aborted) return 0;
    if (error instanceof Refused) return tell({ reason: 'refused', error }, report);
    throw error;
  }
}

async function keepTunnel(run: TunnelRun, signal: AbortSignal): Promise<AgentEnd | TunnelEnd> {
  const { proto, upstream, termination, proxyProtocol, scheme, upstreamProtocol } = run;
  const { settings, report, quiet } = run;
  const { server, authtoken, ca, domain, address, labels, metadata } = settings;
  const agent = await connect({ server, authtoken, ca, signal, onState: (state) => report.state(state) });
  const bound = agent.forward({
    proto,
    upstream: upstream.text,
    ...(address === undefined ? {} : { address }),
    ...(termination === undefined ? {} : { termination }),
    ...(proxyProtocol === undefined ? {} : { proxyProtocol }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(upstreamProtocol === undefined ? {} : { upstreamProtocol }),
    ...(domain === undefined ? {} : { domain }),
    ...(labels === undefined ? {} : { labels }),
    ...(metadata === undefined ? {} : { metadata }),
    onBound: (tunnel) => {
      report.bound(tunnel);
      if (tunnel.notice !== '') report.notice(tunnel.notice);
    },
    ...(quiet || proto !== 'http' ? {} : { onExchange: (exchange) => report.exchange(exchange) }),
    onUpstreamError: (message) => report.upstreamError(message),
  });
  const end = await bound.then(
    (tunnel) => tunnel.ended,
    (error: unknown): TunnelEnd =>
      error instanceof Refused ? { reason: 'refused', error } : { reason: 'closed' },
  );
  // A tunnel that was just closed was closed by the end of its agent, which knows why.
  if (end.reason === 'closed') return agent.ended;
  await agent.close();
  return end;
}

function tell(end: AgentEnd | TunnelEnd, report: Report): number {
  switch (end.reason) {
    case 'closed':
      return 0;
    case 'refused':
      report.failure(end.error.message, end.error.code, ADVICE[end.error.stage]);
      return 1;
    case 'stopped':
      if (!('message' in end)) {
        report.notice('The service asked this agent to stop.');
        return 0;
      }
      report.failure(`The service stopped the tunnel: ${end.message}`, end.code, '');
      return 1;
  }
}
