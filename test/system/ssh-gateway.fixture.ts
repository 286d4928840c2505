/** A daemon with its SSH gateway, and real OpenSSH clients that start tunnels there with keys of their own. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePortRange,
  freePorts,
  inTime,
  makeSshKey,
  Platform,
  type Process,
  sshClient,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';

/** More than the tests have at a time. */
const TCP_PORTS = 10;

/** A key pair that is an SSH credential. */
export interface Registered {
  /** Path of the private key. */
  readonly path: string;
  readonly line: string;
  /** Id of the credential. */
  readonly id: string;
}

export class Gateway {
  readonly platform: Platform;
  /** Returns each request in its response. */
  readonly upstream: Upstream;
  /** Folder for files of a test. */
  readonly directory: string;
  readonly port: number;
  readonly #clients: Process[] = [];
  #home: Registered | null = null;
  #keys = 0;

  static async start(): Promise<Gateway> {
    const [port = 0] = await freePorts(1);
    // A reserved address is not tried before it is given: other daemons of the run give others.
    const first = await freePortRange(TCP_PORTS);
    const tcpPorts = `${first}-${first + TCP_PORTS - 1}`;
    const platform = await Platform.start({
      args: ['--ssh-listen', `127.0.0.1:${port}`, '--tcp-ports', tcpPorts],
    });
    const upstream = await startUpstream((request, response) =>
      response.end(`${request.headers.host} ${request.url}`),
    );
    const gateway = new Gateway(platform, upstream, port);
    gateway.#home = await gateway.register();
    return gateway;
  }

  private constructor(platform: Platform, upstream: Upstream, port: number) {
    this.platform = platform;
    this.upstream = upstream;
    this.port = port;
    this.directory = mkdtempSync(join(tmpdir(), 'underpass-gateway-'));
  }

  /** The registered key for clients that need no credential of their own. */
  get home(): Registered {
    assert.ok(this.#home !== null);
    return this.#home;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.stop('SIGKILL')));
    await this.platform.stop();
    await this.upstream.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** A new key, as an SSH credential. */
  async register(fields: object = {}): Promise<Registered> {
    const key = makeSshKey(this.directory, `key${++this.#keys}`, ['-t', 'ed25519']);
    const { id } = await this.create('/ssh_credentials', { public_key: key.line, ...fields });
    return { ...key, id };
  }

  async create(path: string, body: object): Promise<{ id: string; certificate: string }> {
    const answer = await this.platform.api('POST', path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  }

  run(options: readonly string[], command: readonly string[], key = this.home.path): Process {
    const client = sshClient(this.port, key, options, command);
    this.#clients.push(client);
    return client;
  }

  /** Returns `-R` for the upstream; `at` is the text before its address. */
  forward(at: string, port = this.upstream.port): readonly string[] {
    return ['-R', `${at}:localhost:${port}`];
  }

  async sessionOf(credential: string) {
    const { json } = await this.platform.api('GET', '/tunnel_sessions');
    return json.tunnel_sessions.find(
      (one: { credential: { id: string } }) => one.credential.id === credential,
    );
  }
}

/** The URL of a client that has its tunnel. */
export async function online(client: Process): Promise<string> {
  const [, url = ''] = await client.line(/Forwarding {2}(\S+)/);
  return url;
}

/** Waits for the end of a client; returns its output and exit status. */
export async function ended(client: Process) {
  const { code } = await inTime(client.exited, () => `the end of ssh:\n${client.output}`);
  return { code, output: client.output };
}
