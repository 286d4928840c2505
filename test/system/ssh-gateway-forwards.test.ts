/** Forwards of real OpenSSH clients without a command, over a control master, with monitoring ports, and visitors that half-close. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually, freePorts, sshMissing } from '../harness/index.ts';
import { ended, Gateway, online, type Registered } from './ssh-gateway.fixture.ts';

let gateway: Gateway;
before(async () => {
  if (sshMissing === false) gateway = await Gateway.start();
});
after(() => gateway?.stop());

/** The URL of the one tunnel of a credential. */
async function urlOf(own: Registered): Promise<string> {
  return eventually(async () => {
    const session = await gateway.sessionOf(own.id);
    const { json } = await gateway.platform.api('GET', '/tunnels');
    const tunnel = json.tunnels.find(
      (one: { tunnel_session: { id: string } }) => one.tunnel_session.id === session?.id,
    );
    assert.ok(tunnel !== undefined);
    return tunnel.public_url as string;
  });
}

async function read(port: number, sent: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8');
  socket.end(sent);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

describe('ssh -N', { skip: sshMissing }, () => {
  test('has the protocol of its port, and says at login that it will', async () => {
    const own = await gateway.register();
    const client = gateway.run(['-N', '-v', ...gateway.forward('443')], [], own.path);
    await client.line(/Give "http", "tls" or "tcp" as the command/);
    const url = await urlOf(own);
    assert.match(url, /^https:/);
    await client.line(new RegExp(`Remote: Forwarding ${url}`));
    assert.equal((await gateway.platform.visit(url)).status, 200);
    await client.stop();
    await eventually(async () => assert.equal((await gateway.platform.visit(url)).status, 404));
  });

  test('ends with the reason if there is no such tunnel', async () => {
    const { code, output } = await ended(gateway.run(['-N', ...gateway.forward('5432')], []));
    assert.equal(code, 255);
    assert.match(output, /Received disconnect .*port 5432 belongs to no address.*1116/);
  });

  test('forwards over a control master, whose forward is answered at once', async () => {
    const own = await gateway.register();
    const path = join(gateway.directory, 'master');
    const master = gateway.run(['-N', '-M', '-S', path], [], own.path);
    await eventually(async () => assert.ok((await gateway.sessionOf(own.id)) !== undefined));
    const control = (...args: readonly string[]) =>
      execFileSync('ssh', ['-F', 'none', '-S', path, ...args, 'x'], { encoding: 'utf8', stdio: 'pipe' });
    await eventually(async () => control('-O', 'check'));
    const port = Number(control('-O', 'forward', ...gateway.forward('0')));
    assert.equal(Number(new URL(await urlOf(own)).port), port);
    control('-O', 'cancel', ...gateway.forward('0'));
    assert.match((await ended(master)).output, /taken its forwarded port back/);
  });
});

describe('ports of one connection', { skip: sshMissing }, () => {
  test('lead back to the client beside its tunnel, as autossh monitors it', async () => {
    const monitor = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(monitor, 'listening');
    const [there = 0] = await freePorts(1);
    const back = `${there}:127.0.0.1:${(monitor.address() as AddressInfo).port}`;
    const options = ['-L', `${there}:127.0.0.1:${there}`, '-R', back, ...gateway.forward('80')];
    const client = gateway.run(options, ['http']);
    const url = await online(client);
    assert.equal(await read(there, 'still there'), 'still there');
    assert.equal((await gateway.platform.visit(url)).status, 200);
    assert.doesNotMatch(client.output, /forwarding failed/);
    monitor.close();
  });

  test('carry the rest to visitors that half-close, and end at the service with visitors that leave', async () => {
    let connections = 0;
    const service = createServer({ allowHalfOpen: true }, (socket) => {
      connections += 1;
      let text = '';
      socket.on('error', () => {});
      socket.on('close', () => {
        connections -= 1;
      });
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      socket.on('end', () => socket.end(`all of ${text}`));
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const client = gateway.run(gateway.forward('0', (service.address() as AddressInfo).port), ['tcp']);
    const port = Number(new URL(await online(client)).port);
    assert.equal(await read(port, 'the question'), 'all of the question');
    const leaving = connect(port, '127.0.0.1');
    leaving.write('half');
    await eventually(async () => assert.equal(connections, 1));
    leaving.resetAndDestroy();
    await eventually(async () => assert.equal(connections, 0));
    assert.equal(await read(port, 'another'), 'all of another');
    service.close();
  });
});
