/** Forwards in the order in which clients send them: before a session, after it, without one, and several at a time. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { noopHandler } from '@underpass/wire';
import { eventually, until } from '../../../../../test/harness/until.ts';
import type { ByteStream } from '../../online/online.ts';
import { Reader, string, uint32 } from '../../pki/ssh/index.ts';
import { Message } from '../../ssh/numbers.ts';
import { RawClient } from '../../ssh/raw-client.fixture.ts';
import { visitor, type WorldOptions } from '../ingress.fixture.ts';
import { requestCommand, requestForward, type Started, startGateway } from './gateway.fixture.ts';

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

/** No session means a short wait only. */
const soon = { limits: { sshSessionMs: 50 } };
/** The port implies nothing while a test runs. */
const never = { limits: { sshSessionMs: 600_000 } };
const onePort = { tcpPorts: { first: 20_005, last: 20_005 } };

async function start(options: WorldOptions, acl: readonly string[] = []): Promise<Started> {
  const started = await startGateway(options, acl);
  stops.push(started.stop);
  return started;
}

async function forwarded(client: RawClient, address: string, port: number): Promise<number> {
  requestForward(client, 'tcpip-forward', address, port);
  const reply = await client.message(Message.requestSuccess);
  return port === 0 ? new Reader(reply.subarray(1)).uint32() : port;
}

async function stderr(client: RawClient): Promise<string> {
  return (await client.message(Message.channelExtendedData)).toString('utf8', 13);
}

async function debug(client: RawClient): Promise<string> {
  return new Reader((await client.message(Message.debug)).subarray(2)).text();
}

function urls({ world }: Started): readonly string[] {
  const tunnels = [...world.ingress.online.named(() => true)];
  return tunnels.map(({ facts }) => facts.endpoint?.url ?? '');
}

async function online(started: Started, pattern: RegExp): Promise<string> {
  await until(() => started.world.ingress.counts.tunnels === 1);
  const [url = ''] = urls(started);
  assert.match(url, pattern);
  return url;
}

describe('a client that waits for the response before it opens a session', () => {
  const orders: readonly (readonly [string, number, string, RegExp])[] = [
    ['', 80, 'http', /^https:\/\/[0-9a-f]{12}\.underpass\.localhost:8443$/],
    ['', 443, 'tls', /^tls:\/\/[0-9a-f]{12}\.underpass\.localhost:8443$/],
    ['localhost', 8443, 'http', /^https:/],
    ['a.underpass.localhost', 443, 'http', /^https:\/\/a\.underpass\.localhost:8443$/],
    ['b.underpass.localhost', 0, 'tls', /^tls:\/\/b\.underpass\.localhost:8443$/],
    ['', 0, 'http', /^https:/],
  ];
  for (const [address, port, command, url] of orders) {
    test(`"${address}" at ${port}, then ${command}`, async () => {
      const started = await start(never);
      const client = await RawClient.authenticated(started.port, started.key);
      await forwarded(client, address, port);
      assert.deepEqual(urls(started), []);
      requestCommand(client, await client.openSession(), command);
      await online(started, url);
      client.socket.destroy();
    });
  }

  test('port 0, then tcp, gets the port that the response names', async () => {
    const started = await start(never);
    const client = await RawClient.authenticated(started.port, started.key);
    const port = await forwarded(client, '', 0);
    requestCommand(client, await client.openSession(), 'tcp');
    assert.equal(Number(new URL(await online(started, /^tcp:/)).port), port);
    client.socket.destroy();
  });

  test('port 0 is a port of the website if the credential may have no TCP port', async () => {
    const started = await start(never, ['bind:only.underpass.localhost']);
    const client = await RawClient.authenticated(started.port, started.key);
    assert.equal(await forwarded(client, '', 0), 8443);
    requestCommand(client, await client.openSession(), 'http --hostname only.underpass.localhost');
    await online(started, /only/);
    client.socket.destroy();
  });

  test('the forward may also follow the command', async () => {
    const started = await start(soon);
    const client = await RawClient.authenticated(started.port, started.key);
    requestCommand(client, await client.openSession(), 'tcp');
    await client.message(Message.channelSuccess);
    const port = await forwarded(client, '', 0);
    assert.equal(Number(new URL(await online(started, /^tcp:/)).port), port);
    client.socket.destroy();
  });

  test('a forward without the wish for a response has none', async () => {
    const started = await start(never);
    const client = await RawClient.authenticated(started.port, started.key);
    requestForward(client, 'tcpip-forward', '', 0, false);
    requestCommand(client, await client.openSession(), 'tcp');
    await online(started, /^tcp:/);
    const replies = client.received.filter(([type]) => type === Message.requestSuccess);
    assert.deepEqual(replies, []);
    client.socket.destroy();
  });
});

