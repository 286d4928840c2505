import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toConfig } from './config.ts';
import { ConfigError } from './options.ts';

const postgres = { database: 'postgres://u:p@127.0.0.1/u' };

function linksOf(options: Readonly<Record<string, string>>) {
  return toConfig(new Map(Object.entries(options).map(([flag, text]) => [flag, [text]]))).links;
}

test('a daemon listens for links only if it is configured to', () => {
  assert.deepEqual(linksOf({}), { listen: null, address: null });
  assert.deepEqual(linksOf({ ...postgres, 'link-listen': '10.0.0.5:8444' }), {
    listen: { host: '10.0.0.5', port: 8444 },
    address: null,
  });
});

test('every address needs another one for the other daemons', () => {
  for (const text of [':8444', '0.0.0.0:8444', '[::]:8444', '[0:0:0:0:0:0:0:0]:8444'])
    assert.throws(
      () => linksOf({ ...postgres, 'link-listen': text }),
      (error) => error instanceof ConfigError && /add --link-address/.test(error.message),
      text,
    );
  const links = linksOf({ ...postgres, 'link-listen': ':8444', 'link-address': 'a.example:1' });
  assert.equal(links.address, 'a.example:1');
});

test('an address that no other daemon can connect to is refused', () => {
  const listening = { ...postgres, 'link-listen': ':8444' };
  for (const text of ['a', ':1', '0.0.0.0:1', '[::]:1', 'a:0', 'a:65536', '[a]:1', 'a b:1', '1:2:3', ''])
    assert.throws(() => linksOf({ ...listening, 'link-address': text }), /must be HOST:PORT/, text);
  for (const text of ['10.0.0.5:8444', '[fd00::5]:8444', 'node-1.internal:8444'])
    assert.equal(linksOf({ ...listening, 'link-address': text }).address, text);
  assert.throws(() => linksOf({ ...postgres, 'link-address': '10.0.0.5:1' }), /give both, or neither/);
});

test('links of a daemon without others are refused', () => {
  const links = { 'link-listen': '10.0.0.5:8444' };
  assert.throws(() => linksOf(links), /SQLite has one daemon.*underpassd copy/);
  assert.throws(() => linksOf({ ...postgres, ...links, alone: 'true' }), /--alone/);
});

test('the port of another listener is refused', () => {
  const options = { ...postgres, listen: ':8444', 'link-listen': '10.0.0.5:8444' };
  assert.throws(() => linksOf(options), /--link-listen: port 8444 is the one of --listen/);
});
