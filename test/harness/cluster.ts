/**
 * Several daemons of one database on this machine, with one public port at addresses of their own (127.0.0.1, .2, …).
 * Each is connected to the database through a network of its own, which a test can delay, hold and cut. Their links can
 * have such networks, too.
 * Invariant: `stop` leaves nothing behind.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './client.ts';
import { underpassd } from './command.ts';
import { freePorts } from './free-ports.ts';
import { type Bootstrap, Platform } from './platform.ts';
import { Postgres } from './postgres.ts';
import { Relay } from './relay.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface ClusterOptions {
  /** Number of daemons; default 3. */
  readonly daemons?: number;
  /** Workers of each daemon, under a supervisor; default 0: the process itself is the daemon. */
  readonly workers?: number;
  /** Arguments of a daemon, by its index. */
  readonly args?: (index: number) => readonly string[];
  /** Variables of a daemon (`NAME=VALUE`), by its index. */
  readonly env?: (index: number) => readonly string[];
  /** A command that runs a daemon, by its index. */
  readonly through?: (index: number) => readonly string[];
  /** Daemons reach each other as on several machines: over TLS, through a network that a test can delay, hold and cut. */
  readonly apart?: boolean;
  /** The database writes to the disk as in operation; default false, which is faster. */
  readonly durable?: boolean;
  /** Daemons connect to the database without a network of the test, which takes time. */
  readonly direct?: boolean;
}

/** One daemon, and its network to the database. */
export interface ClusterNode {
  readonly platform: Platform;
  readonly relay: Relay;
  /** Links that other daemons open to this one; null if they use Unix sockets. */
  readonly links: Relay | null;
  /** Milliseconds for which pieces to and from the database are delayed. */
  delayMs: number;
  /** Milliseconds for which pieces of `links` are delayed. */
  linkDelayMs: number;
}

/** A daemon as agents and visitors reach it. */
export interface Place {
  readonly address: string;
  readonly port: number;
  readonly ca: string;
  readonly bootstrap: Bootstrap;
}

export class Cluster {
  readonly port: number;
  readonly postgres: Postgres;
  /** URL of the database, without a network between. */
  readonly database: string;
  /** Master key of all daemons, in hex. */
  readonly masterKey = randomBytes(32).toString('hex');
  readonly #options: ClusterOptions;
  readonly #nodes: ClusterNode[] = [];
  readonly #frozen = new Set<number>();
  readonly #folder = temporaryFolder('underpass-cluster-');

