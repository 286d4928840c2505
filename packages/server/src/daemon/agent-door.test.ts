import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { eventually } from '../../../../test/harness/until.ts';
import { AgentDoor, type AgentDoorLimits } from './agent-door.ts';

const limits: AgentDoorLimits = { inAll: 4, perSource: 3, waitMs: 60_000 };
const addresses = { clientAddr: '192.0.2.1:1', serverAddr: '192.0.2.2:443' };
let server: Server;
let accept: (socket: Socket) => void = () => {};

before(async () => {
  server = createServer((socket) => accept(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => server.close());

/** A door, and what came through it: by whom it was taken, and the bytes. */
function doorWith(changed: Partial<AgentDoorLimits> = {}) {
  const passed: { by: string; text: string }[] = [];
  const receiver = (by: string) => ({
    serve(socket: Socket) {
      const entry = { by, text: '' };
      passed.push(entry);
      socket
        .on('error', () => {})
        .on('data', (chunk) => {
          entry.text += chunk.toString('latin1');
        });
    },
  });
  const counts = { cut: 0 };
  const cut = () => {
    counts.cut += 1;
  };
  const door = new AgentDoor<Socket>({
    ...{ agents: receiver('agents'), browsers: receiver('browsers'), cut },
    limits: { ...limits, ...changed },
  });
  accept = (socket) => door.serve(socket, addresses);
  return { door, passed, counts };
}

async function client(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

test('requests of HTTP go to browsers and everything else to agents, with every byte', async () => {
  const { door, passed } = doorWith();
  for (const [by, text] of [
    ['browsers', 'GET / HTTP/1.1\r\n\r\n'],
    ['browsers', 'HEAD /x HTTP/1.1\r\n\r\n'],
    ['agents', '\0\0\x04\x10\0\0\0\x01abcd'],
    ['agents', 'SSH-2.0-OpenSSH\r\n'],
    ['agents', 'AAAAAAAAAAAAAAAAAAAAAAAA'],
    ['agents', 'get / HTTP/1.1\r\n\r\n'],
    ['agents', 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n'],
  ] as const) {
    const socket = await client();
    socket.write(text, 'latin1');
    await eventually(() => assert.deepEqual(passed.at(-1), { by, text }));
    socket.destroy();
  }
  assert.equal(door.size, 0);
});

test('a request line that comes byte by byte is one, and the first byte of an agent is enough', async () => {
  const { door, passed } = doorWith();
  const slow = await client();
  for (const [at, letter] of [...'OPTIONS'].entries()) {
    slow.write(letter);
    await eventually(() => assert.equal(door.size, 1, `${at} ${letter}`));
  }
  assert.deepEqual(passed, []);
  slow.write(' *');
  await eventually(() => assert.deepEqual(passed, [{ by: 'browsers', text: 'OPTIONS *' }]));
  const agent = await client();
  agent.write('\0');
  await eventually(() => assert.deepEqual(passed.at(-1), { by: 'agents', text: '\0' }));
  slow.destroy();
  agent.destroy();
});

test('an unfinished request line is cut in time, and a silent connection goes to the limits of agents', async () => {
  const { door, passed, counts } = doorWith({ waitMs: 50 });
  const [begun, silent] = [await client(), await client()];
  begun.write('GE');
  begun.resume();
  await once(begun, 'close');
  await eventually(() => assert.deepEqual(passed, [{ by: 'agents', text: '' }]));
  assert.deepEqual([door.size, counts.cut], [0, 1]);
  silent.destroy();
});

test('of too many that wait, the longest waiting one goes on, and clients that leave are forgotten', async () => {
  const { door, passed } = doorWith();
  const sockets: Socket[] = [];
  for (let count = 1; count <= 4; count += 1) {
    sockets.push(await client());
    await eventually(() => assert.equal(door.size, Math.min(count, limits.perSource)));
  }
  assert.deepEqual(passed, [{ by: 'agents', text: '' }]);
  sockets[1]?.destroy();
  sockets[2]?.end();
  await eventually(() => assert.equal(door.size, 1));
  const last = sockets[3]!;
  last.resume();
  door.close();
  await once(last, 'close');
  assert.equal(door.size, 0);
  const late = await client();
  late.resume();
  await once(late, 'close');
  assert.equal(passed.length, 1);
  for (const socket of sockets) socket.destroy();
});
