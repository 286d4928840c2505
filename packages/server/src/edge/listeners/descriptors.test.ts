import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { everything } from './front-door.fixture.ts';

test('a front door that runs out of file descriptors serves again when there are some', async (t) => {
  const script = fileURLToPath(new URL('./descriptors.fixture.ts', import.meta.url));
  const child = spawn('/bin/sh', ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { port, ca } = JSON.parse(line.toString()) as { port: number; ca: string };
  const held = Array.from({ length: 100 }, () => net.connect({ port, host: '127.0.0.1' }));
  // Connections that get no descriptor are closed without a response.
  await Promise.race(held.map(everything));
  for (const socket of held) socket.destroy();
  let answer = '';
  while (answer === '') {
    const client = tls.connect({ port, host: '127.0.0.1', servername: 'a.example.com', ca });
    answer = (await everything(client)).toString();
  }
  assert.equal(answer, 'served\n');
  assert.equal(child.exitCode, null);
});
