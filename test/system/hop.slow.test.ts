/**
 * Visitors of one daemon and tunnels of another one, on one database.
 * Invariant: a visitor finds at each daemon what it finds at the daemon of the agent.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import {
  ClientCertificates,
  eventually,
  freePorts,
  makeSshKey,
  Platform,
  Postgres,
  type Process,
  postgresMissing,
  shareMasterKey,
  sshClient,
  sshMissing,
  Visitor,
} from '../harness/index.ts';

shareMasterKey();

const BULK = 3 * 1024 * 1024;

describe('a visitor of one daemon and a tunnel of another one', { skip: postgresMissing }, () => {
  let server: Postgres;
  let near: Platform;
  let far: Platform;
  /** Has the address 127.0.0.2, so that it can listen on the TCP ports of the others. */
  let third: Platform;
  let port: string;
  const services: Server[] = [];

  before(async () => {
    server = await Postgres.shared();
    const args = ['--database', await server.database()];
    const [sshPort] = await freePorts(1);
    near = await Platform.start({ args: [...args, '--ssh-listen', `127.0.0.1:${sshPort}`] });
    far = await Platform.start({ args });
    third = await Platform.start({ args, host: '127.0.0.2' });
    const service = createHttpServer(async (request, response) => {
      if (request.url === '/bulk') return response.end('y'.repeat(BULK));
      let bytes = 0;
      for await (const chunk of request) bytes += chunk.length;
      response.end(`${request.method} ${request.headers['x-forwarded-for']} ${bytes}`);
    });
    service.on('upgrade', (_, socket: Socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.pipe(socket);
    });
    port = String(await listening(service));
  });
  after(async () => {
    await Promise.all([near?.stop(), far?.stop(), third?.stop()]);
    for (const one of services) one.close();
    await server?.stop();
  });

  async function listening(one: Server): Promise<number> {
    services.push(one);
    await once(one.listen(0, '127.0.0.1'), 'listening');
    return (one.address() as AddressInfo).port;
  }

  async function create(path: string, body: object): Promise<{ id: string } & Record<string, string>> {
    const { status, json } = await near.api('POST', path, body);
    assert.equal(status, 201, JSON.stringify(json));
    return json;
  }

  const hostOf = (url: string): string => new URL(url).hostname;

  /** The first answer with a status below 300, at a daemon that learns of a tunnel a moment after its bind. */
  const visit = (platform: Platform, name: string, path = '/') =>
    eventually(async () => {
      const answer = await platform.visit(`https://${name}:${platform.port}${path}`);
      assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
      return answer.text;
    });

  test('requests, bodies and kept connections work, and the address of the visitor arrives', async () => {
    const { url } = await near.agent(['http', port]);
    const name = hostOf(url);
    assert.equal(await visit(near, name), 'GET 127.0.0.1 0');
    assert.equal(await visit(far, name), 'GET 127.0.0.1 0');
    const body = Buffer.alloc(BULK, 'x');
    const sent = await far.visit(`https://${name}:${far.port}/`, { method: 'POST', body });
    assert.equal(sent.text, `POST 127.0.0.1 ${BULK}`);
    assert.equal((await visit(far, name, '/bulk')).length, BULK);
    const kept = await Visitor.connect({ port: far.port, servername: name, ca: near.ca });
    for (let count = 0; count < 20; count += 1) assert.equal((await kept.get()).status, 200);
    kept.close();
  });

  test('an upgraded connection carries bytes both ways', async () => {
    const { url } = await near.agent(['http', port]);
    await visit(far, hostOf(url));
    const { socket } = await Visitor.connect({ port: far.port, servername: hostOf(url), ca: near.ca });
    socket.write(`GET / HTTP/1.1\r\nHost: ${hostOf(url)}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await eventually(() => assert.match(text, /^HTTP\/1.1 101 /));
    socket.write('hello');
    await eventually(() => assert.match(text, /hello$/));
    socket.destroy();
  });

  test('each daemon states why the agent of another one did not reach its service', async () => {
    const [closed] = await freePorts(1);
    const { url } = await near.agent(['http', String(closed)]);
    for (const platform of [near, far])
      await eventually(async () => {
        const { text } = await platform.visit(`https://${hostOf(url)}:${platform.port}/`);
        assert.match(text, /Cause: connection refused\./);
      });
  });

  test('the modules of the agent hold at every daemon', async () => {
    const flags = ['--basic-auth', 'ada:correct-horse', '--response-header-add', 'x-by: the agent'];
    const { url } = await near.agent(['http', port, ...flags]);
    const name = hostOf(url);
    for (const daemon of [near, far]) {
      await eventually(async () => assert.equal((await daemon.visit(name)).status, 401));
      const authorization = `Basic ${Buffer.from('ada:correct-horse').toString('base64')}`;
      const { status, headers } = await daemon.visit(name, { headers: { authorization } });
      assert.equal(status, 200);
      assert.equal(headers['x-by'], 'the agent');
    }
  });

  test('TLS that passes through reaches the service behind the agent', async () => {
    const identities = new ClientCertificates();
    const { pem, key } = identities.make('the service itself');
    const to = await listening(createTlsServer({ cert: pem, key }, (socket) => socket.end('hello')));
    const { url } = await near.agent(['tls', String(to)]);
    await eventually(async () => {
      const options = {
        port: far.port,
        host: '127.0.0.1',
        servername: hostOf(url),
        rejectUnauthorized: false,
      };
      const socket = connectTls(options);
      try {
        await once(socket, 'secureConnect');
        assert.equal(String(socket.getPeerCertificate().subject.CN), 'the service itself');
      } finally {
        socket.destroy();
      }
    });
    identities.remove();
  });

  test('a TCP port of a tunnel is open at every daemon', async () => {
    const to = await listening(createServer((socket) => socket.end('hello from TCP')));
    const { url } = await near.agent(['tcp', String(to)]);
    const said = async (host: string): Promise<string> => {
      const socket = connect({ host, port: Number(new URL(url).port) });
      let text = '';
      for await (const chunk of socket) text += chunk;
      return text;
    };
    for (const host of ['127.0.0.1', '127.0.0.2'])
      await eventually(async () => assert.equal(await said(host), 'hello from TCP'));
  });

  test('labels and failover lead to agents of all daemons, and elsewhere only when none is there', async () => {
    await create('/reserved_domains', { name: 'group.underpass.localhost' });
    const { id: group } = await create('/backends/tunnel_group', { labels: { app: 'hop' } });
    const { id: page } = await create('/backends/http_response', { body: 'the fallback page' });
    const { id } = await create('/backends/failover', { backends: [group, page] });
    const { id: edge } = await create('/edges/https', { hostports: ['group.underpass.localhost:443'] });
    const backend = { backend: { enabled: true, backend_id: id } };
    await create(`/edges/https/${edge}/routes`, { match: '/', match_type: 'path_prefix', ...backend });
    assert.equal(await visit(far, 'group.underpass.localhost'), 'the fallback page');
    const { process } = await near.agent(['http', port, '--label', 'app=hop']);
    for (const daemon of [near, far])
      await eventually(async () =>
        assert.equal(await visit(daemon, 'group.underpass.localhost'), 'GET 127.0.0.1 0'),
      );
    await process.stop();
    for (const daemon of [near, far])
      await eventually(async () =>
        assert.equal(await visit(daemon, 'group.underpass.localhost'), 'the fallback page'),
      );
  });

  test('ssh -R is served at every daemon, and shows visitors and refusals of every daemon', {
    skip: sshMissing,
  }, async () => {
    const { path, line } = makeSshKey(near.dataDir, 'hop', ['-t', 'ed25519']);
    await create('/ssh_credentials', { public_key: line });
    const sshPort = Number(near.bootstrap.ssh_addr?.split(':')[1]);
    const forward = ['-tt', '-R', `80:127.0.0.1:${port}`];
    const client: Process = sshClient(sshPort, path, forward, ['http', '--basic-auth', 'ada:correct-horse']);
    const { input } = await client.line(/https:\/\/\S+/);
    const name = hostOf(/https:\/\/\S+/.exec(input)![0]);
    await eventually(async () => assert.equal((await far.visit(name)).status, 401));
    await client.line(/401 GET \/ {2}refused \(basic_auth\)/);
    const authorization = `Basic ${Buffer.from('ada:correct-horse').toString('base64')}`;
    assert.equal((await far.visit(name, { headers: { authorization } })).status, 200);
    await client.line(/200 GET \//);
    await client.stop();
  });

  test('sessions, tunnels and endpoints are the same at every daemon, and an agent stops wherever it is', async () => {
    const { process, url } = await near.agent(['http', port, '--metadata', 'the one to stop']);
    const at = (daemon: Platform, method: string, path: string) => {
      const { api_key } = near.bootstrap;
      const headers = { authorization: `Bearer ${api_key}`, 'service-version': '2' };
      return daemon.client.request(new URL(path, `https://api.underpass.localhost:${daemon.port}`), {
        method,
        headers,
        ...(method === 'POST'
          ? { body: '{}', headers: { ...headers, 'content-type': 'application/json' } }
          : {}),
      });
    };
    const withoutHost = (text: string): string =>
      text.replaceAll(/underpass\.localhost:\d+|"port":\d+/g, 'service');
    for (const path of ['/tunnel_sessions', '/tunnels', '/endpoints'])
      await eventually(async () => {
        const [one, other] = await Promise.all([at(near, 'GET', path), at(far, 'GET', path)]);
        assert.equal(withoutHost(other.text), withoutHost(one.text));
        assert.match(one.text, /"id"/);
      });
    const { json } = await at(far, 'GET', '/tunnels');
    const tunnel = json.tunnels.find((one: { public_url: string }) => one.public_url === url);
    const stopped = await at(far, 'POST', `/tunnel_sessions/${tunnel.tunnel_session.id}/stop`);
    assert.equal(stopped.status, 204, stopped.text);
    await process.exited;
    await eventually(async () => assert.equal((await far.visit(hostOf(url))).status, 404));
  });
});
