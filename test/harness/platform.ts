/**
 * A real daemon on free ports with a temporary data dir, and everything a test needs around it, without mocks.
 * Invariant: `stop` leaves nothing behind.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { BoundSocket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Answer, Client } from './client.ts';
import { freePorts } from './free-ports.ts';
import { Process } from './process.ts';
import { Resources } from './resources.ts';
import { temporaryFolder } from './temporary-folder.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));

/** Options on which a daemon's OpenAPI document depends (`openApiDocument`). */
const DOCUMENT_OPTIONS = ['--base-url', '--version-header', '--profile'];

export interface Bootstrap {
  readonly base_url: string;
  readonly api_key: string;
  readonly authtoken: string;
  readonly account_id: string;
  readonly user_id: string;
  readonly ca_file: string;
  readonly domain: string;
  readonly connect_addr: string;
  readonly ssh_addr: string | null;
}

export interface PlatformOptions {
  /** API requests per account in 60 s; no limit unless given. */
  readonly apiRateLimit?: number;
  readonly args?: readonly string[];
  /** Sends events to the sites of the monitoring service. Such a test must replace those addresses. */
  readonly sites?: boolean;
  /** Directory of its state, which is removed with it; default a new one. */
  readonly dataDir?: string;
  /** Address that it listens on; default 127.0.0.1, `[::]` for every address of both families. */
  readonly host?: string;
  /** Port that it listens on; default a free one. */
  readonly port?: number;
  /** The daemon inherits its listening sockets, as from a service manager: they stay while it is restarted. */
  readonly inherited?: boolean;
  /** The daemon has no terminal: it leads a session of its own, as under a service manager. */
  readonly session?: boolean;
  /** A command that runs the daemon, such as one that limits it. */
  readonly through?: readonly string[];
}

/** Options of files that share a daemon. */
export type SharedOptions = Pick<PlatformOptions, 'args'>;

/** Platforms without a user, by their options. */
const idle = new Map<string, Platform>();

export interface RunningAgent {
  readonly process: Process;
  /** The public URL that it printed; '' for a labelled tunnel. */
  readonly url: string;
}

export interface AgentProcessOptions {
  /** It reports no requests. */
  readonly quiet?: boolean;
  /** Port to which it connects, if that is not the daemon's own. */
  readonly port?: number;
  readonly env?: NodeJS.ProcessEnv;
}

export class Platform {
  readonly dataDir: string;
  readonly port: number;
  readonly adminPort: number;
  readonly #options: PlatformOptions;
  readonly #agents: Process[] = [];
  /** Inherited sockets: of the front door, and of the admin listener. */
  readonly #sockets: readonly BoundSocket[];
  #daemon: Process;
  #client: Client | null = null;
  /** Initial resources of a shared platform. */
  #first: Resources | null = null;

  private constructor(
    dataDir: string,
    ports: readonly number[],
    sockets: readonly BoundSocket[],
    options: PlatformOptions,
  ) {
    this.dataDir = dataDir;
    [this.port = 0, this.adminPort = 0] = ports;
    this.#sockets = sockets;
    this.#options = options;
    this.#daemon = this.#spawn();
  }

  static async start(options: PlatformOptions = {}): Promise<Platform> {
    const dataDir = options.dataDir ?? temporaryFolder('underpass-test-');
    const sockets = options.inherited
      ? ['listen', 'admin-listen'].map(() => new BoundSocket({ host: '127.0.0.1' }))
      : [];
    const ports = options.inherited ? sockets.map((socket) => socket.address().port) : await freePorts(2);
    if (options.port !== undefined) ports[0] = options.port;
    const platform = new Platform(dataDir, ports, sockets, options);
    try {
      await platform.#daemon.line(/^ready /);
    } catch (error) {
      await platform.stop();
      throw error;
    }
    return platform;
  }

  /**
   * One for file after file of this process, which cost little more than their tests. `stop` takes away what a file has made, and ends
   * the daemon where something stays. Not for a file that reads metrics or uses limits of a source up: those stay.
   */
  static async shared(options: SharedOptions = {}): Promise<Platform> {
    const key = JSON.stringify(options);
    const found = idle.get(key);
    idle.delete(key);
    if (found !== undefined) {
      found.#daemon.isWaitedFor = true;
      return found;
    }
    const platform = await Platform.start(options);
    platform.#first = await Resources.in(platform);
    process.once('exit', () => rmSync(platform.dataDir, { recursive: true, force: true }));
    return platform;
  }

  get daemon(): Process {
    return this.#daemon;
  }

  /** Address on this machine at which it is reached. */
  get address(): string {
    const { host = '127.0.0.1' } = this.#options;
    return host === '[::]' ? '127.0.0.1' : host;
  }

  get bootstrap(): Bootstrap {
    return JSON.parse(readFileSync(join(this.dataDir, 'bootstrap.json'), 'utf8')) as Bootstrap;
  }

