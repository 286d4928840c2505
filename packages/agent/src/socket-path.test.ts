/** Tests addresses of local sockets on each system. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput, parseTcpUpstream, parseUpstream } from './address.ts';

const pathOf = (text: string, platform: NodeJS.Platform) => {
  const { at } = parseUpstream(text, '/home', platform);
  return 'path' in at ? at.path : null;
};

test('on macOS the path of a socket is shorter', () => {
  const path = `/${'a'.repeat(102)}`;
  assert.equal(pathOf(`unix:${path}`, 'darwin'), path);
  assert.throws(() => pathOf(`unix:${path}b`, 'darwin'), /has more than 103 bytes/);
  assert.equal(pathOf(`unix:${path}b`, 'linux'), `${path}b`);
});

test('on Windows there are named pipes only', () => {
  const pipe = '\\\\.\\pipe\\my app';
  assert.equal(pathOf(`unix:${pipe}`, 'win32'), pipe);
  assert.equal(pathOf('unix://./pipe/web', 'win32'), '\\\\.\\pipe\\web');
  assert.equal(parseTcpUpstream('unix:\\\\?\\pipe\\db', 'C:\\', 'win32').text, 'unix:\\\\?\\pipe\\db');
  for (const path of [
    '',
    'web.sock',
    'C:\\web.sock',
    '/run/web.sock',
    '\\\\.\\pipe\\',
    '\\\\pc\\pipe\\x',
    `${pipe}\n`,
  ]) {
    assert.throws(() => pathOf(`unix:${path}`, 'win32'), InvalidInput, path);
    assert.throws(() => pathOf(`unix:${path}`, 'win32'), /Give unix:\\\\\.\\pipe\\NAME\.$/, path);
  }
  assert.throws(() => pathOf(`unix:${pipe}${'a'.repeat(256)}`, 'win32'), /more than 256 characters/);
});