describe('a client without a session', () => {
  const implied: readonly (readonly [string, number, RegExp])[] = [
    ['', 80, /^http:\/\/[0-9a-f]{12}\.underpass\.localhost:8080$/],
    ['', 443, /^https:/],
    ['', 8443, /^https:/],
    ['c.underpass.localhost', 443, /^https:\/\/c\.underpass\.localhost:8443$/],
    ['d.underpass.localhost', 0, /^https:\/\/d\.underpass\.localhost:8443$/],
    ['', 0, /^tcp:/],
  ];
  for (const [address, port, url] of implied) {
    test(`"${address}" at ${port} has the protocol of its port, and reads the URL`, async () => {
      const started = await start({ ...soon, plainPort: 8080 });
      const client = await RawClient.authenticated(started.port, started.key);
      const known = await forwarded(client, address, port);
      const bound = await online(started, url);
      if (bound.startsWith('tcp:')) assert.equal(Number(new URL(bound).port), known);
      assert.equal(await debug(client), `Forwarding ${bound}`);
      client.socket.destroy();
      await until(() => started.world.ingress.counts.tunnels === 0);
    });
  }

  test('is told at login what is expected of it', async () => {
    const { port, key } = await start({});
    const client = await RawClient.authenticated(port, key);
    const banner = new Reader((await client.message(Message.userauthBanner)).subarray(1)).text();
    assert.match(banner, /"http", "tls" or "tcp".*\(-N\).*80 is http/);
    client.socket.destroy();
  });

  test('is disconnected with the reason if its name is taken', async () => {
    const started = await start(soon);
    const other = await started.register();
    const first = await RawClient.authenticated(started.port, other);
    await forwarded(first, 'taken.underpass.localhost', 443);
    await online(started, /taken/);
    const second = await RawClient.authenticated(started.port, started.key);
    requestForward(second, 'tcpip-forward', 'taken.underpass.localhost', 443);
    assert.match(await second.closed(), /taken\.underpass\.localhost/);
    assert.ok(!second.received.some(([type]) => type === Message.requestSuccess));
    assert.equal(started.world.ingress.counts.tunnels, 1);
    first.socket.destroy();
  });

  test('is disconnected with the reason if its name was taken after the response', async () => {
    const started = await start(never);
    const other = await started.register();
    const second = await RawClient.authenticated(started.port, started.key);
    await forwarded(second, 'late.underpass.localhost', 443);
    const first = await RawClient.authenticated(started.port, other);
    await forwarded(first, 'late.underpass.localhost', 443);
    requestCommand(first, await first.openSession(), 'http');
    await online(started, /late/);
    requestCommand(second, await second.openSession(), 'http');
    assert.match(await stderr(second), /late\.underpass\.localhost.*ERR_TEST_/);
    first.socket.destroy();
    second.socket.destroy();
  });

  test('gives a command later, which the tunnel then follows', async () => {
    const started = await start(soon);
    const client = await RawClient.authenticated(started.port, started.key);
    await forwarded(client, 'e.underpass.localhost', 443);
    await online(started, /^https:\/\/e\./);
    const [before] = started.world.ingress.online.named(() => true);
    const same = await client.openSession();
    requestCommand(client, same, 'ls');
    assert.match(await stderr(client), /"ls" is not known/);
    client.send(Buffer.of(Message.channelClose), uint32(same));
    await client.message(Message.channelClose);
    requestCommand(client, await client.openSession(), 'http --cidr-allow 203.0.113.0/24');
    await until(() => {
      const [tunnel] = started.world.ingress.online.named(() => true);
      return tunnel !== undefined && tunnel !== before;
    });
    await online(started, /^https:\/\/e\./);
    assert.ok(!client.isClosed);
    client.socket.destroy();
  });
});

