import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import pino from 'pino';
import { until } from '../../../../test/harness/until.ts';
import type { Hostname } from '../core/names/hostname.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import { startPlatform } from '../resources/engine.fixture.ts';
import { Challenges } from './challenges.ts';
import type { Proof } from './order.ts';

const hostname = 'www.example.com' as Hostname;
const other = 'other.example.com' as Hostname;
const proofs: readonly Proof[] = [
  { type: 'http-01', hostname, token: 'plain', value: 'plain.key' },
  { type: 'tls-alpn-01', hostname, token: 'tls', value: 'tls.key' },
  { type: 'dns-01', hostname, token: 'dns', value: 'dns.key' },
];

onBothStores((open) => {
  test('what one daemon publishes each of them answers, for that name alone and no longer than it is asked for', async () => {
    const platform = await startPlatform(open);
    const { store, admin } = platform;
    const log = pino({ level: 'silent' });
    const daemon = () => Challenges.start({ store, now: Date.now, log });
    const [asking, asked] = [await daemon(), await daemon()];
    const { id } = await platform.create('reserved_domain', { domain: hostname });
    const provenFor = { id, account: admin.account };
    const ids = await asking.publish(provenFor, proofs);
    assert.equal(ids.length, 2, 'a text in DNS is published elsewhere');
    await until(() => asked.httpAnswer(hostname, 'plain') !== null);
    assert.equal(asked.httpAnswer(hostname, 'plain'), 'plain.key');
    for (const [name, token] of [
      [other, 'plain'],
      [hostname, 'tls'],
      [hostname, ''],
    ] as const)
      assert.equal(asked.httpAnswer(name, token), null);
    assert.equal(asked.validationCertificate(other), null);
    const made = await asked.validationCertificate(hostname);
    const leaf = new X509Certificate(made?.cert ?? '');
    assert.equal(leaf.subjectAltName, `DNS:${hostname}`);
    // RFC 8737, section 3: id-pe-acmeIdentifier, critical, the digest as an octet string.
    const digest = createHash('sha256').update('tls.key').digest('hex');
    assert.ok(leaf.raw.toString('hex').includes(`06082b0601050507011f0101ff04220420${digest}`));
    assert.deepEqual(await asked.validationCertificate(hostname), made, 'made once');

    await asking.withdraw(ids.slice(0, 1));
    await until(() => asked.httpAnswer(hostname, 'plain') === null);
    assert.notEqual(asked.validationCertificate(hostname), null);
    await asked.clear(provenFor);
    await until(() => asking.validationCertificate(hostname) === null);
    await asking.withdraw(ids);

    await asking.publish(provenFor, proofs);
    await platform.remove('reserved_domain', id);
    await until(() => asked.validationCertificate(hostname) === null);
    await Promise.all([asking.stop(), asked.stop()]);
    await platform.close();
  });
});