  private constructor(postgres: Postgres, database: string, port: number, options: ClusterOptions) {
    this.postgres = postgres;
    this.database = database;
    this.port = port;
    this.#options = options;
  }

  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const { durable = false } = options;
    const postgres = durable ? await Postgres.start({ durable }) : await Postgres.shared();
    const [port = 0] = await freePorts(1);
    const cluster = new Cluster(postgres, await postgres.database(), port, options);
    try {
      // The first one makes the first account.
      for (let index = 0; index < (options.daemons ?? 3); index++) await cluster.#add(index);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** The number of daemons. */
  get size(): number {
    return this.#nodes.length;
  }

  /** All daemons, in their order. */
  get nodes(): readonly ClusterNode[] {
    return this.#nodes;
  }

  get bootstrap(): Bootstrap {
    return this.node(0).platform.bootstrap;
  }

  node(index: number): ClusterNode {
    const node = this.#nodes[index];
    if (node === undefined) throw new RangeError(`there is no daemon ${index}`);
    return node;
  }

  /** A daemon, for agents and visitors of a test. */
  at(index: number): Place {
    const { address, ca } = this.node(index).platform;
    return { address, port: this.port, ca, bootstrap: this.bootstrap };
  }

  /** A visitor's GET of a host name or URL at one daemon. */
  async visit(index: number, where: string, init: Parameters<Platform['visit']>[1] = {}): Promise<Answer> {
    return await this.node(index).platform.visit(where, init);
  }

  /** A call of the management API at one daemon, with the key of the first account or another `key`. */
  async api(index: number, method: string, path: string, body?: unknown, key?: string): Promise<Answer> {
    const { api_key, base_url } = this.bootstrap;
    return await this.node(index).platform.client.request(new URL(path, base_url), {
      method,
      headers: {
        authorization: `Bearer ${key ?? api_key}`,
        'service-version': '2',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** SIGKILL. It stays away until `restart`. */
  async kill(index: number): Promise<void> {
    this.#frozen.delete(index);
    await this.node(index).platform.daemon.stop('SIGKILL');
  }

  /** Starts a daemon again that was killed, or restarts one that runs, and waits until it is ready. */
  async restart(index: number): Promise<void> {
    this.thaw(index);
    await this.node(index).platform.restart();
  }

  /** Restarts the workers of a daemon one after the other. Rejects with what the command printed. */
  async restartWorkers(index: number): Promise<void> {
    const { dataDir } = this.node(index).platform;
    const { code, stderr } = await underpassd(['workers', 'restart', '--data-dir', dataDir]);
    if (code !== 0) throw new Error(stderr);
  }

  /** SIGSTOP: the process gets no CPU time, and its connections stay open. */
  freeze(index: number): void {
    this.#frozen.add(index);
    this.node(index).platform.daemon.signal('SIGSTOP');
  }

  thaw(index: number): void {
    if (this.#frozen.delete(index)) this.node(index).platform.daemon.signal('SIGCONT');
  }

  /** Breaks the connections of a daemon to the database, and refuses new ones until `reconnect`. */
  disconnect(index: number): void {
    const { relay } = this.node(index);
    relay.lead(null);
    relay.cut();
  }

  reconnect(index: number): void {
    const { relay } = this.node(index);
    relay.lead(this.postgres.port);
    relay.release();
  }

  /** Starts one more daemon. */
  async add(): Promise<void> {
    await this.#add(this.size);
  }

  async stop(): Promise<void> {
    for (const index of this.#nodes.keys()) this.thaw(index);
    await Promise.all(this.#nodes.map(({ platform }) => platform.stop()));
    await Promise.all(this.#nodes.flatMap(({ relay, links }) => [relay.stop(), links?.stop()]));
    rmSync(this.#folder, { recursive: true, force: true });
    await this.postgres.stop();
  }

  async #add(index: number): Promise<void> {
    const { args = () => [], env = () => [], apart = false, direct = false } = this.#options;
    const { through: command = () => [], workers = 0 } = this.#options;
    const network = { delayMs: 0, linkDelayMs: 0 };
    const relay = await Relay.start({ port: this.postgres.port, delayMs: () => network.delayMs });
    const [linkPort = 0] = await freePorts(1);
    const links = apart ? await Relay.start({ port: linkPort, delayMs: () => network.linkDelayMs }) : null;
    const linked =
      links === null
        ? []
        : ['--link-listen', `127.0.0.1:${linkPort}`, '--link-address', `127.0.0.1:${links.port}`];
    try {
      const through = new URL(this.database);
      if (!direct) through.port = String(relay.port);
      const platform = await Platform.start({
        host: `127.0.0.${index + 1}`,
        port: this.port,
        through: [
          'env',
          `UNDERPASS_MASTER_KEY=${this.masterKey}`,
          `TMPDIR=${this.#temporaryFolder(apart)}`,
          ...env(index),
          ...command(index),
        ],
        args: ['--database', through.href, '--workers', String(workers), ...linked, ...args(index)],
      });
      this.#nodes.push(Object.assign(network, { platform, relay, links }));
    } catch (error) {
      await Promise.all([relay.stop(), links?.stop()]);
      throw error;
    }
  }

  /** Daemons that are apart get a folder whose path is too long for a Unix socket. */
  #temporaryFolder(apart: boolean): string {
    const folder = apart ? join(this.#folder, 'long-'.repeat(20)) : this.#folder;
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}
