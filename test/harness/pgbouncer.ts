/** PgBouncer with its defaults before a server of a test: only the way in, the database and the user are given. */
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { missing } from './missing.ts';
import { Process } from './process.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
/** The reason for node:test's `skip`; false if PgBouncer is installed. */
export const pgbouncerMissing = missing('PgBouncer', existsSync(PROGRAM), 'pgbouncer');

export class PgBouncer {
  /** The URL of the same database through it. */
  readonly url: string;
  readonly #process: Process;
  readonly #directory: string;

  private constructor(url: string, process: Process, directory: string) {
    this.url = url;
    this.#process = process;
    this.#directory = directory;
  }

  /** `settings`: lines of its configuration besides the defaults. */
  static async start(database: string, ...settings: readonly string[]): Promise<PgBouncer> {
    const url = new URL(database);
    const [port = 0] = await freePorts(1);
    const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-test-'));
    const name = url.pathname.slice(1);
    const lines = [
      '[databases]',
      `${name} = host=127.0.0.1 port=${url.port} dbname=${name}`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
      ...['auth_type = scram-sha-256', `auth_file = ${join(directory, 'users')}`],
      ...settings,
    ];
    writeFileSync(join(directory, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
    writeFileSync(join(directory, 'users'), `"${url.username}" "${url.password}"\n`);
    const user = process.getuid?.() === 0 ? serverUser() : null;
    if (user !== null)
      for (const path of ['', 'pgbouncer.ini', 'users']) chownSync(join(directory, path), user.uid, user.gid);
    const started = Process.program(PROGRAM, [join(directory, 'pgbouncer.ini')], { cwd: directory, ...user });
    await started.line(/process up/);
    url.port = String(port);
    return new PgBouncer(url.href, started, directory);
  }

  get output(): string {
    return this.#process.output;
  }

  async stop(): Promise<void> {
    await this.#process.stop('SIGQUIT');
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** PgBouncer refuses to run as root. */
function serverUser(): { readonly uid: number; readonly gid: number } | null {
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return uid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}
