/** Responses to requests of a session. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { boolean, generateSigningKey, openSigningKey, string, uint32 } from '../pki/ssh/index.ts';
import { Message } from './numbers.ts';
import { permissive, running, serve, type TestServer } from './openssh.fixture.ts';
import { RawClient } from './raw-client.fixture.ts';

let server: TestServer;
before(async () => {
  server = await serve(() => permissive(running((command) => (command === 'wait' ? null : 'text\n'))));
});
after(() => server.stop());

test('a command that ends at once has a response before its exit status, and one only', async () => {
  const key = openSigningKey(await generateSigningKey({ type: 'ed25519' }));
  const client = await RawClient.authenticated(server.port, key);
  for (const wantsReply of [true, false]) {
    const id = await client.openSession();
    const before = client.received.length;
    const request = [string('exec'), boolean(wantsReply), string('x')];
    client.send(Buffer.of(Message.channelRequest), uint32(id), ...request);
    client.send(Buffer.of(Message.channelClose), uint32(id));
    await client.openSession();
    const types = client.received.slice(before).map(([type]) => type);
    const { channelSuccess, channelRequest, channelFailure } = Message;
    const kept = types.filter((type) =>
      [channelSuccess, channelRequest, channelFailure].some((one) => one === type),
    );
    assert.deepEqual(kept, wantsReply ? [channelSuccess, channelRequest] : [channelRequest]);
  }
  client.socket.destroy();
});
