import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { toDuplex } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import { backedBy, edgeDocument, groupDocument } from '../documents.fixture.ts';
import { asRecords, buildHello, helloBody, serverNameExtension } from './client-hello.fixture.ts';
import { helloRandom } from './client-hello.ts';
import { everything, openAgent, openAuthority, openDoor, rawClient } from './front-door.fixture.ts';
import { HelloLoops, maxRepeats } from './hello-loops.ts';

test('the same hello for the same name is let in a few times at once, and any number of times after another', () => {
  const loops = new HelloLoops();
  const name = 'a.example.com' as Hostname;
  for (let count = 0; count < 100; count++) loops.enter(name, 'x')?.();
  const open = Array.from({ length: maxRepeats }, () => loops.enter(name, 'x'));
  assert.ok(open.every((leave) => leave !== null));
  assert.equal(loops.enter(name, 'x'), null);
  assert.ok(loops.enter(name, 'y') !== null && loops.enter('b.example.com' as Hostname, 'x') !== null);
  open[0]?.();
  assert.ok(loops.enter(name, 'x') !== null);
  assert.equal(loops.enter(name, 'x'), null);
});

test('the random bytes of a hello are found however it is cut into records', () => {
  const hello = buildHello({ extensions: [serverNameExtension('a.example.com')] });
  const message = hello.subarray(5);
  const random = message.toString('latin1', 6, 38);
  assert.equal(random, helloBody({}).toString('latin1', 2, 34));
  for (const sizes of [
    [1, 1, 1, 1, 1, message.length - 5],
    [20, message.length - 20],
    [38, message.length - 38],
  ])
    assert.equal(helloRandom(asRecords(message, sizes)), random);
  assert.equal(helloRandom(Buffer.concat([hello, Buffer.from('more')])), random);
});

test('TLS that an agent sends back to the door goes round a few times and ends, and others pass through', async (t) => {
  const authority = await openAuthority();
  const group = groupDocument('bkdtg_1', { app: 'web' });
  const edge = edgeDocument('edgtls_1', ['a.example.com'], { backend: backedBy('bkdtg_1') });
  const door = await openDoor(t, { authority, documents: [group, edge] });
  let rounds = 0;
  const dialled: net.Socket[] = [];
  const agent = await openAgent(t, (stream) => {
    rounds += 1;
    const again = net.connect({ port: door.port, host: '127.0.0.1', allowHalfOpen: true });
    dialled.push(again);
    const proxied = toDuplex(stream);
    for (const each of [again, proxied]) each.on('error', () => each.destroy());
    again.on('close', () => proxied.destroy());
    proxied.on('close', () => again.destroy());
    proxied.pipe(again).pipe(proxied);
  });
  door.tunnels.push(agent.tunnel);
  const hello = buildHello({ extensions: [serverNameExtension('a.example.com')] });
  for (let visit = 1; visit <= 2; visit++) {
    const client = rawClient(t, door.port);
    await once(client, 'connect');
    client.write(hello);
    assert.deepEqual(await everything(client), Buffer.alloc(0));
    assert.equal(rounds, visit * maxRepeats);
    await until(() => door.connections.size === 0);
  }
});
