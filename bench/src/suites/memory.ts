/** What idle tunnels cost the daemon: 1,000 agents with a session and a labelled tunnel each. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { Platform } from '@underpass/test';
import { call, MuxSession, StreamType } from '@underpass/wire';
import type { BenchContext } from '../main.ts';
import { table } from '../table.ts';

const TUNNELS = 1000;

export async function benchMemory(_context: BenchContext): Promise<void> {
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  const sessions: MuxSession[] = [];
  try {
    const before = residentMegabytes(platform.daemon.pid);
    for (let index = 0; index < TUNNELS; index++) sessions.push(await idleTunnel(platform, index));
    const after = residentMegabytes(platform.daemon.pid);
    const perTunnel = ((after - before) * 1024) / TUNNELS;
    console.log(`Memory: ${TUNNELS} idle tunnels, each on a session of its own`);
    const row = [before.toFixed(0), after.toFixed(0), perTunnel.toFixed(0)];
    console.log(table(['', 'MB before', 'MB with them', 'KB a tunnel'], [['daemon, resident', ...row]]));
    console.log();
  } finally {
    for (const session of sessions) session.goAway(0);
    await platform.stop();
  }
}

async function idleTunnel(platform: Platform, index: number): Promise<MuxSession> {
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
    accept: (_type, stream) => stream.reset(5),
    closed: () => {},
  });
  const auth = await call<{ Error?: string }>(session, StreamType.auth, {
    Version: ['3'],
    Extra: { Authtoken: authtoken },
  });
  if (auth.Error) throw new Error(auth.Error);
  const request = { Labels: { bench: String(index) }, ForwardsTo: 'nowhere' };
  const tunnel = await call<{ Error?: string }>(session, StreamType.startTunnelWithLabel, request);
  if (tunnel.Error) throw new Error(tunnel.Error);
  return session;
}

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
