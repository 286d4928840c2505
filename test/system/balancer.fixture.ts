/** HAProxy in front of the daemons of a cluster, with checks that notice a daemon that leaves. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, freePorts, Process } from '../harness/index.ts';

/** Arguments of daemons behind it. */
export const behindBalancer = ['--proxy-protocol-from', '127.0.0.1/32'];

export interface Balancer {
  readonly port: number;
  stop(): Promise<void>;
}

/** `sendsAddress`: the daemons are started with `behindBalancer`. */
export async function startBalancer(cluster: Cluster, { sendsAddress = false } = {}): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-balancer-'));
  const [port = 0] = await freePorts(1);
  const servers = cluster.nodes.map(
    ({ platform: { address, adminPort } }) =>
      `server s${adminPort} ${address}:${cluster.port} check addr 127.0.0.1 port ${adminPort}`,
  );
  const config = `
    defaults
      mode tcp
      timeout connect 5s
      timeout client 1h
      timeout server 1h
      retries 3
      option redispatch 1
    listen underpass
      bind 127.0.0.1:${port}
      balance leastconn
      option httpchk GET /readyz
      default-server ${sendsAddress ? 'send-proxy-v2' : ''} inter 500ms fall 1 rise 1
      ${servers.join('\n      ')}
    `;
  writeFileSync(join(folder, 'haproxy.cfg'), `${config}\n`);
  const haproxy = Process.program('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  });
  return {
    port,
    stop: async () => {
      await haproxy.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
