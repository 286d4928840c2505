/** Entry points for programs: a session, or one tunnel with its own session. */
import { type HostPort, InvalidInput } from './address.ts';
import { type Agent, connect as connectAgent, upstreamOf } from './agent.ts';
import type { AgentOptions, ForwardOptions, InspectOptions, TunnelOptions } from './agent-options.ts';
import { checkServiceOptions, refuseForwardOptions, splitOptions } from './check-options.ts';
import { parseInspect } from './inspector/inspect-address.ts';
import type { TunnelListener } from './listener.ts';
import { reasonOf } from './reason.ts';
import { readService } from './settings.ts';
import type { Tunnel } from './tunnel.ts';

/**
 * Address of the service, and credentials. Missing values are found as by the command: in UNDERPASS_SERVER,
 * UNDERPASS_AUTHTOKEN, UNDERPASS_CA (a path) and UNDERPASS_CA_FINGERPRINT, in the login that `underpass login` stored, or in a daemon's
 * ./data/bootstrap.json.
 */
export type ServiceOptions = Omit<AgentOptions, 'server' | 'authtoken' | 'inspects'> &
  Partial<Pick<AgentOptions, 'server' | 'authtoken'>> &
  InspectOptions;

/** A session for as many tunnels as are wanted, as `connect` of agent.ts. Rejects with InvalidInput also where nothing can be shown. */
export async function connect(options: ServiceOptions = {}): Promise<Agent> {
  checkServiceOptions(options);
  return await open(options);
}

async function open(options: ServiceOptions): Promise<Agent> {
  const where = options.inspect === undefined ? null : parseInspect(options.inspect);
  const service = withService(options);
  return where === null ? await connectAgent(service) : await connectInspected(service, where);
}

async function connectInspected(options: AgentOptions & InspectOptions, where: HostPort): Promise<Agent> {
  // Loaded with the first inspector only.
  const [{ Inspector }, { serveInspector }] = await Promise.all([
    import('./inspector/inspector.ts'),
    import('./inspector/server.ts'),
  ]);
  const inspector = new Inspector(options);
  const server = await serveInspector(inspector, where).catch((error: unknown) => {
    throw new InvalidInput(
      `${where.host}:${where.port} cannot be listened on: ${reasonOf(error)}`,
      'inspect',
    );
  });
  try {
    options.onInspector?.(server.pageUrl);
    const agent = await connectAgent({
      ...options,
      inspects: (spec) => inspector.add(spec),
      onState: (state) => {
        inspector.state(state);
        options.onState?.(state);
      },
    });
    void agent.ended.then(() => server.close());
    return agent;
  } catch (error) {
    server.close();
    throw error;
  }
}

/**
 * Gives a local server a public name: `target` as of `Agent.forward`. Resolves when the name is bound; rejects with an AgentError,
 * or with the reason of the signal. Closing it ends the session, with what runs on it.
 */
export async function forward(
  target: string | number,
  options: ServiceOptions & ForwardOptions = {},
): Promise<Tunnel> {
  const { ofSession, ofTunnel } = splitOptions(options);
  const upstream = upstreamOf(target, ofTunnel);
  const agent = await open(ofSession);
  const tunnel = await orClose(agent, agent.forward(upstream, ofTunnel));
  void tunnel.ended.then(() => agent.close());
  return tunnel;
}

/**
 * Gives this program a public name. Resolves when the name is bound; rejects as `forward` does. The session ends when the
 * listener and its connections are closed.
 */
export async function listen(options: ServiceOptions & TunnelOptions = {}): Promise<TunnelListener> {
  const { ofSession, ofTunnel } = splitOptions(options);
  refuseForwardOptions(ofTunnel);
  const agent = await open(ofSession);
  const listener = await orClose(agent, agent.listen(ofTunnel));
  void listener.closed.then(() => agent.close());
  return listener;
}

async function orClose<T>(agent: Agent, tunnel: Promise<T>): Promise<T> {
  try {
    return await tunnel;
  } catch (error) {
    await agent.close();
    throw error;
  }
}

function withService<T extends ServiceOptions>(options: T): T & AgentOptions {
  const { server, authtoken, ca, caFingerprint } = options;
  const given = {
    ...(server === undefined ? {} : { server }),
    ...(authtoken === undefined ? {} : { authtoken }),
  };
  const found = readService(given, process.env, process.cwd(), {});
  const isGiven = ca !== undefined || caFingerprint !== undefined;
  const trust = isGiven ? { ca, caFingerprint } : { ca: found.ca, caFingerprint: found.caFingerprint };
  return { ...options, server: found.server, authtoken: found.authtoken, ...trust };
}
