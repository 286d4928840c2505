import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { before, type TestContext, test } from 'node:test';
import { toDuplex } from '@underpass/wire';
import type { LocalAuthority } from '../../pki/local-authority.ts';
import { backedBy, edgeDocument, gone, groupDocument, put, ruleDocument } from '../documents.fixture.ts';
import { buildHello, serverNameExtension } from '../listeners/client-hello.fixture.ts';
import {
  everything,
  openAgent,
  openAuthority,
  openDoor,
  type TestDoor,
} from '../listeners/front-door.fixture.ts';

let authority: LocalAuthority;
before(async () => {
  authority = await openAuthority();
});

const hello = buildHello({ extensions: [serverNameExtension('a.example.com')] });
const group = groupDocument('bkdtg_1', { app: 'web' });
const edge = (enabled: boolean) =>
  edgeDocument('edgtls_1', ['a.example.com'], {
    backend: backedBy('bkdtg_1'),
    ip_restriction: { enabled, ip_policy_ids: ['ipp_1'] },
  });
const allowLoopback = ruleDocument('ipr_1', 'ipp_1', 'allow', '127.0.0.0/8');
const denySecond = ruleDocument('ipr_2', 'ipp_1', 'deny', '127.0.0.2/32');

function from(t: TestContext, { port }: TestDoor, localAddress: string): net.Socket {
  const socket = net.connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
  socket.on('error', () => {});
  socket.write(hello);
  t.after(() => void socket.destroy());
  return socket;
}

async function readBack(socket: net.Socket, length: number): Promise<void> {
  while (socket.read(length) === null) await once(socket, 'readable');
}

/** A door with one agent that repeats what it gets. */
async function openRestricted(t: TestContext, ...documents: Parameters<TestDoor['table']['reset']>[0]) {
  const door = await openDoor(t, { authority, documents: [group, ...documents] });
  const agent = await openAgent(t, (stream) => {
    const duplex = toDuplex(stream);
    duplex.on('error', () => {});
    duplex.pipe(duplex);
  });
  door.tunnels.push(agent.tunnel);
  return { door, agent };
}

test('a connection that passes through is closed at accept for an address that is not allowed, and no agent hears of it', async (t) => {
  const { door, agent } = await openRestricted(t, edge(true), allowLoopback, denySecond);
  assert.equal((await everything(from(t, door, '127.0.0.2'))).length, 0);
  await readBack(from(t, door, '127.0.0.1'), hello.length);
  assert.deepEqual(
    agent.headers.map(({ ClientAddr }) => ClientAddr.split(':')[0]),
    ['127.0.0.1'],
  );
});

test('a policy without rules shuts the edge, and the module that is off opens it', async (t) => {
  const { door } = await openRestricted(t, edge(true));
  assert.equal((await everything(from(t, door, '127.0.0.1'))).length, 0);
  door.table.apply([put(edge(false))]);
  await readBack(from(t, door, '127.0.0.1'), hello.length);
});

test('a policy that changes ends the connections that it no longer allows, and the others go on', async (t) => {
  const { door } = await openRestricted(t, edge(true), allowLoopback);
  const [first, second] = [from(t, door, '127.0.0.1'), from(t, door, '127.0.0.2')];
  await Promise.all([readBack(first, hello.length), readBack(second, hello.length)]);
  const ended = everything(second);
  door.table.apply([put(denySecond)]);
  assert.equal((await ended).length, 0);
  first.write('still here');
  await readBack(first, 10);
  const endedToo = everything(first);
  door.table.apply([gone(allowLoopback), gone(denySecond)]);
  assert.equal((await endedToo).length, 0);
});
