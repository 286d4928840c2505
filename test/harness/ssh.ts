/** OpenSSH as the judge: a real `sshd` on loopback, and a real `ssh` with the configuration of a test only. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { missing, missingPrograms } from './missing.ts';
import { Process } from './process.ts';

const SSHD = '/usr/sbin/sshd';

/** The reason to skip tests that need OpenSSH's clients; false if there is none. */
export const sshMissing = missingPrograms('ssh', 'ssh-keygen');
/** The reason to skip tests that need its server, too. */
export const sshServerMissing = sshMissing || missing('sshd', existsSync(SSHD), 'openssh-server');

export interface HostKey {
  /** Path of the private key. */
  readonly path: string;
  /** The line for its `-cert.pub` file. */
  readonly certificate?: string;
}

export interface SshServerOptions {
  readonly hostKeys: readonly HostKey[];
  /** Public keys of the authorities whose user certificates let anybody in that they name. */
  readonly userAuthorities?: readonly string[];
  /** Lines of the user's authorized_keys file. */
  readonly authorizedKeys?: readonly string[];
}

/** A server that lets in the user who runs the tests, under that user's own name. */
export class SshServer {
  readonly port: number;
  readonly #process: Process;
  readonly #directory: string;

  private constructor(port: number, process: Process, directory: string) {
    this.port = port;
    this.#process = process;
    this.#directory = directory;
  }

  static async start(options: SshServerOptions): Promise<SshServer> {
    const directory = mkdtempSync(join(tmpdir(), 'underpass-sshd-'));
    const [port] = (await freePorts(1)) as [number];
    const write = (name: string, lines: readonly string[]): string => {
      const path = join(directory, name);
      writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
      return path;
    };
    const hostKeys = options.hostKeys.flatMap(({ path, certificate }, index) => [
      `HostKey ${path}`,
      ...(certificate === undefined
        ? []
        : [`HostCertificate ${write(`host${index}-cert.pub`, [certificate])}`]),
    ]);
    const config = write('sshd_config', [
      `ListenAddress 127.0.0.1:${port}`,
      ...hostKeys,
      `TrustedUserCAKeys ${write('authorities.pub', options.userAuthorities ?? [])}`,
      `AuthorizedKeysFile ${write('authorized_keys', options.authorizedKeys ?? [])}`,
      'PidFile none',
      'UsePAM no',
      'StrictModes no',
      'PermitRootLogin yes',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'MaxStartups 100',
      'LogLevel VERBOSE',
    ]);
    // Run by root, it gives up its rights in this directory.
    if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    const process = Process.program(SSHD, ['-D', '-e', '-f', config]);
    const server = new SshServer(port, process, directory);
    try {
      await process.line(/^Server listening on /);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** Log of the server. */
  get log(): string {
    return this.#process.output;
  }

  /** Waits for a line of the log. */
  async logged(pattern: RegExp): Promise<void> {
    await this.#process.line(pattern);
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** A key pair of `ssh-keygen`: the path of the private key, and the public line. */
export function makeSshKey(directory: string, name: string, args: readonly string[]) {
  const path = join(directory, name);
  execFileSync('ssh-keygen', ['-q', '-N', '', '-C', name, '-f', path, ...args]);
  return { path, line: readFileSync(`${path}.pub`, 'utf8').trim() };
}

/**
 * A real `ssh` that goes on, with a key of `makeSshKey` and no configuration but `args`: what comes first holds. It trusts any host key.
 */
export function sshClient(
  port: number,
  key: string,
  args: readonly string[],
  command: readonly string[] = [],
): Process {
  const fixed = [
    'BatchMode=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'GlobalKnownHostsFile=/dev/null',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
  ].flatMap((option) => ['-o', option]);
  const options = [...args, ...fixed, '-F', 'none', '-i', key, '-p', String(port)];
  return Process.program('ssh', [...options, '127.0.0.1', ...command], {
    // Input needs a terminal.
    typed: args.includes('-tt'),
    // ssh needs the variable for -X.
    env: { DISPLAY: '127.0.0.1:0' },
  });
}

/** Runs `echo in` on a server of this machine, as the user who runs the tests. The options are `name=value` of ssh_config(5). */
export async function ssh(
  port: number,
  options: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const fixed = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    'GlobalKnownHostsFile=none',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'UpdateHostKeys=no',
    'LogLevel=VERBOSE',
    // The default costs a multiple of everything else in such a short session.
    'KexAlgorithms=curve25519-sha256',
  ];
  const flags = [...fixed, ...options].flatMap((option) => ['-o', option]);
  const target = `${userInfo().username}@127.0.0.1`;
  const child = spawn('ssh', ['-F', 'none', ...flags, '-p', String(port), target, 'echo in'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output };
}
