import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNodeName } from './node-name.ts';
import { ConfigError } from './options.ts';

const shared = { isShared: true, port: 443 };
const given = (text: string) => new Map([['node-name', [text]]]);

test('a daemon beside others is named after its machine, with its port if it is not the usual one', () => {
  assert.equal(toNodeName(new Map(), shared, 'edge-1'), 'edge-1');
  assert.equal(toNodeName(new Map(), { ...shared, port: 8443 }, 'edge-1'), 'edge-1:8443');
  assert.equal(toNodeName(new Map(), shared, 'my machine'), 'my-machine');
  assert.equal(toNodeName(new Map(), shared, ''), 'localhost');
  const long = toNodeName(new Map(), { ...shared, port: 65535 }, 'x'.repeat(200));
  assert.equal(long.length, 64);
  assert.equal(toNodeName(given(long), shared), long);
});

test('a daemon alone has a name only if it is given', () => {
  const alone = { isShared: false, port: 443 };
  assert.equal(toNodeName(new Map(), alone, 'edge-1'), '');
  assert.equal(toNodeName(given('east/1'), alone, 'edge-1'), 'east/1');
});

test('names that logs and labels cannot show are refused', () => {
  for (const text of ['', 'a b', 'a\n', 'ä', 'x'.repeat(65), '\x7f'])
    assert.throws(
      () => toNodeName(given(text), shared),
      (error) => error instanceof ConfigError && error.message.includes('--node-name'),
      JSON.stringify(text),
    );
  assert.equal(toNodeName(given('x'.repeat(64)), shared).length, 64);
});
