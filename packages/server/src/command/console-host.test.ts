import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hostname } from '../core/names/hostname.ts';
import { toConsoleHost } from './console-host.ts';

const parse = (text: string) =>
  toConsoleHost(
    new Map([['console-host', [text]]]),
    'example.com' as Hostname,
    'https://manage.example.org:8443',
  );

test('the console has a name of another domain, or that of the API', () => {
  assert.equal(toConsoleHost(new Map(), 'example.com' as Hostname, 'https://api.example.com'), null);
  assert.equal(parse('Console.Example.NET'), 'console.example.net');
  assert.equal(parse('notexample.com'), 'notexample.com');
});

test('a refused name is named with its option and a remedy', () => {
  for (const text of ['example.com', 'api.example.com', 'a.b.EXAMPLE.com', 'com', 'example.com.'])
    assert.throws(() => parse(text), /^ConfigError: --console-host \S+: .*(give|must be) /, text);
  assert.throws(() => parse('manage.example.org'), /is the host of --base-url; give another name/);
  for (const text of [
    '',
    '10.0.0.1',
    'console.example.net:8443',
    'https://console.example.net',
    '*.example.net',
  ])
    assert.throws(() => parse(text), /must be a host name .* for example console\.example\.net$/, text);
});
