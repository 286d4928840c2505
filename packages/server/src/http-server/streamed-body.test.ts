/** Tests of responses that are written piece by piece. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { until } from '../../../../test/harness/until.ts';
import { HttpServer } from './server.ts';
import type { BodyOutput } from './streamed-body.ts';

/** One response that a test writes. */
interface Written {
  readonly output: BodyOutput;
  drained: number;
  gone: number;
}

interface Served {
  readonly bodies: Written[];
  open(request: string): Promise<{ readonly socket: Socket; text: string; isEnded: boolean }>;
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** A server on a free port whose responses the test writes. `silence`: milliseconds. */
async function serve(t: TestContext, silence = 15_000): Promise<Served> {
  const bodies: Written[] = [];
  const http = new HttpServer(
    { perSource: 1000, total: 1000 },
    {
      timeouts: { head: 50, request: 15_000, keepAlive: 15_000, silence },
      headLimit: 16_384,
      onRequest: (request) =>
        request.answer({
          ...{ status: 200, headers: [] },
          body: (output) => {
            const written = { output, drained: 0, gone: 0 };
            bodies.push(written);
            return {
              drained: () => {
                written.drained += 1;
              },
              gone: () => {
                written.gone += 1;
              },
            };
          },
        }),
      onFault: (sender) => sender.refuse({ status: 400, headers: [], body: null }),
      crashed: assert.ifError,
    },
  );
  const listener = createServer((socket) => http.serve(socket)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  t.after(async () => {
    listener.close();
    await http.close(0);
  });
  return {
    bodies,
    open: async (request) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
      const client = { socket, text: '', isEnded: false };
      socket.on('data', (chunk) => {
        client.text += chunk;
      });
      socket.on('end', () => {
        client.isEnded = true;
      });
      socket.on('error', () => {});
      t.after(() => socket.destroy());
      await once(socket, 'connect');
      socket.write(request);
      return client;
    },
  };
}

test('pieces arrive as they are written, and the connection serves further requests', async (t) => {
  const { bodies, open } = await serve(t);
  const client = await open(GET);
  await until(() => bodies.length === 1);
  bodies[0]!.output.write('one');
  await until(() => client.text.endsWith('3\r\none\r\n'));
  assert.match(client.text, /\r\nTransfer-Encoding: chunked\r\n/);
  assert.doesNotMatch(client.text, /Content-Length/);
  bodies[0]!.output.write('zwölf');
  bodies[0]!.output.end();
  await until(() => client.text.endsWith('6\r\nzwölf\r\n0\r\n\r\n'));
  client.socket.write(GET);
  await until(() => bodies.length === 2);
  assert.deepEqual([bodies[0]!.gone, bodies[0]!.output.write('late')], [0, false]);
});

test('HTTP/1.0 gets no chunks, and the end of the connection', async (t) => {
  const { bodies, open } = await serve(t);
  const client = await open('GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n');
  await until(() => bodies.length === 1);
  bodies[0]!.output.write('one');
  bodies[0]!.output.end();
  await until(() => client.isEnded);
  assert.match(client.text, /\r\nConnection: close\r\n/);
  assert.ok(client.text.endsWith('\r\n\r\none'), client.text);
});

test('HEAD gets the head alone', async (t) => {
  const { bodies, open } = await serve(t);
  const client = await open('HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await until(() => client.isEnded);
  assert.ok(client.text.endsWith('\r\n\r\n'), client.text);
  assert.equal(bodies.length, 0);
});

test('the writer learns that its client is gone: cut, and half-closed', async (t) => {
  const { bodies, open } = await serve(t);
  const cut = await open(GET);
  await until(() => bodies.length === 1);
  cut.socket.destroy();
  await until(() => bodies[0]!.gone === 1);
  const half = await open(GET);
  await until(() => bodies.length === 2);
  half.socket.end();
  await until(() => bodies[1]!.gone === 1 && half.isEnded);
  bodies[1]!.output.end();
  assert.deepEqual(
    bodies.map(({ gone }) => gone),
    [1, 1],
  );
});

test('a client that does not read holds up its writer, until it reads', async (t) => {
  const { bodies, open } = await serve(t);
  const client = await open(GET);
  await until(() => client.text.includes('chunked'));
  client.socket.pause();
  const { output } = bodies[0]!;
  let pieces = 1;
  while (output.write('x'.repeat(1024))) {
    pieces += 1;
    // The kernel takes what it has room for.
    if (pieces % 16 === 0) await new Promise(setImmediate);
    assert.ok(pieces < 100_000, 'it was never held up');
  }
  assert.equal(bodies[0]!.drained, 0);
  client.socket.resume();
  await until(() => bodies[0]!.drained === 1);
});

test('a client that does not read is cut after the limit, and one that waits for its writer is not', async (t) => {
  const { bodies, open } = await serve(t, 200);
  const slow = await open(GET);
  const idle = await open(GET);
  await until(() => bodies.length === 2 && slow.text !== '' && idle.text !== '');
  slow.socket.pause();
  const { output } = bodies[0]!;
  for (let piece = 0; output.write('x'.repeat(65_536)); piece += 1) {
    await new Promise(setImmediate);
    assert.ok(piece < 10_000, 'it was never held up');
  }
  await until(() => bodies[0]!.gone === 1);
  assert.equal(bodies[1]!.gone, 0);
});
