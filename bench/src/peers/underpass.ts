/** A daemon with an agent, and edges of every kind before one upstream. Each name is of its own edge. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts, Platform, type PlatformOptions, type Process, sshClient } from '@underpass/test';
import { runScript } from '../children.ts';
import type { Fill } from '../fill.ts';
import { findProgram, type MissingPeer, type Peer } from './peer.ts';

const DOMAIN = 'underpass.localhost';
const FILLERS = 32;
const LABELS = { app: 'bench' };

/** Ends TLS at the daemon, for edges that carry bytes. */
export const terminated = { tls_termination: { terminate_at: 'edge' } };

export class EdgeBench {
  readonly platform: Platform;
  readonly #pids: readonly number[];
  readonly #sshPort: number;
  readonly #clients: Process[] = [];
  #names = 0;

  private constructor(platform: Platform, sshPort: number, agent: number | null) {
    this.platform = platform;
    this.#sshPort = sshPort;
    this.#pids = [platform.daemon.pid, ...(agent === null ? [] : [agent])];
  }

  /** Static backends may be on this machine. With an upstream's port there is an agent for it. */
  static async start(upstreamPort: number | null, options: PlatformOptions = {}): Promise<EdgeBench> {
    const { args = [], ...rest } = options;
    const [sshPort] = (await freePorts(1)) as [number];
    const own = [
      '--log-level',
      'warn',
      '--allow-private',
      '127.0.0.0/8',
      '--ssh-listen',
      `127.0.0.1:${sshPort}`,
    ];
    const platform = await Platform.start({
      ...rest,
      args: [...own, ...args],
    });
    if (upstreamPort === null) return new EdgeBench(platform, sshPort, null);
    const labels = Object.entries(LABELS).map(([name, value]) => `${name}=${value}`);
    const { process } = await platform.agent(
      ['http', String(upstreamPort), ...labels.flatMap((label) => ['--label', label])],
      { quiet: true },
    );
    return new EdgeBench(platform, sshPort, process.pid);
  }

  async create(path: string, body: object): Promise<string> {
    const { status, text, json } = await this.platform.api('POST', path, body);
    if (status !== 201) throw new Error(text);
    return json.id;
  }

  async staticBackend(port: number): Promise<string> {
    return await this.create('/backends/static', { address: `127.0.0.1:${port}`, tls: { enabled: false } });
  }

  async tunnelBackend(): Promise<string> {
    return await this.create('/backends/tunnel_group', { labels: LABELS });
  }

  async fixedBackend(body: string): Promise<string> {
    return await this.create('/backends/http_response', { body, status_code: 200 });
  }

  /** `modules` are those of its route, `ofEdge` the edge's own. */
  async httpsEdge(name: string, backend: string, modules: object = {}, ofEdge: object = {}): Promise<Peer> {
    const { peer, hostports } = await this.#named(name);
    const edge = await this.create('/edges/https', { hostports, ...ofEdge });
    const route = { match_type: 'path_prefix', match: '/', backend: { backend_id: backend }, ...modules };
    await this.create(`/edges/https/${edge}/routes`, route);
    return peer;
  }

  async tlsEdge(name: string, backend: string, modules: object = terminated): Promise<Peer> {
    const { peer, hostports } = await this.#named(name);
    await this.create('/edges/tls', { hostports, backend: { backend_id: backend }, ...modules });
    return peer;
  }

  /** A TCP tunnel at a port of its own, without TLS on the visitor's side. */
  async tcpTunnel(name: string, upstreamPort: number): Promise<Peer> {
    const { url, process } = await this.platform.agent(['tcp', String(upstreamPort)]);
    const { hostname, port } = new URL(url);
    const target = { scheme: 'http', host: hostname, port: Number(port) } as const;
    return { name, target, pids: [this.platform.daemon.pid, process.pid], stop: async () => {} };
  }

  /** A tunnel that OpenSSH carries. */
  async sshTunnel(name: string, dir: string, upstreamPort: number): Promise<Peer | MissingPeer> {
    if (findProgram('ssh') === null) return { name, missing: 'openssh-client' };
    const key = join(dir, 'gateway');
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    await this.create('/ssh_credentials', { public_key: readFileSync(`${key}.pub`, 'utf8') });
    const client = sshClient(this.#sshPort, key, ['-R', `0:127.0.0.1:${upstreamPort}`], ['http']);
    this.#clients.push(client);
    const [, url = ''] = await client.line(/Forwarding {2}(\S+)/);
    const target = { scheme: 'https', host: new URL(url).hostname, port: this.platform.port } as const;
    return { name, target, pids: [this.platform.daemon.pid, client.pid], stop: async () => {} };
  }

  /** Makes many at once. */
  async fill(path: string, body: object, count: number): Promise<void> {
    const { api_key } = this.platform.bootstrap;
    const target = {
      scheme: 'https',
      host: `api.${DOMAIN}`,
      port: this.platform.port,
      headers: { authorization: `Bearer ${api_key}`, 'service-version': '2' },
    } as const;
    const fill: Fill = { target, path, body: JSON.stringify(body), connections: FILLERS, count };
    await runScript('fill.ts', [JSON.stringify(fill)]);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.stop()));
    await this.platform.stop();
  }

  async #named(name: string): Promise<{ readonly peer: Peer; readonly hostports: readonly string[] }> {
    this.#names += 1;
    const label = `bench-${this.#names}`;
    await this.create('/reserved_domains', { name: label });
    const host = `${label}.${DOMAIN}`;
    const target = { scheme: 'https', host, port: this.platform.port } as const;
    // Stopping the bench stops the daemon, and the edge with it.
    const peer = { name, target, pids: this.#pids, stop: async () => {} };
    return { peer, hostports: [`${host}:443`] };
  }
}
