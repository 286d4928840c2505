import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Cidr, isCidrFault, parseCidr } from '../../core/ip/cidr.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { openOnSqlite } from '../../store/sqlite/open.fixture.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const create = (address: string, on = platform) => on.create('static_backend', { address });

function range(text: string): Cidr {
  const cidr = parseCidr(text);
  assert.ok(!isCidrFault(cidr), text);
  return cidr;
}

test('TLS is off until it is turned on, and a patch of one half leaves the other', async () => {
  const { id, address, tls } = await create(' Example.COM.:443\n');
  assert.equal(address, 'example.com:443');
  assert.deepEqual(tls, { enabled: false });
  const secured = await platform.update('static_backend', id, { tls: { enabled: true } });
  assert.deepEqual([secured.address, secured.tls], ['example.com:443', { enabled: true }]);
  const moved = await platform.update('static_backend', id, { address: '1.1.1.1:853' });
  assert.deepEqual([moved.address, moved.tls], ['1.1.1.1:853', { enabled: true }]);
  const plain = await platform.update('static_backend', id, { tls: {} });
  assert.deepEqual(plain.tls, { enabled: false });
  const extra = platform.update('static_backend', id, { tls: { verify: true } });
  await refused(extra, 'fieldUnknown', { field: '/tls/verify' });
});

test('a text that is no address is refused with the reason', async () => {
  const { id } = await create('example.com:443');
  const cases: [string, ErrorName][] = [
    [' ', 'staticAddressMissing'],
    ['example.com', 'staticAddressPort'],
    ['example.com:0', 'staticAddressPort'],
    ['example.com:65536', 'staticAddressPort'],
    [':80', 'staticAddressHost'],
    ['a_b.example.com:80', 'staticAddressHost'],
    ['https://example.com:443', 'staticAddressHost'],
    ['2606:4700::1111:80', 'staticAddressHost'],
  ];
  for (const [address, error] of cases) {
    await refused(create(address), error, { field: '/address' });
    await refused(platform.update('static_backend', id, { address }), error, { field: '/address' });
  }
  await refused(platform.create('static_backend', {}), 'staticAddressMissing', { field: '/address' });
  await refused(platform.create('static_backend', { address: null }), 'staticAddressMissing');
});

test('no spelling of a loopback, private or link-local address is accepted', async () => {
  const { id } = await create('example.com:443');
  for (const host of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
  ]) {
    await refused(create(`${host}:80`), 'staticAddressSpecial', { field: '/address' });
    const update = platform.update('static_backend', id, { address: `${host}:80` });
    await refused(update, 'staticAddressSpecial');
  }
  for (const host of ['0x7f000001', '2130706433', '127.1', '0177.0.0.1', '127.0.0.1.', '[fe80::1%eth0]']) {
    await refused(create(`${host}:80`), 'staticAddressHost', { field: '/address' });
  }
});

test('a name is taken whatever it resolves to: that is judged when it is dialled', async () => {
  const { address } = await create('localhost:80');
  assert.equal(address, 'localhost:80');
});

test('ranges that the operator allows are accepted, in every spelling', async () => {
  const own = await startPlatform(openOnSqlite, { allowPrivate: [range('10.1.0.0/16'), range('::1/128')] });
  try {
    assert.equal((await create('10.1.2.3:80', own)).address, '10.1.2.3:80');
    assert.equal((await create('[::ffff:10.1.2.3]:80', own)).address, '10.1.2.3:80');
    assert.equal((await create('[0::1]:80', own)).address, '[::1]:80');
    await refused(create('10.2.0.1:80', own), 'staticAddressSpecial');
    await refused(create('127.0.0.1:80', own), 'staticAddressSpecial');
  } finally {
    await own.close();
  }
});

test('it cannot be deleted while a failover or weighted backend has it', async () => {
  const { id } = await create('example.com:443');
  const failover = await platform.create('failover_backend', { backends: [id] });
  const weighted = await platform.create('weighted_backend', { backends: { [id]: 1 } });
  const problem = await refused(platform.remove('static_backend', id), 'backendInUse');
  assert.deepEqual([...(problem.details.used_by ?? [])].sort(), [failover.id, weighted.id].sort());
});
