import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pino from 'pino';
import { OperatorError } from './operator-error.ts';
import { askDaemon, listenForOperators } from './socket.ts';

const LIST = { operation: 'list-accounts' } as const;

function place(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'underpass-socket-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'underpass.sock');
}

function quietLog(): { log: pino.Logger; lines: string[] } {
  const lines: string[] = [];
  return { log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }), lines };
}

test('a request is answered, and an error that is for the operator is passed on', async (t) => {
  const path = place(t);
  const { log, lines } = quietLog();
  const socket = await listenForOperators(
    path,
    async (request) => {
      if (request.operation === 'list-accounts') return { accounts: ['ä'.repeat(100_000)] };
      if (request.operation === 'create-key') throw new OperatorError('no such account');
      throw new Error('a secret reason');
    },
    log,
  );
  t.after(() => socket?.close());
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(await askDaemon(path, LIST), { accounts: ['ä'.repeat(100_000)] });
  const key = { operation: 'create-key', account: 'ac_1', owner: null, description: '' } as const;
  await assert.rejects(askDaemon(path, key), new OperatorError('no such account'));
  const account = { operation: 'create-account', name: 'x', email: '' } as const;
  await assert.rejects(askDaemon(path, account), (error) => {
    assert.ok(error instanceof OperatorError);
    return !error.message.includes('secret');
  });
  assert.ok(lines.some((line) => line.includes('a secret reason')));
  await socket?.close();
  assert.ok(!existsSync(path));
});

test('a client that does not go away after its answer does not keep the daemon from stopping', async (t) => {
  const path = place(t);
  const socket = await listenForOperators(path, async () => ({ fine: true }), quietLog().log);
  const client = connect({ path, allowHalfOpen: true });
  t.after(() => client.destroy());
  client.write(`${JSON.stringify(LIST)}\n`);
  await once(client, 'data');
  await socket?.close();
});

test('without a listener there is no response: no file, a file, a socket that was left', async (t) => {
  const path = place(t);
  assert.equal(await askDaemon(path, LIST), null);
  writeFileSync(path, '');
  assert.equal(await askDaemon(path, LIST), null);
  const socket = await listenForOperators(path, async () => ({ fine: true }), quietLog().log);
  assert.deepEqual(await askDaemon(path, LIST), { fine: true });
  await socket?.close();
});

test('where there can be no socket the daemon says so and goes on', async (t) => {
  const path = place(t);
  mkdirSync(path);
  for (const impossible of [path, join(path, 'x'.repeat(120))]) {
    const { log, lines } = quietLog();
    assert.equal(await listenForOperators(impossible, async () => ({}), log), null);
    assert.match(lines.join(), /no socket for commands/);
  }
  assert.equal(await askDaemon(join(path, 'x'.repeat(120)), LIST), null);
});

test('a daemon that ends before it answers: the operator is told to look', async (t) => {
  const path = place(t);
  const dying = createServer((socket) => socket.once('data', () => socket.destroy()));
  dying.listen(path);
  await once(dying, 'listening');
  await assert.rejects(askDaemon(path, LIST), /ended before it answered: look whether it was done/);
  dying.close();
});
