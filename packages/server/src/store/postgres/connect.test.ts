import assert from 'node:assert/strict';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePorts, Postgres, postgresMissing, selfSigned } from '../../../../../test/harness/index.ts';
import { connect, connectReader } from './connect.ts';
import { isLasting, UnsuitableServerError } from './failure.ts';

describe('connections to PostgreSQL', { skip: postgresMissing }, () => {
  let server: Postgres;
  let directory: string;
  let root: string;
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.message);

  before(async () => {
    process.on('warning', warned);
    server = await Postgres.start();
    directory = mkdtempSync(join(tmpdir(), 'underpass-connect-'));
    root = join(directory, 'root.pem');
    const { pem, key } = selfSigned('localhost');
    writeFileSync(root, pem);
    const { uid, gid } = statSync(server.dataDir);
    for (const [name, text] of [
      ['server.crt', pem],
      ['server.key', key],
    ] as const) {
      const path = join(server.dataDir, name);
      writeFileSync(path, text, { mode: 0o600 });
      chownSync(path, uid, gid);
    }
    const other = selfSigned('localhost');
    writeFileSync(join(directory, 'other.pem'), other.pem);
  });
  after(async () => {
    process.off('warning', warned);
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  async function isEncrypted(url: string): Promise<boolean> {
    const client = await connect(url);
    try {
      const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      return rows[0]?.ssl;
    } finally {
      await client.end();
    }
  }

  const at = (host: string, query: string) => `${server.url().replace('127.0.0.1', host)}${query}`;

  test('a server without TLS: prefer and allow speak in clear text, require is refused', async () => {
    assert.equal(await isEncrypted(at('localhost', '')), false);
    assert.equal(await isEncrypted(at('localhost', '?sslmode=allow')), false);
    await assert.rejects(isEncrypted(at('localhost', '?sslmode=require')), /does not support SSL/);
  });

  test('a server with TLS: each mode verifies what libpq verifies, and nothing is warned of', async () => {
    await server.query(server.url(), 'ALTER SYSTEM SET ssl = on');
    await server.halt();
    await server.resume();
    const other = join(directory, 'other.pem');
    for (const [host, query, expected] of [
      ['localhost', '?sslmode=disable', false],
      ['localhost', '?sslmode=allow', false],
      ['localhost', '', true],
      ['127.0.0.1', '?sslmode=require', true],
      ['127.0.0.1', `?sslmode=require&sslrootcert=${root}`, true],
      ['127.0.0.1', `?sslmode=verify-ca&sslrootcert=${root}`, true],
      ['localhost', `?sslmode=verify-full&sslrootcert=${root}`, true],
      ['localhost', `?sslmode=verify-full&sslrootcert=${root}&hostaddr=127.0.0.1`, true],
    ] as const)
      assert.equal(await isEncrypted(at(host, query)), expected, `${host} ${query}`);
    for (const [host, query] of [
      ['127.0.0.1', `?sslmode=verify-full&sslrootcert=${root}`],
      ['localhost', `?sslmode=verify-full&sslrootcert=${other}`],
      ['localhost', `?sslmode=verify-ca&sslrootcert=${other}`],
      ['localhost', `?sslmode=require&sslrootcert=${other}`],
      ['localhost', `?sslmode=verify-full&sslrootcert=${directory}/none.pem`],
    ] as const)
      await assert.rejects(
        isEncrypted(at(host, query)),
        (error) => isLasting(error),
        `${host} ${query} lasts until the operator acts`,
      );
    assert.deepEqual(warnings, []);
  });

  test('of several hosts the primary is used, wherever it stands', async (context) => {
    const standby = await server.standby();
    context.after(() => standby.stop());
    const [nobody] = await freePorts(1);
    const url = (...ports: number[]) =>
      server.url().replace(/@[^/]*/, `@${ports.map((port) => `127.0.0.1:${port}`).join(',')}`);
    const reach = async (address: string) => {
      const client = await connectReader(
        address,
        () => {},
        () => {},
      );
      await client.end();
      return client.port;
    };
    assert.equal(await reach(url(nobody!, standby.port, server.port)), server.port);
    assert.equal(await reach(url(server.port, standby.port)), server.port);
    await assert.rejects(reach(url(standby.port)), UnsuitableServerError);
    await server.halt();
    await standby.promote();
    assert.equal(await reach(url(server.port, standby.port)), standby.port);
    await server.resume();
  });

  test('application_name and options reach the server', async () => {
    const client = await connect(at('localhost', '?application_name=mine&options=-c%20work_mem%3D1234kB'));
    const { rows } = await client.query(
      "SELECT current_setting('application_name') AS name, current_setting('work_mem') AS memory",
    );
    await client.end();
    assert.deepEqual({ ...rows[0] }, { name: 'mine', memory: '1234kB' });
  });
});
