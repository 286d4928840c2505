/**
 * A real PostgreSQL server from Debian's binaries: one for all files of a run, or a separate one for a test that
 * stops it.
 * Invariant: it is never a service of the machine, and files do not see each other's databases.
 */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePorts } from './free-ports.ts';
import { missing } from './missing.ts';
import { Process } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { eventually } from './until.ts';

const BINARIES = globSync('/usr/lib/postgresql/*/bin').filter((dir) => existsSync(join(dir, 'initdb')));
const PASSWORD = 'correct-horse';
/** Variable with the location of the server that a run of tests shares, as JSON. */
const SHARED = 'TEST_POSTGRES';

/** Reason why there is no server to test with, for node:test's `skip`; false when there is one. */
export const postgresMissing: string | false =
  missing('PostgreSQL', BINARIES.length > 0, 'postgresql') ||
  (process.getuid?.() === 0 && serverUser() === null
    ? 'PostgreSQL does not run as root, and there is no user "postgres" to run it as'
    : false);

interface Location {
  readonly directory: string;
  readonly port: number;
}

/** Connections for concurrent files, each with the pools of a few daemons. */
const CONNECTIONS = ['-c', 'max_connections=300'];
/** Nothing outlives a run of tests, and nothing in it has to be tidied up; the log, of which tests read all, stays small. */
const FLEETING = [
  '-F',
  ...['autovacuum=off', 'min_wal_size=2MB', 'max_wal_size=64MB'].flatMap((one) => ['-c', one]),
];
/** Otherwise an empty database is written into the log page by page, for five times the CPU; older servers know no other way. */
const BY_COPY =
  Number(/postgresql\/(\d+)/.exec(BINARIES.at(-1) ?? '')?.[1]) >= 15 ? ' STRATEGY FILE_COPY' : '';
/** Bytes for the empty databases of a run, 8 MB each. */
const ROOM = { leastBytes: 4 * 2 ** 30 };

export class Postgres {
  readonly dataDir: string;
  readonly #directory: string;
  readonly #port: number;
  readonly #args: readonly string[];
  readonly #databases: string[] = [];
  /** Null for that of the whole run. */
  #server: Process | null;

  private constructor({ directory, port }: Location, args: readonly string[] | null) {
    this.#directory = directory;
    this.dataDir = join(directory, 'data');
    this.#port = port;
    this.#args = args ?? [];
    this.#server = args === null ? null : this.#spawn();
  }

  /** The server of this run of tests (scripts/test.ts), or one of its own for a file that is run by itself. It cannot be halted. */
  static async shared(): Promise<Postgres> {
    const location = process.env[SHARED];
    return location === undefined
      ? await Postgres.start()
      : new Postgres(JSON.parse(location) as Location, null);
  }

  /** Environment by which child processes use this server as their shared one. */
  get environment(): Readonly<Record<string, string>> {
    return { [SHARED]: JSON.stringify({ directory: this.#directory, port: this.#port } satisfies Location) };
  }

  /** `durable`: with fsync, as it is meant to run. Without, it is faster. */
  static async start({ durable = false } = {}): Promise<Postgres> {
    const name = 'underpass-postgres-';
    const directory = durable ? mkdtempSync(join(tmpdir(), name)) : temporaryFolder(name, ROOM);
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
    const postgres = new Postgres({ directory, port }, [...CONNECTIONS, ...(durable ? [] : FLEETING)]);
    await postgres.#ready();
    return postgres;
  }

  /** A standby of this server, which follows it asynchronously: what it has not received is lost when it is promoted. */
  async standby(): Promise<Postgres> {
    const directory = temporaryFolder('underpass-standby-', ROOM);
    const user = process.getuid?.() === 0 ? serverUser() : null;
    if (user !== null) chownSync(directory, user.uid, user.gid);
    const copy = run('pg_basebackup', directory, [
      ...['-D', join(directory, 'data'), '--dbname', this.url(), '--checkpoint=fast', '--no-sync'],
      '--write-recovery-conf',
    ]);
    const { code } = await copy.exited;
    if (code !== 0) throw new Error(`pg_basebackup failed:\n${copy.output}`);
    const [port] = (await freePorts(1)) as [number];
    const standby = new Postgres({ directory, port }, this.#args);
    await standby.#ready();
    return standby;
  }

  /** Makes a primary of a standby, on a timeline of its own. */
  async promote(): Promise<void> {
    await this.query(this.url(), 'SELECT pg_promote(true, 60)');
  }

  get port(): number {
    return this.#port;
  }

  /** The URL of a database; of the one that is always there unless named. */
  url(name = 'postgres', password = PASSWORD): string {
    return `postgres://underpass:${password}@127.0.0.1:${this.#port}/${name}`;
  }

  /** Makes a database and answers its URL. It is empty, or a copy of one that has no connections. */
  async database(original = 'template1'): Promise<string> {
    const name = `test_${randomBytes(8).toString('hex')}`;
    this.#databases.push(name);
    await this.query(this.url(), `CREATE DATABASE ${name} TEMPLATE ${original}${BY_COPY}`);
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

  /** Every file that may hold what is stored in the databases that were made here, as bytes, and dumps, as long texts are compressed in files. */
  async contents(): Promise<Buffer> {
    await this.query(this.url(), 'CHECKPOINT');
    const rows = await this.query(this.url(), 'SELECT oid, datname FROM pg_database');
    const own = rows.filter(({ datname }) => this.#databases.includes(String(datname)));
    const dumps = await Promise.all(own.map(({ datname }) => this.#dump(String(datname))));
    let files: readonly Buffer[] = [];
    // A checkpoint of another test renames files of the log between the listing and the read.
    await eventually(() => {
      files = this.#read([...own.map(({ oid }) => `base/${oid}/**/*`), 'pg_wal/*']);
    });
    return Buffer.concat([...files, ...dumps]);
  }

  #read(patterns: readonly string[]): readonly Buffer[] {
    const found = globSync(patterns, { cwd: this.dataDir, withFileTypes: true });
    const paths = found.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    return paths.map((path) => readFileSync(path));
  }

  async #dump(name: string): Promise<Buffer> {
    const file = join(BINARIES.at(-1) ?? '', 'pg_dump');
    const options = { encoding: 'buffer', maxBuffer: Number.POSITIVE_INFINITY } as const;
    return (await promisify(execFile)(file, ['--dbname', this.url(name)], options)).stdout;
  }

  /** SIGINT ends every connection and shuts down cleanly; SIGQUIT and SIGKILL leave the rest to recovery. */
  async halt(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    if (this.#server === null)
      throw new Error('other tests use this server: start one with Postgres.start()');
    await this.#server.stop(signal);
  }

  async resume(): Promise<void> {
    this.#server = this.#spawn();
    await this.#ready();
  }

  async stop(): Promise<void> {
    // Databases of a shared server go with it: dropping one waits for every connection of all others.
    if (this.#server === null) return;
    await this.halt('SIGQUIT');
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #ready(): Promise<void> {
    await this.#server?.line(/database system is ready to accept (read-only )?connections/);
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
