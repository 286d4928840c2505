import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildHello, extension, serverNameExtension } from './client-hello.fixture.ts';
import { inspectClientHello } from './client-hello.ts';
import { ja4Of } from './ja4.ts';

function list(text: string): Buffer {
  return Buffer.from(text.replaceAll(',', ''), 'hex');
}

function vector(size: 1 | 2, bytes: Buffer): Buffer {
  const length = Buffer.alloc(size);
  length.writeUIntBE(bytes.length, 0, size);
  return Buffer.concat([length, bytes]);
}

interface Sent {
  readonly ciphers: string;
  readonly extensions: string;
  readonly algorithms?: string;
  readonly versions?: string;
  readonly alpn?: string;
}

/** Returns the fingerprint of a hello with these extensions in this order. */
function fingerprint({ ciphers, extensions, algorithms = '', versions = '0304', alpn = 'h2' }: Sent): string {
  const contents = new Map([
    ['000d', vector(2, list(algorithms))],
    ['0010', vector(2, vector(1, Buffer.from(alpn, 'latin1')))],
    ['002b', vector(1, list(versions))],
  ]);
  const parts = extensions.split(',').map((type) => {
    if (type === '0000') return serverNameExtension('a.example');
    return extension(Number.parseInt(type, 16), contents.get(type) ?? Buffer.alloc(0));
  });
  const hello = inspectClientHello(buildHello({ ciphers: list(ciphers), extensions: parts }));
  assert.ok(hello.status === 'ok');
  return hello.offer === null ? '' : ja4Of(hello.offer);
}

/** The example of those who have published JA4. */
const published = {
  ciphers: '1301,1302,1303,c02b,c02f,c02c,c030,cca9,cca8,c013,c014,009c,009d,002f,0035',
  extensions: '001b,0000,0033,0010,4469,0017,002d,000d,0005,0023,0012,002b,ff01,000b,000a,0015',
  algorithms: '0403,0804,0401,0503,0805,0501,0806,0601',
};

test('a fingerprint is the published one, in whatever order and with whatever grease its hello comes', () => {
  assert.equal(fingerprint(published), 't13d1516h2_8daaf6152771_e5627efa2ab1');
  const greased = {
    ciphers: `5a5a,${published.ciphers.split(',').toReversed().join(',')}`,
    extensions: `eaea,${published.extensions.split(',').toSorted().join(',')},0a0a`,
    algorithms: published.algorithms,
    versions: 'fafa,0304,0303',
  };
  assert.equal(fingerprint(greased), 't13d1516h2_8daaf6152771_e5627efa2ab1');
});

test('a fingerprint is the one that another program has published of its visitor', () => {
  const sent = {
    ciphers: '1301,1302,1303,c02b,c02f,c02c,c030,cca9,cca8,00ff',
    extensions: '0000,0005,000a,000b,000d,0010,0017,0023,002b,002d,0033',
    algorithms: '0503,0403,0807,0806,0805,0804,0601,0501,0401',
  };
  assert.equal(fingerprint(sent), 't13d1011h2_61a7ad8aa9b6_3fcd1a44f3e3');
});

test('the first part says the newest version, the ends of the first protocol, and what there is none of', () => {
  const firstOf = (sent: Partial<Sent>) => fingerprint({ ...published, ...sent }).split('_')[0];
  assert.equal(firstOf({ versions: '0302,0303' }), 't12d1516h2');
  assert.equal(firstOf({ versions: '7f17' }), 't00d1516h2');
  assert.equal(firstOf({ alpn: 'http/1.1' }), 't13d1516h1');
  assert.equal(firstOf({ alpn: 'h' }), 't13d1516hh');
  assert.equal(firstOf({ alpn: '\xabc\xcd' }), 't13d1516ad');
  const bare = { ciphers: '1301', extensions: '002b' };
  assert.match(fingerprint(bare), /^t13i010100_[0-9a-f]{12}_[0-9a-f]{12}$/);
  assert.equal(
    fingerprint({ ciphers: '0a0a', extensions: '0000' }),
    `t12d000100_${'0'.repeat(12)}_${'0'.repeat(12)}`,
  );
});

test('a hello that lists more than anybody honest does has no fingerprint, and costs none', () => {
  const ciphers = '1301,'.repeat(513);
  assert.equal(fingerprint({ ...published, ciphers }), '');
  assert.notEqual(fingerprint({ ...published, ciphers: ciphers.slice(5) }), '');
  const types = Array.from({ length: 513 }, (_, at) => (0x70_00 + at).toString(16));
  assert.equal(fingerprint({ ...published, extensions: types.join(',') }), '');
});

test('what is kept of a hello for its fingerprint is little, whatever it lists', () => {
  const protocols = Buffer.concat(Array.from({ length: 5000 }, () => vector(1, Buffer.from('h2'))));
  const numbers = Buffer.alloc(15_000, '1301', 'hex');
  const types = Array.from({ length: 5000 }, (_, type) => extension(1000 + type, Buffer.alloc(0)));
  const alpn = extension(0x10, vector(2, protocols));
  for (const sent of [
    { ciphers: list('1301'), extensions: [serverNameExtension('a.example'), alpn] },
    { ciphers: list('1301'), extensions: [serverNameExtension('a.example'), ...types] },
    { ciphers: numbers, extensions: [serverNameExtension('a.example')] },
  ]) {
    const hello = inspectClientHello(buildHello(sent));
    assert.ok(hello.status === 'ok');
    const kept = JSON.stringify(hello.offer).length;
    assert.ok(kept < 5000, `${kept} characters`);
  }
});
