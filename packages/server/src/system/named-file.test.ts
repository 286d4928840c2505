import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  maxTextFile,
  readNamedFile,
  readRegularFile,
  requireRegularFile,
  UnreadableFile,
} from './named-file.ts';

let folder: string;
const server = createServer();
const at = (name: string) => join(folder, name);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'underpass-named-file-'));
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('pipe', at('link to a pipe'));
  mkdirSync(at('folder'));
  server.listen(at('socket'));
  await once(server, 'listening');
  writeFileSync(at('sparse'), '');
  truncateSync(at('sparse'), 8 * 1024 ** 3);
  writeFileSync(at('good'), 'text');
  symlinkSync('good', at('link'));
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const others = ['pipe', 'link to a pipe', 'folder', 'socket', '/dev/zero', '/dev/tty'];

test('what is no regular file is refused at once, and so is one that is too large', async () => {
  for (const name of [...others, 'sparse']) {
    const path = name.startsWith('/') ? name : at(name);
    const reason = name === 'sparse' ? `is larger than ${maxTextFile} bytes` : 'is no regular file';
    assert.throws(() => readNamedFile(path), { message: `cannot be read: ${reason}` }, name);
    const unreadable = (error: unknown) =>
      error instanceof UnreadableFile && error.path === path && error.reason === reason;
    await assert.rejects(readRegularFile(path), unreadable, name);
    if (name === 'sparse') await requireRegularFile(path);
    else await assert.rejects(requireRegularFile(path), unreadable, name);
  }
});

test('a link is followed, and a file without a size is read whole', async () => {
  for (const name of ['good', 'link']) {
    assert.equal(readNamedFile(at(name)), 'text');
    assert.equal(await readRegularFile(at(name)), 'text');
  }
  assert.match(readNamedFile('/proc/self/status'), /^Name:/);
  assert.match(await readRegularFile('/proc/self/status'), /^Name:/);
});

test('the limit holds for what is read, whatever size is stated', async () => {
  assert.throws(() => readNamedFile('/proc/self/status', 16), /is larger than 16 bytes/);
  await assert.rejects(readRegularFile('/proc/self/status', 16), /is larger than 16 bytes/);
  assert.equal(readNamedFile(at('good'), 4), 'text');
});
