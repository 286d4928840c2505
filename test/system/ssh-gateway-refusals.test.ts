/** Refusals of the SSH gateway. Existing tunnels continue beside them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually, freePorts, makeSshKey, type Process, sshMissing } from '../harness/index.ts';
import { ended, Gateway, online } from './ssh-gateway.fixture.ts';

let gateway: Gateway;
before(async () => {
  if (sshMissing === false) gateway = await Gateway.start();
});
after(() => gateway?.stop());

async function works(client: Process): Promise<void> {
  assert.equal((await gateway.platform.visit(await online(client))).status, 200);
}

/** All that comes from a port of the client until that closes. */
async function lastWords(port: number, sent: string | Buffer): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of socket) chunks.push(chunk);
  } catch (error) {
    // The client may close with bytes that it has not read, which resets the connection.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
  }
  return Buffer.concat(chunks);
}

describe('refused with words', { skip: sshMissing }, () => {
  const refusals: readonly (readonly [string, readonly string[], readonly string[], RegExp])[] = [
    ['a shell', ['-R', '80:localhost:1'], [], /There is no shell here.*1107/],
    ['an unknown command', ['-R', '80:localhost:1'], ['ls'], /command "ls" is not known.*1108/],
    [
      'an unknown flag',
      ['-R', '80:localhost:1'],
      ['http', '--nonsense', '1'],
      /"--nonsense" is not known.*1109/,
    ],
    [
      'a flag without its value',
      ['-R', '80:localhost:1'],
      ['http', '--hostname'],
      /--hostname is not used.*1110/,
    ],
    ['a port that http does not have', ['-R', '81:localhost:1'], ['http'], /port 81 cannot.*1113/],
    ['the port of SSH', ['-R', '22:localhost:1'], ['tls'], /port 22 cannot.*1113/],
    ['a port of no address', ['-R', '5432:localhost:1'], ['tcp'], /port 5432 belongs to no address.*1116/],
    [
      'an address without its port',
      ['-R', 'x.y:0:localhost:1'],
      ['tcp'],
      /x\.y is given without its port.*1117/,
    ],
    [
      'a name of another service',
      ['-R', 'other.example.com:443:localhost:1'],
      ['http'],
      /other\.example\.com/,
    ],
    [
      'a name and another one in a flag',
      ['-R', 'a.underpass.localhost:443:localhost:1'],
      ['http', '--hostname', 'b.underpass.localhost'],
      /"-R a\.underpass\.localhost:443" and "--hostname b\.underpass\.localhost".*1118/,
    ],
    [
      'a name and the label of another one',
      ['-R', 'a.underpass.localhost:443:localhost:1'],
      ['http', '--subdomain', 'b'],
      /"-R a\.underpass\.localhost:443" and "--subdomain b".*1119/,
    ],
    [
      'two names in flags',
      ['-R', '443:localhost:1'],
      ['tls', '--hostname', 'a.underpass.localhost', '--subdomain', 'b'],
      /"--hostname a\.underpass\.localhost" and "--subdomain b".*1120/,
    ],
    [
      'an address and another one in a flag',
      ['-R', 'x.y:1:localhost:1'],
      ['tcp', '--remote-addr', 'x.y:2'],
      /"-R x\.y:1" and "--remote-addr x\.y:2".*1114/,
    ],
    ['a subsystem', ['-s', '-R', '80:localhost:1'], ['sftp'], /the subsystem sftp is refused/],
    ['a connection to elsewhere', ['-W', '169.254.169.254:80'], [], /direct-tcpip is refused/],
    ['an unknown version', ['-l', 'v9', '-R', '80:localhost:1'], ['http'], /user "v9".*1106/],
  ];
  for (const [what, options, command, words] of refusals) {
    test(what, async () => {
      const { code, output } = await ended(gateway.run(options, command));
      assert.notEqual(code, 0);
      assert.match(output, words);
    });
  }

  test('forwarding of the SSH agent and of X11, while the tunnel works', async () => {
    const agent = createServer((socket) => socket.destroy()).listen(join(gateway.directory, 'agent'));
    await once(agent, 'listening');
    const options = ['-o', `IdentityAgent=${agent.address()}`, '-A', '-X', '-o', 'ForwardX11Trusted=yes'];
    const client = gateway.run([...options, ...gateway.forward('80')], ['http']);
    await works(client);
    await client.line(/forwarding of an SSH agent is refused/);
    await client.line(/X11 forwarding is refused/);
    agent.close();
  });

  test('connections of the client to elsewhere, by -L or by -D, while the tunnel works', async () => {
    const [local = 0, socks = 0] = await freePorts(2);
    const options = ['-L', `${local}:169.254.169.254:80`, '-D', `${socks}`];
    const client = gateway.run([...options, ...gateway.forward('80')], ['http']);
    await works(client);
    assert.equal((await lastWords(local, 'GET / HTTP/1.0\r\n\r\n')).length, 0);
    const greeting = Buffer.of(5, 1, 0);
    const connection = Buffer.of(5, 1, 0, 1, 169, 254, 169, 254, 0, 80);
    const answered = await lastWords(socks, Buffer.concat([greeting, connection]));
    assert.equal(answered.length <= 12, true, answered.toString('latin1'));
    const refused = () =>
      client.output.match(/open failed: administratively prohibited: .*direct-tcpip is refused/g);
    await eventually(async () => assert.equal(refused()?.length, 2));
    await works(client);
  });

  test('a second forwarded port, while the first one works', async () => {
    const client = gateway.run([...gateway.forward('80'), ...gateway.forward('443')], ['http']);
    const url = await online(client);
    await client.line(/The connection forwards a port already.*1105/);
    await client.line(/remote port forwarding failed for listen port 443/);
    assert.equal((await gateway.platform.visit(url)).status, 200);
  });

  test('a key that belongs to no credential', async () => {
    const { path } = makeSshKey(gateway.directory, 'unknown', ['-t', 'ed25519']);
    const { code, output } = await ended(gateway.run(gateway.forward('80'), ['http'], path));
    assert.equal(code, 255);
    assert.match(output, /SHA256:\S+ belongs to no SSH credential.*1102/);
  });

  test('help is given', async () => {
    const { code, output } = await ended(gateway.run(gateway.forward('80'), ['http', '--help']));
    assert.equal(code, 0);
    assert.match(output, /--basic-auth USER:PASSWORD/);
  });
});
