/**
 * Visitors, agents and API clients behind a load balancer with the PROXY protocol.
 * Invariant: headers of other senders are not believed.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import {
  closing,
  eventually,
  freePorts,
  inTime,
  LoadBalancer,
  makeSshKey,
  nginxMissing,
  Platform,
  sshClient,
  sshMissing,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

const NAME = 'balanced.underpass.localhost';
/** Range of the load balancers. */
const RANGE = '127.0.9.0/24';
const BALANCER = '127.0.9.1';
const VISITOR = '192.0.2.77';

let platform: Platform;
let upstream: Upstream;
let echo: Server;
let edge: string;
/** The backend of the echo. */
let echoing: string;
let tcpPort: number;
let plainPort: number;
let sshPort: number;

before(async () => {
  [plainPort = 0, tcpPort = 0, sshPort = 0] = await freePorts(3);
  const plain = [
    ...['--http-listen', `127.0.0.1:${plainPort}`, '--tcp-ports', `${tcpPort}-${tcpPort}`],
    ...['--ssh-listen', `127.0.0.1:${sshPort}`],
  ];
  platform = await Platform.start({
    args: ['--proxy-protocol-from', RANGE, '--access-log', 'all', ...plain],
  });
  upstream = await startUpstream((request, response) => response.end(request.headers['x-forwarded-for']));
  echo = createServer((socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  edge = await httpsEdge(platform, 'balanced', await served('web', upstream.port));
  const { addr } = await created('/reserved_addrs', {});
  echoing = await served('echo', (echo.address() as { port: number }).port);
  await created('/edges/tcp', { hostports: [addr], backend: { backend_id: echoing } });
});
after(async () => {
  await platform.stop();
  await upstream.stop();
  echo.close();
});

async function created(path: string, body: object): Promise<{ id: string } & Record<string, string>> {
  const { status, json, text } = await platform.api('POST', path, body);
  assert.equal(status, 201, text);
  return json;
}

async function served(app: string, port: number): Promise<string> {
  const { id } = await created('/backends/tunnel_group', { labels: { app } });
  await platform.agent(['http', `127.0.0.1:${port}`, '--label', `app=${app}`]);
  return id;
}

/** Returns a header as haproxy writes it, with an extension after the addresses. */
function version2(client: string): Buffer {
  const addresses = Buffer.from([...client.split('.').map(Number), 198, 51, 100, 7, 0x1f, 0x90, 1, 0xbb]);
  const extension = Buffer.from([0x04, 0, 1, 0]);
  const fixed = Buffer.from('0d0a0d0a000d0a515549540a2111', 'hex');
  return Buffer.concat([fixed, Buffer.from([0, addresses.length + extension.length]), addresses, extension]);
}

function version1(client: string): Buffer {
  return Buffer.from(`PROXY TCP4 ${client} 198.51.100.7 8080 443\r\n`);
}

const headers = [version1, version2];

async function dial(t: TestContext, port: number, header: Buffer | null, from = BALANCER): Promise<Socket> {
  const socket = connectTcp({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
  t.after(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (header !== null) socket.write(header);
  return socket;
}

/** Everything that comes until the other side closes. */
async function transcript(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  await inTime(closing(socket), () => `the end after ${text}`);
  return text;
}

/** GET over TLS on a socket whose header was sent. */
async function get(socket: Socket, servername = NAME): Promise<string> {
  const secured = connectTls({ socket, servername, ca: platform.ca });
  secured.on('error', () => {});
  secured.write(`GET / HTTP/1.1\r\nhost: ${servername}:${platform.port}\r\nconnection: close\r\n\r\n`);
  return await transcript(secured);
}

async function policyFor(cidr: string): Promise<string> {
  const { id } = await created('/ip_policies', {});
  await created('/ip_policy_rules', { ip_policy_id: id, action: 'allow', cidr });
  return id;
}

async function restrictTo(cidr: string): Promise<void> {
  const id = await policyFor(cidr);
  const route = (await platform.api('GET', edge)).json.routes[0].id;
  const body = { ip_policy_ids: [id] };
  assert.equal((await platform.api('PUT', `${edge}/routes/${route}/ip_restriction`, body)).status, 200);
}

async function unrestrict(): Promise<void> {
  const route = (await platform.api('GET', edge)).json.routes[0].id;
  assert.equal((await platform.api('DELETE', `${edge}/routes/${route}/ip_restriction`)).status, 204);
}

async function throughNginx(
  act: (balancer: LoadBalancer) => Promise<void>,
  to = platform.port,
): Promise<void> {
  const balancer = await LoadBalancer.start(to, BALANCER);
  try {
    await act(balancer);
  } finally {
    await balancer.stop();
  }
}

test('through nginx the upstream sees the visitor', { skip: nginxMissing }, async (t) => {
  await throughNginx(async ({ port }) => {
    assert.match(await get(await dial(t, port, null, '127.0.0.1')), /\r\n127\.0\.0\.1/);
  });
});

test('through nginx ssh -R has the address of its client', {
  skip: nginxMissing || sshMissing,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-balanced-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const key = makeSshKey(folder, 'key', ['-t', 'ed25519']);
  await created('/ssh_credentials', { public_key: key.line });
  await throughNginx(async ({ port }) => {
    const client = sshClient(port, key.path, ['-R', `80:localhost:${upstream.port}`], ['http']);
    try {
      await client.line(/Forwarding {2}http/);
      const { json } = await platform.api('GET', '/tunnel_sessions');
      const session = json.tunnel_sessions.find((one: { transport: string }) => one.transport === 'ssh');
      assert.equal(session.ip, '127.0.0.1');
    } finally {
      await client.stop();
    }
  }, sshPort);
});

for (const header of headers) {
  test(`${header.name}: the SSH port reads it from load balancers alone`, async (t) => {
    const balanced = await dial(t, sshPort, header(VISITOR));
    assert.match(String((await once(balanced, 'data'))[0]), /^SSH-2\.0-/);
    const stranger = await dial(t, sshPort, header(VISITOR), '127.0.0.1');
    assert.match(await transcript(stranger), /^SSH-2\.0-/);
  });

  test(`${header.name}: the visitor of the header is judged, forwarded and logged`, async (t) => {
    assert.match(
      await get(await dial(t, platform.port, header(VISITOR))),
      /^HTTP\/1\.1 200 [\s\S]*\r\n192\.0\.2\.77/,
    );
    await eventually(() => assert.match(platform.daemon.output, /"client_addr":"192\.0\.2\.77:8080"/));
    await restrictTo('192.0.2.77/32');
    assert.match(await get(await dial(t, platform.port, header(VISITOR))), /^HTTP\/1\.1 200 /);
    assert.match(
      await get(await dial(t, platform.port, header('192.0.2.78'))),
      /^HTTP\/1\.1 403 [\s\S]*_3205/,
    );
    await unrestrict();
  });

  test(`${header.name}: at the ports of TCP edges and of plain HTTP the header is read, too`, async (t) => {
    const tcp = await dial(t, tcpPort, header(VISITOR));
    tcp.write('bytes');
    assert.equal(String((await once(tcp, 'data'))[0]), 'bytes');
    const plain = await dial(t, plainPort, header(VISITOR));
    plain.write(`GET /x HTTP/1.1\r\nhost: ${NAME}\r\n\r\n`);
    assert.match(await transcript(plain), /^HTTP\/1\.1 308 /);
  });

  test(`${header.name}: TLS edges judge the visitor of the header, whether they end TLS or not`, async (t) => {
    const restriction = { ip_policy_ids: [await policyFor(`${VISITOR}/32`)] };
    for (const tls_termination of [{ terminate_at: 'edge' }, null]) {
      const name = `${header.name}-${tls_termination === null ? 'passed' : 'ended'}.underpass.localhost`;
      await created('/reserved_domains', { name });
      await created('/edges/tls', {
        hostports: [`${name}:443`],
        backend: { backend_id: echoing },
        ip_restriction: restriction,
        tls_termination,
      });
      const hears = async (client: string): Promise<boolean> => {
        const socket = await dial(t, platform.port, header(client));
        const secured = connectTls({ socket, servername: name, ca: platform.ca });
        secured.on('error', () => {});
        secured.write('bytes');
        // The echo has a hello come back that passes through.
        await eventually(() => assert.ok(socket.bytesRead > 0 || socket.destroyed));
        if (tls_termination === null) return socket.bytesRead > 0;
        return await Promise.race([
          once(secured, 'data').then(() => true),
          closing(secured).then(() => false),
        ]);
      };
      assert.ok(await hears(VISITOR), name);
      assert.equal(await hears('192.0.2.78'), false, name);
    }
  });

  test(`${header.name}: who is no load balancer is refused with it, and is nobody else`, async (t) => {
    const door = await dial(t, platform.port, header(VISITOR), '127.0.0.1');
    const said = await transcript(door);
    assert.equal(Buffer.from(said, 'latin1').toString('hex').slice(0, 2), '15', 'an alert');
    const plain = await dial(t, plainPort, header(VISITOR), '127.0.0.1');
    plain.write(`GET /x HTTP/1.1\r\nhost: ${NAME}\r\n\r\n`);
    assert.match(await transcript(plain), /^HTTP\/1\.1 400 /);
    const tcp = await dial(t, tcpPort, header(VISITOR), '127.0.0.1');
    assert.deepEqual((await once(tcp, 'data'))[0], header(VISITOR), 'bytes like any others');
  });
}

test('a load balancer that sends no header gets nothing, at any port', async (t) => {
  for (const port of [platform.port, plainPort, tcpPort, sshPort]) {
    const socket = await dial(t, port, null);
    socket.write(`GET / HTTP/1.1\r\nhost: ${NAME}\r\n\r\n`);
    assert.equal(await transcript(socket), '');
  }
  await eventually(() => assert.match(platform.daemon.output, /no valid header of the PROXY protocol/));
});

test('restrictions of the account judge API clients and agents by the header', {
  skip: nginxMissing,
}, async (t) => {
  const { id: policy } = await created('/ip_policies', {});
  for (const cidr of ['127.0.0.1/32', '192.0.2.77/32']) {
    await created('/ip_policy_rules', { ip_policy_id: policy, action: 'allow', cidr });
  }
  for (const type of ['api', 'agent']) {
    await created('/ip_restrictions', { type, enforced: true, ip_policy_ids: [policy] });
  }
  const api = async (client: string): Promise<string> => {
    const socket = await dial(t, platform.port, version2(client));
    const servername = new URL(platform.bootstrap.base_url).hostname;
    const secured = connectTls({ socket, servername, ca: platform.ca });
    const { api_key } = platform.bootstrap;
    const lines = [
      `host: ${servername}:${platform.port}`,
      `authorization: Bearer ${api_key}`,
      'service-version: 2',
    ];
    secured.write(`GET /edges/tcp HTTP/1.1\r\n${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`);
    return await transcript(secured);
  };
  assert.match(await api(VISITOR), /^HTTP\/1\.1 200 /);
  assert.match(await api('192.0.2.78'), /^HTTP\/1\.1 403 [\s\S]*_220"/);
  // nginx itself would not be let in.
  await throughNginx(async ({ port }) => {
    const { process } = await platform.agent(['http', '3000'], { port });
    await process.stop();
  });
});
