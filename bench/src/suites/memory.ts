/**
 * Measures the daemon's memory for idle tunnels: many labelled tunnels on a few agents, and one tunnel on each of
 * many agents.
 */
import { once } from 'node:events';
import { connect } from 'node:tls';
import { Platform, residentMegabytes } from '@underpass/test';
import { call, ErrorCode, echoHeartbeat, MuxSession, StreamType } from '@underpass/wire';
import { table } from '../table.ts';

/** A session has at most 256. */
const SIZES = [
  { tunnels: 1_000, agents: 10 },
  { tunnels: 10_000, agents: 100 },
  { tunnels: 1_000, agents: 1_000 },
] as const;

export async function benchMemory(): Promise<void> {
  const rows: string[][] = [];
  for (const { tunnels, agents } of SIZES) rows.push(await measure(tunnels, agents));
  console.log('Memory: idle tunnels; resident memory of the daemon');
  console.log(table(['', 'MB before', 'MB with them', 'KB a tunnel'], rows));
  console.log();
}

async function measure(tunnels: number, agents: number): Promise<string[]> {
  // A first start fills the compile cache; what is measured is what runs from then on.
  await (await Platform.start()).stop();
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  const sessions: MuxSession[] = [];
  try {
    const before = residentMegabytes(platform.daemon.pid);
    for (let index = 0; index < agents; index++) {
      const session = await authenticate(platform);
      sessions.push(session);
      for (let tunnel = 0; tunnel < tunnels / agents; tunnel++)
        await addTunnel(session, `${index}-${tunnel}`);
    }
    const after = residentMegabytes(platform.daemon.pid);
    const perTunnel = ((after - before) * 1024) / tunnels;
    return [`${tunnels} on ${agents} agents`, before.toFixed(0), after.toFixed(0), perTunnel.toFixed(0)];
  } finally {
    for (const session of sessions) session.goAway(ErrorCode.none);
    await platform.stop();
  }
}

async function authenticate(platform: Platform): Promise<MuxSession> {
  const { authtoken, domain } = platform.bootstrap;
  const socket = connect({
    host: '127.0.0.1',
    port: platform.port,
    servername: `connect.${domain}`,
    ca: platform.ca,
  });
  await once(socket, 'secureConnect');
  const session = new MuxSession(socket, {
    role: 'client',
    accept: (type, stream) =>
      type === StreamType.heartbeat ? echoHeartbeat(stream) : stream.reset(ErrorCode.streamRefused),
    closed: () => {},
  });
  await succeed(session, StreamType.auth, { Version: ['3'], Extra: { Authtoken: authtoken } });
  return session;
}

function addTunnel(session: MuxSession, label: string): Promise<void> {
  return succeed(session, StreamType.startTunnelWithLabel, {
    Labels: { bench: label },
    ForwardsTo: 'nowhere',
  });
}

async function succeed(session: MuxSession, type: StreamType, request: object): Promise<void> {
  const { Error: refusal } = await call<{ Error?: string }>(session, type, request);
  if (refusal) throw new Error(refusal);
}
