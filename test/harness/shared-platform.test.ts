import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Platform } from './platform.ts';

async function madeThings(platform: Platform): Promise<void> {
  await platform.api('POST', '/reserved_domains', { name: 'left' });
  const backend = await platform.api('POST', '/backends/http_response', { body: 'x' });
  const edge = await platform.api('POST', '/edges/tls', { hostports: ['left.underpass.localhost:443'] });
  const path = `/edges/tls/${edge.json.id}/backend`;
  const module = await platform.api('PUT', path, { backend_id: backend.json.id });
  assert.equal(module.status, 200, module.text);
}

test('a shared daemon goes on for the next file, without what the one before has made or said', async () => {
  const first = await Platform.shared();
  await madeThings(first);
  await first.stop();
  const next = await Platform.shared();
  assert.equal(next.daemon.pid, first.daemon.pid);
  assert.equal(next.daemon.output, '');
  for (const path of ['/reserved_domains', '/backends/http_response', '/edges/tls']) {
    const { json } = await next.api('GET', path);
    assert.deepEqual(Object.values(json).find(Array.isArray), [], path);
  }
  await madeThings(next);
  await next.stop();
});

test('one that has lost what it had is ended, and the next file gets a new one', async () => {
  const first = await Platform.shared();
  const { json } = await first.api('GET', '/credentials');
  assert.equal((await first.api('DELETE', `/credentials/${json.credentials[0].id}`)).status, 204);
  await first.stop();
  assert.deepEqual(await first.daemon.exited, { code: 0, signal: null });
  const next = await Platform.shared();
  assert.notEqual(next.daemon.pid, first.daemon.pid);
  assert.equal((await next.api('GET', '/credentials')).json.credentials.length, 1);
  await next.stop();
});

test('files that ask for other options get another one', async () => {
  const usual = await Platform.shared();
  const other = await Platform.shared({ args: ['--log-level', 'warn'] });
  assert.notEqual(other.daemon.pid, usual.daemon.pid);
  await Promise.all([usual.stop(), other.stop()]);
});
