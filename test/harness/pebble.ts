/** A certificate authority with ACME, and its DNS: Debian's `pebble`, with an authority of its own for its directory. */
import { Resolver } from 'node:dns/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeChain } from '../../packages/server/src/pki/certificates.fixture.ts';
import { freePorts } from './free-ports.ts';
import { missingPrograms } from './missing.ts';
import { Process } from './process.ts';
import { eventually } from './until.ts';

/** Reason why there can be none here; false when there can. */
export const pebbleMissing = missingPrograms('pebble');

export interface PebbleOptions {
  /** `PEBBLE_…`, such as how many nonces it rejects. */
  readonly env?: Readonly<Record<string, string>>;
  /** Name server, `IP:PORT`; default one of its own. */
  readonly dns?: string;
  /** Names that it never signs. */
  readonly blocked?: readonly string[];
  /** Refuses what the authority tolerates otherwise, such as an empty update of an account. Default: false. */
  readonly isStrict?: boolean;
  /** Only who knows this key gets an account. */
  readonly externalAccount?: { readonly kid: string; readonly hmacKey: string };
}

/** Ports at which it connects to all names, whatever their addresses are. */
export interface NamesServed {
  readonly tlsPort: number;
  readonly httpPort?: number;
}

interface Ports {
  readonly directory: number;
  readonly management: number;
  readonly dns: number;
  readonly dnsManagement: number;
}

export class Pebble {
  readonly #folder = mkdtempSync(join(tmpdir(), 'underpass-pebble-'));
  readonly #ports: Ports;
  readonly #options: PebbleOptions;
  readonly #root: string;
  readonly #dns: Process;
  #process: Process | null = null;

  private constructor(options: PebbleOptions, ports: Ports) {
    this.#options = options;
    this.#ports = ports;
    const { root, leaf, intermediate, key } = makeChain('localhost', { names: 'DNS:localhost,IP:127.0.0.1' });
    this.#root = root;
    this.#put('root.pem', root);
    this.#put('cert.pem', leaf + intermediate);
    this.#put('key.pem', key);
    this.#dns = Process.program('pebble-challtestsrv', [
      ...['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', ''],
      ...['-dns01', `127.0.0.1:${ports.dns}`, '-management', `127.0.0.1:${ports.dnsManagement}`],
    ]);
  }

  /** Its address is known, and nothing answers there but the DNS. */
  static async prepare(options: PebbleOptions = {}): Promise<Pebble> {
    const [directory = 0, management = 0, dns = 0, dnsManagement = 0] = await freePorts(4);
    const pebble = new Pebble(options, { directory, management, dns, dnsManagement });
    const resolver = new Resolver({ timeout: 1000, tries: 1 });
    resolver.setServers([`127.0.0.1:${dns}`]);
    await eventually(async () => {
      await Promise.all([resolver.resolve4('any.example'), fetch(`http://127.0.0.1:${dnsManagement}/`)]);
    });
    return pebble;
  }

  /** Options of a daemon that uses it. */
  get args(): string[] {
    return ['--acme-directory', this.directory, '--acme-ca', join(this.#folder, 'root.pem')];
  }

  /** PEM of the authority of its directory. */
  get authority(): string {
    return this.#root;
  }

  get directory(): string {
    return `https://127.0.0.1:${this.#ports.directory}/dir`;
  }

  get dns(): string {
    return this.#options.dns ?? `127.0.0.1:${this.#ports.dns}`;
  }

  /** It is away until it is started again, and has then forgotten everything. */
  async interrupt(): Promise<void> {
    await this.#process?.stop();
  }

  async start({ tlsPort, httpPort = 1 }: NamesServed): Promise<void> {
    const { externalAccount, env, blocked = [], isStrict = false } = this.#options;
    const listening = (port: number): string => `127.0.0.1:${port}`;
    const keys = externalAccount && { [externalAccount.kid]: externalAccount.hmacKey };
    const pebble = {
      ...{ listenAddress: listening(this.#ports.directory), tlsPort, httpPort },
      managementListenAddress: listening(this.#ports.management),
      certificate: join(this.#folder, 'cert.pem'),
      privateKey: join(this.#folder, 'key.pem'),
      domainBlocklist: blocked,
      externalAccountBindingRequired: externalAccount !== undefined,
      ...(keys === undefined ? {} : { externalAccountMACKeys: keys }),
    };
    const config = this.#put('pebble.json', JSON.stringify({ pebble }));
    // Fast, and without random behaviour, unless a test requests it.
    const usual = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0', PEBBLE_AUTHZREUSE: '0' };
    const args = ['-config', config, '-dnsserver', this.dns, ...(isStrict ? ['-strict'] : [])];
    this.#process = Process.program('pebble', args, { env: { ...usual, ...env } });
    // Each listens by itself.
    await eventually(async () => {
      await Promise.all([this.root(), this.#get(this.#ports.directory, '/dir')]);
    });
  }

  /** The authority that certificates are signed by, in PEM. */
  async root(): Promise<string> {
    return this.#get(this.#ports.management, '/roots/0');
  }

  /** Lines of its log. */
  get lines(): readonly string[] {
    return this.#process?.lines ?? [];
  }

  /** Changes the DNS, such as `add-a` with `{ host, addresses }`. */
  async setDns(what: string, body: object): Promise<void> {
    const url = `http://127.0.0.1:${this.#ports.dnsManagement}/${what}`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${what}: ${answer.status}`);
  }

  /** Pauses its validations while `act` runs; they follow right after. */
  async paused(act: () => Promise<void>): Promise<void> {
    this.#process?.signal('SIGSTOP');
    try {
      await act();
    } finally {
      this.#process?.signal('SIGCONT');
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#process?.stop(), this.#dns.stop()]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #get(port: number, path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, ca: this.#root }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.once('end', () => resolve(text));
      });
      asked.once('error', reject).end();
    });
  }

  #put(name: string, text: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, text);
    return path;
  }
}
