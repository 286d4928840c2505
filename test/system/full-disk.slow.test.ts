/**
 * A full disk.
 * Invariant: reads and traffic continue.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, freePorts, inNamespace, Process } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));

test('a full disk: writes are refused by name, and the daemon starts for reads and traffic', {
  skip: missingPrograms('unshare', 'mount'),
}, async () => {
  await inNamespace(fileURLToPath(import.meta.resolve('./full-disk.fixture.ts')));
});

test('a log on a full disk: the daemon serves, and ends when it is told to', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'underpass-log-'));
  const [port] = (await freePorts(1)) as [number];
  const toFullDisk = ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'];
  const args = ['serve', '--listen', `127.0.0.1:${port}`, '--data-dir', dataDir];
  const daemon = Process.node(DAEMON, args, { through: toFullDisk });
  await daemon.line(/^ready /);
  const client = new Client(port, readFileSync(join(dataDir, 'ca.pem'), 'utf8'));
  for (let requests = 0; requests < 20; requests++) {
    const { status } = await client.request(new URL(`https://api.underpass.localhost:${port}/edges/tls`));
    assert.equal(status, 400);
  }
  await client.close();
  assert.deepEqual(await daemon.stop(), { code: 0, signal: null });
  rmSync(dataDir, { recursive: true });
});
