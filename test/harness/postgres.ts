/**
 * A real PostgreSQL server of its own, from the binaries that Debian installs: no service of the machine is used.
 * In: nothing. Out: databases by URL, and a server that can be stopped, killed and started again. What may change here: conveniences.
 */
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { freePorts } from './platform.ts';
import { Process } from './process.ts';

const BINARIES = globSync('/usr/lib/postgresql/*/bin').filter((dir) => existsSync(join(dir, 'initdb')));
const PASSWORD = 'correct-horse';

/** Why there is no server to test with, for node:test's `skip`; false when there is one. */
export const postgresMissing: string | false =
  BINARIES.length === 0
    ? 'PostgreSQL is not installed: no initdb below /usr/lib/postgresql (apt-get install postgresql)'
    : process.getuid?.() === 0 && serverUser() === null
      ? 'PostgreSQL does not run as root, and there is no user "postgres" to run it as'
      : false;

export class Postgres {
  readonly dataDir: string;
  readonly #directory: string;
  readonly #port: number;
  readonly #args: readonly string[];
  #server: Process;
  #databases = 0;

  private constructor(directory: string, port: number, args: readonly string[]) {
    this.#directory = directory;
    this.dataDir = join(directory, 'data');
    this.#port = port;
    this.#args = args;
    this.#server = this.#spawn();
  }

  /** `durable`: with fsync, as it is meant to run. Without, it is faster. */
  static async start({ durable = false } = {}): Promise<Postgres> {
    const directory = mkdtempSync(join(tmpdir(), 'underpass-postgres-'));
    const passwordFile = join(directory, 'password');
    writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
    const user = process.getuid?.() === 0 ? serverUser() : null;
    if (user !== null) chownSync(directory, user.uid, user.gid);
    const initdb = run('initdb', directory, [
      ...['-D', join(directory, 'data'), '-U', 'underpass', '--auth=scram-sha-256', '--pwfile', passwordFile],
      ...['--encoding=UTF8', '--locale=C', '--no-sync', '--wal-segsize=1'],
    ]);
    const { code } = await initdb.exited;
    if (code !== 0) throw new Error(`initdb failed:\n${initdb.output}`);
    const [port] = (await freePorts(1)) as [number];
    const postgres = new Postgres(directory, port, durable ? [] : ['-F']);
    await postgres.#ready();
    return postgres;
  }

  /** The URL of a database; of the one that is always there unless named. */
  url(name = 'postgres', password = PASSWORD): string {
    return `postgres://underpass:${password}@127.0.0.1:${this.#port}/${name}`;
  }

  /** Makes an empty database and answers its URL. */
  async database(): Promise<string> {
    const name = `test${++this.#databases}`;
    await this.query(this.url(), `CREATE DATABASE ${name}`);
    return this.url(name);
  }

  async query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Every file that may hold what is stored, as bytes. */
  async contents(): Promise<Buffer> {
    await this.query(this.url(), 'CHECKPOINT');
    const files = globSync(['base/**/*', 'pg_wal/*'], { cwd: this.dataDir, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    return Buffer.concat(paths.map((path) => readFileSync(path)));
  }

  /** SIGINT ends every connection and shuts down cleanly; SIGQUIT leaves the rest to recovery. */
  async halt(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    await this.#server.stop(signal);
  }

  async resume(): Promise<void> {
    this.#server = this.#spawn();
    await this.#ready();
  }

  async stop(): Promise<void> {
    await this.halt('SIGQUIT');
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #ready(): Promise<void> {
    await this.#server.line(/database system is ready to accept connections/);
  }

  #spawn(): Process {
    const listen = ['-h', '127.0.0.1', '-p', String(this.#port), '-k', this.#directory];
    return run('postgres', this.#directory, ['-D', this.dataDir, ...listen, ...this.#args]);
  }
}

/** The server refuses to run as root. */
function run(program: string, cwd: string, args: readonly string[]): Process {
  const file = join(BINARIES.at(-1) ?? dirname(program), program);
  const user = process.getuid?.() === 0 ? serverUser() : null;
  return Process.program(file, args, { cwd, env: { LC_ALL: 'C', LC_MESSAGES: 'C' }, ...user });
}

function serverUser(): { readonly uid: number; readonly gid: number } | null {
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return uid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}
