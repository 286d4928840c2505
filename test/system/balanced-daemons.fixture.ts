/**
 * Three daemons with the file of the guide of balancers, and the other blocks of the guide for this machine. Addresses
 * of the guide are replaced with loopback addresses, and ports with free ones.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Bootstrap,
  Client,
  freePortRange,
  freePorts,
  Postgres,
  Process,
  underpassd,
} from '../harness/index.ts';
import { blocksOf, withPorts } from './documented-commands.fixture.ts';

const GUIDE = 'docs/run/balancers.md';
const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
/** Addresses of the guide, and those for them here. */
const ADDRESSES = [
  ['10.0.0.', '127.0.0.'],
  ['203.0.113.10', '127.0.0.20'],
  ['203.0.113.', '127.0.0.'],
] as const;
/** The public address of the balancer. */
export const BALANCER = '127.0.0.20';
const MASTER_KEY = 'ab'.repeat(32);
export const NUMBERS = [11, 12, 13] as const;
export type Number3 = (typeof NUMBERS)[number];
/** Names of tunnels. */
export const HOSTS = ['red', 'green', 'blue'].map((name) => `${name}.example.com`);

export class BalancedDaemons {
  readonly ports: Readonly<Record<string, number>>;
  readonly folder = mkdtempSync(join(tmpdir(), 'underpass-balanced-'));
  readonly #postgres: Postgres;
  readonly #database: string;
  readonly #daemons = new Map<Number3, Process>();

  private constructor(postgres: Postgres, database: string, ports: Readonly<Record<string, number>>) {
    this.#postgres = postgres;
    this.#database = database;
    this.ports = ports;
  }

  static async start(): Promise<BalancedDaemons> {
    const postgres = await Postgres.shared();
    const [https = 0, plain = 0, ssh = 0, admin = 0, link = 0] = await freePorts(5);
    const first = await freePortRange(100);
    const tcp = { 20000: first, 20099: first + 99 };
    const ports = { 443: https, 80: plain, 2222: ssh, 9090: admin, 8444: link, ...tcp };
    const daemons = new BalancedDaemons(postgres, await postgres.database(), ports);
    try {
      for (const number of NUMBERS) await daemons.run(number);
    } catch (error) {
      await daemons.stop();
      throw error;
    }
    return daemons;
  }

  /** The only block of the guide in this language, for this machine. */
  block(language: string): string {
    const [block, ...others] = blocksOf(GUIDE).filter((one) => one.language === language);
    assert.ok(block !== undefined && others.length === 0, language);
    let text = withPorts(block.text, this.ports);
    for (const [documented, here] of ADDRESSES) text = text.replaceAll(documented, here);
    return text;
  }

  /** Writes a file into the folder of this test; returns its path. */
  write(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  /** Starts a daemon that does not run, and waits until it is ready. */
  async run(number: Number3): Promise<void> {
    const config = this.write(
      `${number}.yaml`,
      this.block('yaml').replaceAll('127.0.0.11', `127.0.0.${number}`),
    );
    const dataDir = join(this.folder, String(number));
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const own = ['--data-dir', dataDir, '--database', this.#database, '--node-name', `node-${number}`];
    const test = ['--api-rate-limit', '0', '--leave-seconds', '4'];
    const args = ['serve', '--config', config, ...own, ...test, '--access-log', 'all'];
    const daemon = Process.node(DAEMON, args, { env: { UNDERPASS_MASTER_KEY: MASTER_KEY } });
    this.#daemons.set(number, daemon);
    await daemon.line(/^ready /);
  }

  daemon(number: Number3): Process {
    const daemon = this.#daemons.get(number);
    assert.ok(daemon !== undefined);
    return daemon;
  }

  get bootstrap(): Bootstrap {
    return JSON.parse(readFileSync(join(this.folder, '11/bootstrap.json'), 'utf8')) as Bootstrap;
  }

  get caFile(): string {
    return join(this.folder, '11/ca.pem');
  }

  get ca(): string {
    return readFileSync(this.caFile, 'utf8');
  }

  /** A call of the management API at a daemon. */
  async api(method: string, path: string, body?: unknown, number: Number3 = 11) {
    const client = new Client(this.ports[443]!, this.ca, false, `127.0.0.${number}`);
    try {
      return await client.unchecked(new URL(path, this.bootstrap.base_url), {
        method,
        headers: {
          authorization: `Bearer ${this.bootstrap.api_key}`,
          ...{ 'service-version': '2', 'content-type': 'application/json' },
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } finally {
      await client.close();
    }
  }

  /** Runs `underpassd nodes` with these arguments. */
  async nodes(...args: readonly string[]): Promise<void> {
    const dataDir = join(this.folder, '11');
    const { code, stderr } = await underpassd(
      ['nodes', ...args, '--database', this.#database, '--data-dir', dataDir],
      { UNDERPASS_MASTER_KEY: MASTER_KEY },
    );
    assert.equal(code, 0, stderr);
  }

  /**
   * An agent with one connection that `through` starts, which resolves the names of the service. Waits for its tunnel. The caller stops
   * it. With a connection to each daemon, nothing would move.
   */
  async agent(args: readonly string[], through: readonly string[]): Promise<Process> {
    const connection = [
      '--connections',
      '1',
      '--server',
      `connect.example.com:${this.ports[443]}`,
      '--ca',
      this.caFile,
    ];
    const agent = Process.node(AGENT, [...args, ...connection, '--json', '--inspect=false'], {
      through,
      env: { UNDERPASS_AUTHTOKEN: this.bootstrap.authtoken },
    });
    await agent.line(/"event":"tunnel"/).catch(async (error: unknown) => {
      await agent.stop();
      throw error;
    });
    return agent;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#daemons.values()].map((daemon) => daemon.stop('SIGKILL')));
    await this.#postgres.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Number of times that an agent with `--json` was offline. */
export function timesOffline(agent: Process): number {
  return agent.lines.filter((line) => line.includes('"state":"offline"')).length;
}

/** Returns a resolver that leads every name to these addresses. */
export function leadingTo(...addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: 4 }));
  return (_host, options, done) => {
    if (options.all === true) done(null, found);
    else done(null, addresses[0] ?? '', 4);
  };
}