describe('several forwards of one connection', () => {
  test('the second tunnel is refused on stderr, and the first one works', async () => {
    const started = await start(never);
    const client = await RawClient.authenticated(started.port, started.key);
    await forwarded(client, 'f.underpass.localhost', 443);
    requestForward(client, 'tcpip-forward', '', 0);
    await client.message(Message.requestFailure);
    requestCommand(client, await client.openSession(), 'http');
    assert.match(await stderr(client), /forwards a port already.*1105/);
    await online(started, /^https:\/\/f\./);
    requestForward(client, 'tcpip-forward', 'g.underpass.localhost', 443);
    await client.message(Message.requestFailure);
    assert.match(await stderr(client), /forwards a port already.*1105/);
    client.socket.destroy();
  });

  test('without a session the refusal is a line for the log', async () => {
    const started = await start(soon);
    const client = await RawClient.authenticated(started.port, started.key);
    await forwarded(client, '', 80);
    requestForward(client, 'tcpip-forward', '', 443);
    await client.message(Message.requestFailure);
    assert.match(await debug(client), /forwards a port already.*1105/);
    client.socket.destroy();
  });

  test('a loopback port beside it leads back to the client, and to no other', async () => {
    const started = await start(soon);
    const client = await RawClient.authenticated(started.port, started.key);
    const other = await RawClient.authenticated(started.port, started.key);
    requestForward(client, 'tcpip-forward', 'localhost', 30_001);
    requestForward(client, 'tcpip-forward', 'localhost', 80);
    await client.message(Message.requestSuccess);
    await client.message(Message.requestSuccess);
    await online(started, /^https:/);
    const open = (one: RawClient, host: string, port: number) =>
      one.send(
        ...[
          Buffer.of(Message.channelOpen),
          string('direct-tcpip'),
          uint32(9),
          uint32(1 << 20),
          uint32(32_768),
        ],
        ...[string(host), uint32(port), string('127.0.0.1'), uint32(1)],
      );
    open(other, '127.0.0.1', 30_001);
    await other.message(Message.channelOpenFailure);
    for (const [host, port] of [
      ['169.254.169.254', 30_001],
      ['127.0.0.1', 30_002],
      ['127.0.0.1', 80],
    ] as const) {
      open(client, host, port);
      await client.message(Message.channelOpenFailure);
    }
    open(client, '127.0.0.1', 30_001);
    const back = new Reader((await client.message(Message.channelOpen)).subarray(1));
    assert.equal(back.text(), 'forwarded-tcpip');
    const id = back.uint32();
    back.uint32();
    back.uint32();
    assert.deepEqual([back.text(), back.uint32()], ['localhost', 30_001]);
    const confirmed = new Reader((await client.message(Message.channelOpenConfirmation)).subarray(5));
    const direct = confirmed.uint32();
    client.send(Buffer.of(Message.channelOpenConfirmation), ...[id, 8, 1 << 20, 32_768].map(uint32));
    client.send(Buffer.of(Message.channelData), uint32(direct), string('ping'));
    assert.equal((await client.message(Message.channelData)).toString('latin1', 9), 'ping');
    client.send(Buffer.of(Message.channelData), uint32(id), string('pong'));
    assert.equal((await client.message(Message.channelData)).toString('latin1', 9), 'pong');
    for (const one of [direct, id]) client.send(Buffer.of(Message.channelClose), uint32(one));
    await client.message(Message.channelClose);
    await client.message(Message.channelClose);
    requestForward(client, 'cancel-tcpip-forward', 'localhost', 30_001);
    await client.message(Message.requestSuccess);
    open(client, '127.0.0.1', 30_001);
    await client.message(Message.channelOpenFailure);
    assert.equal(started.world.ingress.counts.tunnels, 1);
    for (const one of [client, other]) one.socket.destroy();
  });

  for (const address of ['localhost', '0.0.0.0'])
    test(`a port at ${address} that belongs to no address is no tunnel, and its client reads why`, async () => {
      const { port, key } = await start(soon);
      const client = await RawClient.authenticated(port, key);
      requestForward(client, 'tcpip-forward', address, 5432);
      assert.match(await client.closed(), /port 5432 belongs to no address.*1116/);
      assert.ok(!client.received.some(([type]) => type === Message.requestSuccess));
    });

  test('loopback ports are counted', async () => {
    const { port, key } = await start(never);
    const client = await RawClient.authenticated(port, key);
    await forwarded(client, '', 80);
    for (const at of [1, 2, 3, 4]) await forwarded(client, 'localhost', 30_000 + at);
    requestForward(client, 'tcpip-forward', 'localhost', 30_005);
    await client.message(Message.requestFailure);
    assert.match(await debug(client), /4 loopback ports.*60815/);
    client.socket.destroy();
  });
});

