/** An agent that offers a number of streams gets as many and no more; one that offers none has those of the protocol. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OPEN_LIMIT } from '@underpass/wire';
import type { ByteStream } from '../online/online.ts';
import { domain, pattern, type TestCredential, until, visitor, World } from './ingress.fixture.ts';

let world: World;
let credential: TestCredential;
before(async () => {
  world = await World.create({ limits: { proxiedStreams: 600 } });
  credential = await world.credential(await world.account());
});
after(() => world.stop());

/** Opens streams until there are no more. */
async function openAll(offer: Record<string, unknown>, name: string) {
  const agent = await world.connect();
  assert.equal((await agent.auth(credential.token, offer)).Error, '');
  assert.equal((await agent.bind({ Subdomain: name })).Error, '');
  const tunnel = world.ingress.online.byName(pattern(`${name}.${domain}`))!;
  const streams: ByteStream[] = [];
  for (let stream = tunnel.open(visitor); stream !== null && streams.length < 2000; ) {
    streams.push(stream);
    stream = tunnel.open(visitor);
  }
  return { agent, tunnel, streams };
}

for (const [what, offer, capacity, most] of [
  ['more than the daemon uses', { UnderpassStreams: 100_000 }, 600, 632],
  ['a few', { UnderpassStreams: 20 }, 20, 52],
  ['nothing', {}, undefined, OPEN_LIMIT],
  ['zero', { UnderpassStreams: 0 }, undefined, OPEN_LIMIT],
] as const)
  test(`an agent that offers ${what} has at most ${most} streams, and room again when they end`, async () => {
    const { agent, tunnel, streams } = await openAll(offer, `n${most}-${Object.keys(offer).length}`);
    assert.equal(tunnel.capacity, capacity);
    // Some of the limit are streams that carry no visitor, such as those of heartbeats.
    assert.ok(streams.length <= most && streams.length > most - 8, `${streams.length} streams`);
    for (const stream of streams) stream.reset(6);
    const again = tunnel.open(visitor);
    assert.notEqual(again, null);
    assert.ok(!agent.mux.isClosed);
    agent.socket.destroy();
    await until(() => tunnel.closed.aborted, 'the end of the session');
  });

for (const offer of [-1, 1.5, '600', true])
  test(`an offer of ${JSON.stringify(offer)} is refused by name`, async () => {
    const agent = await world.connect();
    const { Error: error } = await agent.auth(credential.token, { UnderpassStreams: offer });
    assert.match(String(error), /UnderpassStreams must/);
    agent.socket.destroy();
  });