  get ca(): string {
    return readFileSync(join(this.dataDir, 'ca.pem'), 'utf8');
  }

  get client(): Client {
    const { args = [] } = this.#options;
    const hasOwnDocument = DOCUMENT_OPTIONS.some((option) => args.includes(option));
    this.#client ??= new Client(this.port, this.ca, !hasOwnDocument, this.address);
    return this.#client;
  }

  /** A call of the management API with the bootstrap key. */
  async api(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { api_key, base_url } = this.bootstrap;
    return await this.client.request(new URL(path, base_url), {
      method,
      headers: {
        authorization: `Bearer ${api_key}`,
        'service-version': '2',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** A visitor's GET of a public URL, given as host name or URL. */
  async visit(where: string, init: Parameters<Client['request']>[1] = {}): Promise<Answer> {
    const url = where.includes('://') ? where : `https://${where}:${this.port}/`;
    return await this.client.request(new URL(url), init);
  }

  /**
   * A real agent as a child process, ready when it has printed its URL (or, labelled, that it is online).
   */
  async agent(
    args: readonly string[],
    { quiet = false, port = this.port, env = {} }: AgentProcessOptions = {},
  ): Promise<RunningAgent> {
    const { authtoken, ca_file, ...bootstrap } = this.bootstrap;
    const connect_addr = bootstrap.connect_addr.replace(/:\d+$/, `:${port}`);
    const credential = args.includes('--authtoken') ? [] : ['--authtoken', authtoken];
    const connection = ['--server', connect_addr, '--ca', ca_file, '--json', ...credential];
    const inspect = args.some((arg) => arg.startsWith('--inspect')) ? [] : ['--inspect=false'];
    const flags = [...connection, ...inspect, ...(quiet ? ['--quiet'] : [])];
    const process = Process.node(AGENT, [...args, ...flags], { env });
    this.#agents.push(process);
    const line = await process.line(/"event":"tunnel"/);
    const { url } = JSON.parse(line.input) as { url?: string };
    return { process, url: url ?? '' };
  }

  /** Returns true if the bytes are in a file of the data dir other than bootstrap.json. */
  async grepDataDir(text: string): Promise<boolean> {
    const entries = readdirSync(this.dataDir, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name !== 'bootstrap.json');
    return files.some(({ name }) => contentsOf(join(this.dataDir, name)).includes(text));
  }

  /** kill -9, then a new daemon on the same data dir and ports. `meanwhile` is what happens while no daemon runs. */
  async killAndRestart(meanwhile?: () => Promise<void>): Promise<void> {
    await this.#daemon.stop('SIGKILL');
    await this.restart(meanwhile);
  }

  /** `meanwhile` is what happens to its state while no daemon runs. */
  async restart(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    await this.#daemon.stop();
    await meanwhile();
    this.#daemon = this.#spawn();
    await this.#daemon.line(/^ready /);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#agents.splice(0).map((agent) => agent.stop()));
    if (await this.#isAsNew()) return this.#leaveToOthers();
    await this.#client?.close();
    await this.#daemon.stop();
    for (const socket of this.#sockets) socket.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async #isAsNew(): Promise<boolean> {
    const isRestored = await this.#first?.restore(this).catch(() => false);
    return isRestored === true;
  }

  async #leaveToOthers(): Promise<void> {
    await this.#client?.close();
    this.#client = null;
    this.#daemon.forgetOutput();
    this.#daemon.isWaitedFor = false;
    idle.set(JSON.stringify(this.#options), this);
  }

  #spawn(): Process {
    const { apiRateLimit = 0, args = [], host = '127.0.0.1', through = [], sites = false } = this.#options;
    // Agents of tests need no time to go to other daemons.
    const leaving = args.includes('--leave-seconds') ? [] : ['--leave-seconds', '0'];
    const options = [
      ...['--listen', `${host}:${this.port}`, '--admin-listen', `127.0.0.1:${this.adminPort}`],
      ...['--domain', 'underpass.localhost', '--data-dir', this.dataDir],
      ...['--api-rate-limit', String(apiRateLimit)],
      ...leaving,
      ...(sites ? [] : ['--monitoring-intake-url', 'http://127.0.0.1:1']),
    ];
    const inheriting = {
      through: ['/bin/sh', '-c', 'LISTEN_PID=$$ exec "$0" "$@"'],
      env: { LISTEN_FDS: '2', LISTEN_FDNAMES: 'listen:admin-listen' },
      descriptors: this.#sockets.map((socket) => socket.fd()),
    };
    const how = this.#sockets.length === 0 ? { through } : inheriting;
    const { session: group = false } = this.#options;
    return Process.node(DAEMON, ['serve', ...options, ...args], { ...how, group });
  }
}

/** Nothing, of a file that the daemon has removed since it was listed, as it does with temporary ones. */
function contentsOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return Buffer.alloc(0);
  }
}
