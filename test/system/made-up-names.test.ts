/** Invented names below a wildcard use the budget of its owner only. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { Platform } from '../harness/index.ts';

let platform: Platform;
before(async () => {
  platform = await Platform.shared();
  for (const name of ['*.wild.example.com', '*.other.example.com']) {
    assert.equal((await platform.api('POST', '/reserved_domains', { name })).status, 201);
  }
});
after(() => platform.stop());

/** The certificate of a name, which must be valid for it; null when the handshake is refused with an alert. */
async function shown(servername: string): Promise<{ names: string; serial: string } | null> {
  const socket = connect({ host: '127.0.0.1', port: platform.port, servername, ca: platform.ca });
  try {
    await once(socket, 'secureConnect');
    const { subjectaltname: names = '', serialNumber: serial } = socket.getPeerCertificate();
    return { names, serial };
  } catch (error) {
    assert.match(String((error as NodeJS.ErrnoException).code), /ALERT_INTERNAL_ERROR/);
    return null;
  } finally {
    socket.destroy();
  }
}

test('names with the same parent share one certificate, and each deeper parent has its own', async () => {
  const [one, two, deep] = await Promise.all(
    ['one', 'two', 'a.deep'].map((label) => shown(`${label}.wild.example.com`)),
  );
  assert.equal(one?.names, 'DNS:*.wild.example.com');
  assert.equal(two?.serial, one?.serial);
  assert.equal(deep?.names, 'DNS:*.deep.wild.example.com');
  const service = await shown('api.underpass.localhost');
  assert.equal(service?.names, 'DNS:*.underpass.localhost');
  assert.equal((await shown('connect.underpass.localhost'))?.serial, service?.serial);
});

test('who makes up parents without end is refused, and everything else is served as before', async () => {
  let isRefused = false;
  for (let round = 0; !isRefused && round < 40; round += 1) {
    const names = Array.from({ length: 25 }, (_, at) => `a.n${round}x${at}.wild.example.com`);
    isRefused = (await Promise.all(names.map(shown))).includes(null);
  }
  assert.ok(isRefused);
  for (const name of [
    'new.wild.example.com',
    'a.n0x0.wild.example.com',
    'a.deep.wild.example.com',
    'a.deep.other.example.com',
    'api.underpass.localhost',
  ])
    assert.notEqual(await shown(name), null, name);
});
