/** Starts Underpass and its peers before one upstream, and lists the peers that this machine lacks. */

import type { Certificate } from '../certificate.ts';
import { daemonFlags, startScript, stopChild } from '../children.ts';
import type { BenchContext } from '../main.ts';
import { isMissing, type MissingPeer, type Peer } from './peer.ts';
import { startCaddy, startNginx, startNginxStream, startNginxTcp } from './proxies.ts';
import { startSshTunnel } from './ssh.ts';
import { EdgeBench } from './underpass.ts';

export class Contestants {
  readonly peers: readonly Peer[];
  /** The port of the service behind all of them. */
  readonly upstream: number;
  readonly #missing: readonly MissingPeer[];
  readonly #stop: () => Promise<void>;

  private constructor(started: readonly (Peer | MissingPeer)[], upstream: number, stop: () => Promise<void>) {
    this.upstream = upstream;
    this.peers = started.filter((peer): peer is Peer => !isMissing(peer));
    this.#missing = started.filter(isMissing);
    this.#stop = stop;
  }

  static async start(context: BenchContext): Promise<Contestants> {
    const { dir, certificate } = context;
    const upstream = await startScript('upstream.ts');
    const own = await EdgeBench.start(upstream.port);
    const [direct, tunnel] = [await own.staticBackend(upstream.port), await own.tunnelBackend()];
    const ssh = await startSshTunnel(dir, upstream.port);
    const started = [
      await startNginx(dir, certificate, upstream.port, names.nginx),
      await own.httpsEdge(names.edge, direct),
      await own.httpsEdge(names.tunnel, tunnel),
      await own.tlsEdge(names.bytes, direct),
      await own.tlsEdge(names.bytesTunnel, tunnel),
      await startNginxStream(dir, certificate, upstream.port),
      await own.tcpTunnel(names.tcpTunnel, upstream.port),
      await startNginxTcp(dir, upstream.port, names.nginxTcp),
      await startBareRelays(certificate, upstream.port),
      await startCaddy(dir, certificate, upstream.port),
      await own.sshTunnel(names.ssh, dir, upstream.port),
      ...(await beforeSsh(context, ssh)),
      ssh,
    ];
    return new Contestants(started, upstream.port, async () => {
      for (const peer of started) if (!isMissing(peer)) await peer.stop();
      await own.stop();
      await stopChild(upstream.child);
    });
  }

  /** Returns the index of a peer, or -1 if it is missing. */
  at(name: string): number {
    return this.peers.findIndex((peer) => peer.name === name);
  }

  sayMissing(): void {
    for (const { name, missing } of this.#missing)
      console.log(`${name}: not measured, ${missing} is not installed`);
  }

  async stop(): Promise<void> {
    await this.#stop();
  }
}

export const names = {
  nginx: 'nginx, no tunnel',
  edge: 'HTTPS edge',
  tunnel: 'HTTPS edge + tunnel',
  bytes: 'TLS edge, bytes',
  bytesTunnel: 'TLS edge, bytes + tunnel',
  tcpTunnel: 'TCP tunnel, no TLS',
  nginxTcp: 'nginx stream, no TLS',
  bareRelays: 'two bare node relays',
  ssh: 'ssh -R to Underpass',
} as const;

/** Lower limit of a TCP tunnel with Node at both ends. */
async function startBareRelays({ certFile, keyFile }: Certificate, upstreamPort: number): Promise<Peer> {
  const args = [certFile, keyFile, String(upstreamPort)];
  const { child, port } = await startScript('bare-relays.ts', args, daemonFlags());
  return {
    name: names.bareRelays,
    target: { scheme: 'http', host: 'bench.localhost', port },
    pids: [child.pid as number],
    stop: () => stopChild(child),
  };
}

/** TLS towards the visitor, which `ssh -R` lacks for a comparison. */
async function beforeSsh(
  { dir, certificate }: BenchContext,
  ssh: Peer | MissingPeer,
): Promise<readonly (Peer | MissingPeer)[]> {
  if (isMissing(ssh)) return [];
  const nginx = await startNginx(dir, certificate, ssh.target.port, 'nginx with TLS + ssh -R');
  return [isMissing(nginx) ? nginx : { ...nginx, pids: [...nginx.pids, ...ssh.pids] }];
}
