import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../../test/harness/any-character.ts';
import { isHostPortFault, parseHostPort } from './hostport.ts';

test('a host and a port are split and made canonical', () => {
  assert.deepEqual(parseHostPort('Example.com.:443'), { hostname: 'example.com', port: 443 });
  assert.deepEqual(parseHostPort('*.example.com:8443'), { hostname: '*.example.com', port: 8443 });
  assert.deepEqual(parseHostPort('example.com:65535'), { hostname: 'example.com', port: 65535 });
});

test('a port has one spelling', () => {
  for (const text of [
    '',
    ':',
    ':0',
    ':0443',
    ':+443',
    ':-1',
    ':65536',
    ':99999',
    ':443 ',
    ': 443',
    ':4e2',
    ':0x1bb',
    ':４４３',
    ':443.0',
  ]) {
    assert.deepEqual(parseHostPort(`example.com${text}`), { fault: 'port' }, text);
  }
});

test('a fault of the name is reported first', () => {
  assert.deepEqual(parseHostPort(':443'), { fault: 'empty' });
  assert.deepEqual(parseHostPort('[::1]:443'), { fault: 'ip-address' });
  assert.deepEqual(parseHostPort('127.0.0.1:443'), { fault: 'ip-address' });
  assert.deepEqual(parseHostPort('a:b.com:443'), { fault: 'character' });
  assert.deepEqual(parseHostPort('https://example.com:443'), { fault: 'character' });
});

test('no text makes it throw, and what it takes it writes back the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string(), (host, port) => {
      const parsed = parseHostPort(`${host}:${port}`);
      if (!isHostPortFault(parsed))
        assert.deepEqual(parseHostPort(`${parsed.hostname}:${parsed.port}`), parsed);
    }),
  );
});
