/** The first names of a new installation, which are reserved at once: one account is created at a strict authority, and all get certificates. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually, freePorts, Pebble, Platform, pebbleMissing } from '../harness/index.ts';

const labels = ['a', 'b', 'c', 'd', 'e'];

describe('the first names at a strict authority', { skip: pebbleMissing }, () => {
  let platform: Platform;
  let pebble: Pebble;

  before(async () => {
    const [httpPort = 0] = await freePorts(1);
    pebble = await Pebble.prepare({ isStrict: true });
    const args = ['--http-listen', `127.0.0.1:${httpPort}`, '--dns-resolver', pebble.dns];
    platform = await Platform.start({ args: [...pebble.args, ...args] });
    await pebble.start({ tlsPort: platform.port, httpPort });
  });
  after(async () => {
    await platform?.stop();
    await pebble?.stop();
  });

  test('get certificates with one account, without an email address, and none waits for a second attempt', async () => {
    const certificate_management_policy = { authority: 'public_ca', private_key_type: 'ecdsa' };
    const reserved = await Promise.all(
      labels.map(async (label) => {
        const body = { domain: `${label}.example.com`, certificate_management_policy };
        const { status, json, text } = await platform.api('POST', '/reserved_domains', body);
        assert.equal(status, 201, text);
        return String(json.id);
      }),
    );
    await eventually(async () => {
      for (const id of reserved) {
        const { json } = await platform.api('GET', `/reserved_domains/${id}`);
        const { provisioning_job } = json.certificate_management_status;
        assert.ok(!provisioning_job?.error_code, JSON.stringify(provisioning_job));
        assert.notEqual(json.certificate, null, 'it has a certificate');
      }
    });
    assert.equal(pebble.lines.filter((line) => line.includes('/sign-me-up')).length, 1);
  });
});
