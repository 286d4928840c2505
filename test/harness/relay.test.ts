import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Relay } from './relay.ts';
import { until } from './until.ts';

/** A connection through a relay: both of its ends, and the text that each has received. */
async function connected(context: TestContext) {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay = await Relay.start({ port: (server.address() as AddressInfo).port, delayMs: () => 0 });
  const accepted = once(server, 'connection');
  const client = end(connect({ port: relay.port, host: '127.0.0.1', allowHalfOpen: true }));
  const [socket] = (await accepted) as [Socket];
  const peer = end(socket);
  context.after(async () => {
    client.socket.destroy();
    peer.socket.destroy();
    await relay.stop();
    server.close();
  });
  return { relay, client, peer };
}

function end(socket: Socket) {
  const one = { socket, text: '', isEnded: false };
  socket.on('data', (chunk) => {
    one.text += chunk.toString();
  });
  socket
    .on('error', () => {})
    .on('close', () => {
      one.isEnded = true;
    });
  socket.on('end', () => {
    one.isEnded = true;
  });
  return one;
}

test('a direction that is held passes nothing, and the other one passes all', async (context) => {
  const { relay, client, peer } = await connected(context);
  relay.hold('there');
  client.socket.write('late');
  peer.socket.write('at once');
  await until(() => client.text === 'at once');
  assert.equal(peer.text, '');
  relay.release();
  await until(() => peer.text === 'late');
});

test('what was sent arrives late, although its sender is gone', async (context) => {
  const { relay, client, peer } = await connected(context);
  relay.hold('there', 'back');
  client.socket.write('last words');
  client.socket.end();
  peer.socket.write('nobody reads it');
  await until(() => client.socket.writableFinished);
  assert.deepEqual([peer.isEnded, client.text], [false, '']);
  relay.release();
  await until(() => peer.text === 'last words' && peer.isEnded);
});

test('a cut ends the connections of both sides', async (context) => {
  const { relay, client, peer } = await connected(context);
  relay.cut();
  await until(() => client.isEnded && peer.isEnded);
});