describe('a port that was chosen for a response', () => {
  test('is free again when the connection ends before a command', async () => {
    const started = await start({ ...never, ...onePort });
    for (let count = 0; count < 3; count += 1) {
      const client = await RawClient.authenticated(started.port, started.key);
      assert.equal(await forwarded(client, '', 0), 20_005);
      client.socket.destroy();
      await until(() => started.world.ingress.counts.sessions === 0);
    }
  });

  test('is given to one client at a time', async () => {
    const started = await start({ ...never, ...onePort });
    const [first, second] = [
      await RawClient.authenticated(started.port, started.key),
      await RawClient.authenticated(started.port, started.key),
    ];
    assert.equal(await forwarded(first, '', 0), 20_005);
    assert.equal(await forwarded(second, '', 0), 8443);
    requestCommand(second, await second.openSession(), 'tcp');
    assert.match(await stderr(second), /20005/);
    for (const one of [first, second]) one.socket.destroy();
  });

  test('is free again when the client takes the forward back before a command, and the client may forward anew', async () => {
    const started = await start({ ...never, ...onePort });
    const client = await RawClient.authenticated(started.port, started.key);
    assert.equal(await forwarded(client, '', 0), 20_005);
    requestForward(client, 'cancel-tcpip-forward', '', 20_005);
    await client.message(Message.requestSuccess);
    assert.equal(await forwarded(client, '', 0), 20_005);
    requestCommand(client, await client.openSession(), 'tcp');
    await online(started, /:20005$/);
    requestForward(client, 'cancel-tcpip-forward', '', 20_005);
    await client.message(Message.requestSuccess);
    assert.match(await client.closed(), /taken its forwarded port back/);
    assert.equal(started.world.ingress.counts.tunnels, 0);
  });

  test('is free again when the command is that of a website', async () => {
    const started = await start({ ...never, ...onePort });
    const client = await RawClient.authenticated(started.port, started.key);
    assert.equal(await forwarded(client, '', 0), 20_005);
    requestCommand(client, await client.openSession(), 'http');
    await online(started, /^https:/);
    const other = await RawClient.authenticated(started.port, started.key);
    assert.equal(await forwarded(other, '', 0), 20_005);
    for (const one of [client, other]) one.socket.destroy();
  });
});

describe('visitors', () => {
  test('that close wholly leave no channel, and those that half-close have the rest', async () => {
    const started = await start({ limits: { sshSessionMs: 50, streams: 2 } });
    const client = await RawClient.authenticated(started.port, started.key);
    await forwarded(client, '', 0);
    await online(started, /^tcp:/);
    const [tunnel] = started.world.ingress.online.named(() => true);
    assert.ok(tunnel !== undefined);
    for (let count = 0; count < 6; count += 1) {
      const stream: ByteStream | null = tunnel.open(visitor);
      assert.ok(stream !== null, `visitor ${count}`);
      const opened = new Reader((await client.message(Message.channelOpen)).subarray(1));
      opened.text();
      const id = opened.uint32();
      client.send(Buffer.of(Message.channelOpenConfirmation), ...[id, 7, 1 << 20, 32_768].map(uint32));
      const pieces: Buffer[] = [];
      stream.handler = { ...noopHandler, data: (chunk: Buffer) => pieces.push(chunk) };
      stream.write(Buffer.from('last words'));
      if (count % 2 === 0) {
        stream.end();
        await client.message(Message.channelEof);
        client.send(Buffer.of(Message.channelData), uint32(id), string('the rest'));
        await until(() => String(Buffer.concat(pieces)) === 'the rest');
        client.send(Buffer.of(Message.channelEof), uint32(id));
      } else stream.reset(0);
      await client.message(Message.channelClose);
      client.send(Buffer.of(Message.channelClose), uint32(id));
      await eventually(async () => assert.ok(stream.closed));
    }
    client.socket.destroy();
  });
});
