/** Checks that the server speaks the agent protocol, and admits this agent. */
import { call, ErrorCode, field, MuxSession, StreamType } from '@underpass/wire';
import { adviceOf } from '../advice.ts';
import { commandAt } from '../command-line.ts';
import { dial } from '../dial.ts';
import { text } from '../hello.ts';
import { reasonOf } from '../reason.ts';
import { Refused } from '../refused.ts';
import { tryService } from '../try-service.ts';
import { type Finding, failed, ok, skipped, type Target, TIMEOUT_MS } from './finding.ts';

/** Sends SrvInfo, the only request that is allowed before a login (agent protocol, section 4). */
export async function lookAtProtocol({ server, tls }: Target): Promise<Finding> {
  const signal = new AbortController().signal;
  const { socket, reads } = await dial(server, { tls, signal, timeoutMs: TIMEOUT_MS });
  const mux = new MuxSession(socket, {
    reads,
    role: 'client',
    accept: (_type, stream) => stream.reset(ErrorCode.streamRefused),
    closed: () => {},
  });
  try {
    const began = performance.now();
    const region = text(field(await call(mux, StreamType.srvInfo, {}, TIMEOUT_MS), 'Region'));
    if (region === '') throw new Error('the answer names no region');
    return ok(`region ${region}, answers in ${(performance.now() - began).toFixed(0)} ms`);
  } catch (error) {
    return failed(`what answers does not speak the agent protocol: ${reasonOf(error)}`, NOT_FOR_AGENTS);
  } finally {
    mux.goAway(ErrorCode.none, 'looked');
    socket.destroySoon();
  }
}

const NOT_FOR_AGENTS =
  'Check that --server is the host for agents, connect.DOMAIN, and not that of the API or of a web server. A reverse proxy in between has to pass ' +
  'TLS through: one that ends it understands only HTTP.';

export async function lookAtAuth({ service, now }: Target): Promise<Finding> {
  const { server, authtoken } = service;
  if (authtoken === undefined)
    return skipped('no authtoken for this server is given or stored', `Run ${commandAt('login', service)}.`);
  try {
    const { region, sessionId } = await tryService({ ...service, authtoken }, new AbortController().signal);
    return ok(`the token is good: session ${sessionId} in region ${region}`);
  } catch (error) {
    const remedy = error instanceof Refused ? adviceOf(error, now(), server) : 'Try it again: this may pass.';
    return failed(reasonOf(error), remedy);
  }
}
