/** Tunnels that plain OpenSSH starts, without an agent. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { ClientCertificates, eventually, freePorts, sshMissing, startUpstream } from '../harness/index.ts';
import { ended, Gateway, online } from './ssh-gateway.fixture.ts';
import { upstreamFaultAt } from './upstream-fault.fixture.ts';

let gateway: Gateway;
before(async () => {
  if (sshMissing === false) gateway = await Gateway.start();
});
after(() => gateway?.stop());

/** Returns the greeting of a service at a port of the platform. */
async function said(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

describe('ssh -R', { skip: sshMissing }, () => {
  test('gives a service a random public name, for as long as it runs', async () => {
    const own = await gateway.register();
    const client = gateway.run(gateway.forward('80'), ['http'], own.path);
    const url = await online(client);
    assert.match(url, /^https:\/\/[0-9a-f]{12}\.underpass\.localhost:\d+$/);
    assert.equal((await gateway.platform.visit(`${url}/a?b`)).text, `${new URL(url).host} /a?b`);
    const session = await gateway.sessionOf(own.id);
    assert.equal(session.transport, 'ssh');
    assert.match(session.agent_version, /^OpenSSH_/);
    const { json } = await gateway.platform.api('GET', '/tunnels');
    const tunnel = json.tunnels.find((one: { public_url: string }) => one.public_url === url);
    assert.equal(tunnel.tunnel_session.id, session.id);
    await client.stop();
    await eventually(async () => {
      assert.equal(await gateway.sessionOf(own.id), undefined);
      assert.equal((await gateway.platform.visit(url)).status, 404);
    });
  });

  const forms: readonly (readonly [string, string, readonly string[], string])[] = [
    ['a name in place of the address', 'one.underpass.localhost:443', ['http'], 'one.underpass.localhost'],
    ['--hostname', '80', ['http', '--hostname', 'two.underpass.localhost'], 'two.underpass.localhost'],
    ['--subdomain', '443', ['http', '--subdomain=three'], 'three.underpass.localhost'],
    ['an asterisk for the address', '*:80', ['http', '--subdomain', 'four'], 'four.underpass.localhost'],
  ];
  for (const [what, at, command, name] of forms) {
    test(`takes the name from ${what}`, async () => {
      const url = await online(gateway.run(gateway.forward(at), command));
      assert.equal(new URL(url).hostname, name);
      assert.equal((await gateway.platform.visit(`${url}/x`)).text, `${new URL(url).host} /x`);
    });
  }

  test('takes a wildcard that is reserved, the port 0, and the user v2', async () => {
    await gateway.create('/reserved_domains', { name: '*.wild.underpass.localhost' });
    const client = gateway.run([...gateway.forward('*.wild.underpass.localhost:0'), '-l', 'v2'], ['http']);
    const url = await online(client);
    await client.line(new RegExp(`^Allocated port ${gateway.platform.port} for remote forward`));
    assert.equal(new URL(url).host, `*.wild.underpass.localhost:${gateway.platform.port}`);
    assert.equal((await gateway.platform.visit('any.wild.underpass.localhost')).status, 200);
  });

  test('shows what the edge refused, and why', async () => {
    const client = gateway.run(gateway.forward('80'), ['http', '--basic-auth', 'ada:correct-horse']);
    const url = await online(client);
    assert.equal((await gateway.platform.visit(`${url}/page?token=secret`)).status, 401);
    await client.line(/401 GET \/page {2}refused \(basic_auth\): The request has no name and password\./);
    assert.doesNotMatch(client.output, /secret/);
    await client.stop();
  });

  test('has visitors log in', async () => {
    const url = await online(
      gateway.run(gateway.forward('80'), ['http', '--basic-auth', 'someone:their-password']),
    );
    assert.equal((await gateway.platform.visit(url)).status, 401);
    const authorization = `Basic ${Buffer.from('someone:their-password').toString('base64')}`;
    assert.equal((await gateway.platform.visit(url, { headers: { authorization } })).status, 200);
  });

  test('carries TCP, at a port of its own or at a reserved address', async () => {
    const greeter = createServer((socket) => socket.end('hello from TCP\n')).listen(0, '127.0.0.1');
    await once(greeter, 'listening');
    const { port } = greeter.address() as AddressInfo;
    const any = gateway.run(gateway.forward('0', port), ['tcp']);
    const anyPort = Number(new URL(await online(any)).port);
    await any.line(new RegExp(`^Allocated port ${anyPort} for remote forward`));
    assert.equal(await said(anyPort), 'hello from TCP\n');
    const { json } = await gateway.platform.api('POST', '/reserved_addrs', {});
    const url = await online(gateway.run(gateway.forward(json.addr, port), ['tcp']));
    assert.equal(url, `tcp://${json.addr}`);
    assert.equal(await said(Number(new URL(url).port)), 'hello from TCP\n');
    greeter.close();
  });

  test('leaves TLS to the service behind it', async () => {
    const identities = new ClientCertificates();
    const { pem, key } = identities.make('the service itself');
    const service = createTlsServer({ cert: pem, key }, (socket) => socket.end()).listen(0, '127.0.0.1');
    await once(service, 'listening');
    try {
      const { port } = service.address() as AddressInfo;
      const url = await online(gateway.run(gateway.forward('443', port), ['tls', '--subdomain', 'own-tls']));
      assert.equal(url, `tls://own-tls.underpass.localhost:${gateway.platform.port}`);
      const options = { host: '127.0.0.1', port: gateway.platform.port, rejectUnauthorized: false };
      const visitor = connectTls({ ...options, servername: 'own-tls.underpass.localhost' });
      await once(visitor, 'secureConnect');
      assert.equal(visitor.getPeerCertificate().subject.CN, 'the service itself');
      visitor.destroy();
    } finally {
      service.close();
      identities.remove();
    }
  });

  test('keeps visitors out by their address', async () => {
    const open = await online(gateway.run(gateway.forward('80'), ['http', '--cidr-allow', '127.0.0.0/8']));
    assert.equal((await gateway.platform.visit(open)).status, 200);
    const closed = await online(
      gateway.run(gateway.forward('80'), [
        'http',
        '--cidr-allow',
        '0.0.0.0/0',
        '--cidr-deny',
        '127.0.0.1/32',
      ]),
    );
    assert.equal((await gateway.platform.visit(closed)).status, 403);
  });

  test('shows visitors that the service behind it is down', async () => {
    const [unused = 0] = await freePorts(1);
    const url = await online(gateway.run(gateway.forward('80', unused), ['http']));
    const answer = await gateway.platform.visit(url);
    assert.equal(answer.status, 502);
    assert.equal(answer.headers['underpass-error-code'], 'ERR_SERVICE_8012');
    assert.match(answer.text, /Cause: (connection refused|the connection failed)\./);
    const { fault } = await upstreamFaultAt(gateway.platform, new URL(url).hostname);
    assert.match(fault, /^(connection refused|the connection failed) \(SSH client: .+\)$/);
  });

  const limits = [
    ['', []],
    [', while its client changes keys over and over', ['-o', 'RekeyLimit=1M']],
  ] as const;
  for (const [when, options] of limits) {
    test(`carries large bodies both ways, and many at a time${when}`, async () => {
      const size = 3_000_000;
      const echo = await startUpstream((request, response) => request.pipe(response));
      try {
        const url = await online(gateway.run([...options, ...gateway.forward('80', echo.port)], ['http']));
        const bodies = Array.from({ length: 8 }, (_, n) => Buffer.alloc(size, n + 65));
        const answers = await Promise.all(
          bodies.map((body) => gateway.platform.visit(url, { method: 'POST', body })),
        );
        for (const [n, { text }] of answers.entries()) assert.ok(text === bodies[n]?.toString(), `body ${n}`);
      } finally {
        await echo.stop();
      }
    });
  }

  test('serves others while one visitor reads nothing of what it asked for', async () => {
    const endless = await startUpstream((request, response) => {
      if (request.url !== '/endless') response.end('short');
      else Readable.from(Array.from({ length: 2000 }, () => Buffer.alloc(65_536))).pipe(response);
    });
    try {
      const url = await online(gateway.run(gateway.forward('80', endless.port), ['http']));
      const { hostname, host } = new URL(url);
      const stalled = await gateway.platform.client.tls(hostname);
      stalled.pause();
      stalled.write(`GET /endless HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      await once(stalled, 'readable');
      for (let count = 0; count < 20; count++)
        assert.equal((await gateway.platform.visit(url)).text, 'short');
      stalled.destroy();
    } finally {
      await endless.stop();
    }
  });

  test('shows its URL and the requests on a terminal', async () => {
    const client = gateway.run(['-tt', ...gateway.forward('80')], ['http']);
    const url = await online(client);
    await gateway.platform.visit(`${url}/on-the-screen`);
    await client.line(/200 GET \/on-the-screen/);
    await client.line(/Requests {4}1/);
  });

  test('ends with Ctrl-C on its terminal, which the client learns from the gateway and not from a cut', async () => {
    const client = gateway.run(['-tt', ...gateway.forward('80')], ['http']);
    await online(client);
    client.type('\x03');
    const { output, code } = await ended(client);
    assert.equal(code, 0);
    assert.doesNotMatch(output, /closed by remote host/);
  });

  test('comes back to its name at once while its former connection is frozen', async () => {
    const first = gateway.run(gateway.forward('80'), ['http', '--subdomain', 'frozen']);
    const url = await online(first);
    first.signal('SIGSTOP');
    await online(gateway.run(gateway.forward('80'), ['http', '--subdomain', 'frozen']));
    assert.equal((await gateway.platform.visit(url)).status, 200);
    first.signal('SIGCONT');
    const { output, code } = await ended(first);
    assert.match(output, /frozen\.underpass\.localhost was bound again/);
    assert.equal(code, 255);
  });
});

// The last, since it restarts the daemon.
describe('a daemon that stops and starts again', { skip: sshMissing }, () => {
  test('tells its clients, and is known by the same host keys, and by a certificate of one', async () => {
    const publicKeys = () =>
      ['ssh_host_key', 'ssh_host_ecdsa_key'].map((name) =>
        readFileSync(join(gateway.platform.dataDir, `${name}.pub`), 'utf8').trim(),
      );
    const before = publicKeys();
    const client = gateway.run(gateway.forward('80'), ['http']);
    await online(client);
    const authority = await gateway.create('/ssh_certificate_authorities', {});
    const { certificate } = await gateway.create('/ssh_host_certificates', {
      ssh_certificate_authority_id: authority.id,
      public_key: before[0],
      principals: ['gate.example.com'],
    });
    writeFileSync(join(gateway.platform.dataDir, 'ssh_host_key-cert.pub'), `${certificate}\n`);
    await gateway.platform.restart();
    assert.match((await ended(client)).output, /The service is stopping.*ERR_SERVICE_60319/);
    assert.deepEqual(publicKeys(), before);
    const { json } = await gateway.platform.api('GET', `/ssh_certificate_authorities/${authority.id}`);
    const known = join(gateway.directory, 'known_hosts');
    for (const line of before) {
      const [algorithm = ''] = line.split(' ');
      writeFileSync(known, `[127.0.0.1]:${gateway.port} ${line}\n`);
      const options = ['StrictHostKeyChecking=yes', `UserKnownHostsFile=${known}`];
      const flags = [...options, `HostKeyAlgorithms=${algorithm}`].flatMap((option) => ['-o', option]);
      await online(gateway.run([...flags, ...gateway.forward('80')], ['http']));
    }
    const strict = (name: string) => {
      writeFileSync(known, `@cert-authority ${name} ${json.public_key}\n`);
      const options = ['StrictHostKeyChecking=yes', `UserKnownHostsFile=${known}`, `HostKeyAlias=${name}`];
      return options.flatMap((option) => ['-o', option]);
    };
    await online(gateway.run([...strict('gate.example.com'), ...gateway.forward('80')], ['http']));
    const refused = await ended(
      gateway.run([...strict('other.example.com'), ...gateway.forward('80')], ['http']),
    );
    assert.match(refused.output, /Host key verification failed/);
  });
});
