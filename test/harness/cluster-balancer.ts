/** HAProxy in front of a cluster, as the guide for several machines configures it: TCP, with checks of `/readyz`. */
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Cluster } from './cluster.ts';
import { freePorts } from './free-ports.ts';
import { Process } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Connects to daemons, as HAProxy counts them. */
export interface Connects {
  /** Connects that were refused or had no answer in time. */
  readonly failed: number;
  /** Connects that were repeated, at the same daemon or at another one. */
  readonly repeated: number;
}

export class ClusterBalancer {
  /** Port at 127.0.0.1 for agents and visitors. */
  readonly port: number;
  readonly #process: Process;
  readonly #folder: string;

  private constructor(port: number, folder: string) {
    this.port = port;
    this.#folder = folder;
    this.#process = Process.program('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], {
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
    });
  }

  /** `sendsAddress`: the daemons take the PROXY header from 127.0.0.1. It listens a moment later. */
  static async start(cluster: Cluster, { sendsAddress = true } = {}): Promise<ClusterBalancer> {
    const folder = temporaryFolder('underpass-balancer-');
    const [port = 0] = await freePorts(1);
    const servers = cluster.nodes.map(
      ({ platform: { address, adminPort } }) =>
        `server s${adminPort} ${address}:${cluster.port} check addr 127.0.0.1 port ${adminPort}`,
    );
    const config = `
      global
        stats socket ${join(folder, 'stats')} mode 600
      defaults
        mode tcp
        timeout connect 5s
        timeout client 1h
        timeout server 1h
        timeout check 10s
        retries 3
        option redispatch 1
      listen underpass
        bind 127.0.0.1:${port}
        balance leastconn
        option httpchk GET /readyz
        default-server ${sendsAddress ? 'send-proxy-v2' : ''} inter 500ms fall 1 rise 1
        ${servers.join('\n        ')}
      `;
    writeFileSync(join(folder, 'haproxy.cfg'), `${config}\n`);
    return new ClusterBalancer(port, folder);
  }

  /** The number of daemons that get connections. */
  async ready(): Promise<number> {
    const servers = await this.#servers();
    return servers.filter((server) => server.get('status') === 'UP').length;
  }

  async connects(): Promise<Connects> {
    const servers = await this.#servers();
    const sum = (...fields: readonly string[]): number =>
      servers
        .flatMap((server) => fields.map((field) => Number(server.get(field))))
        .reduce((a, b) => a + b, 0);
    return { failed: sum('econ'), repeated: sum('wretr', 'wredis') };
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Returns the statistics of each daemon by field. */
  async #servers(): Promise<readonly ReadonlyMap<string, string>[]> {
    const socket = connect(join(this.#folder, 'stats'));
    socket.end('show stat\n');
    const [head = '', ...lines] = (await text(socket)).replace('# ', '').trim().split('\n');
    const fields = head.split(',');
    return lines
      .map((line) => new Map(line.split(',').map((value, at) => [fields[at] ?? '', value])))
      .filter((line) => /^s\d+$/.test(line.get('svname') ?? ''));
  }
}
