/**
 * Services that are down behind agents that are there, next to services that are up. Invariant: a request or connection that an agent could
 * not pass on is served by the next place, and one that a service has got is not.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { after, before, type TestContext, test } from 'node:test';
import { type Answer, freePorts, inTime, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';
import { upstreamFaultAt } from './upstream-fault.fixture.ts';

let platform: Platform;
let web: Upstream;
/** Sends `bytes` first, and echoes its input. */
let raw: Server;
/** Takes every connection, and closes it when something comes. */
let silent: Server;
let silentTaken = 0;
/** Backends: their one service is down, or up. */
let down: string;
let up: string;
let rawUp: string;

before(async () => {
  web = await startUpstream((request, response) => {
    let body = 0;
    request.on('data', (chunk: Buffer) => {
      body += chunk.length;
    });
    request.on('end', () => response.end(`${request.method} ${body}`));
  });
  raw = listening((socket) => {
    socket.write('bytes ');
    socket.pipe(socket);
  });
  silent = listening((socket) => {
    silentTaken += 1;
    socket.once('data', () => socket.end());
  });
  platform = await Platform.shared();
  down = await group('down', await closedPort());
  up = await group('up', web.port);
  rawUp = await group('raw', portOf(raw));
});
after(async () => {
  await platform.stop();
  await web.stop();
  for (const server of [raw, silent]) server.close();
});

function listening(serve: (socket: Socket) => void): Server {
  return createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    serve(socket);
  }).listen(0, '127.0.0.1');
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function closedPort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

async function create(path: string, body: object): Promise<string> {
  const { status, text, json } = await platform.api('POST', path, body);
  assert.equal(status, 201, text);
  return json.id;
}

/** A tunnel group with one agent, which forwards to a port of this machine. */
async function group(app: string, port: number): Promise<string> {
  await platform.agent(['http', `127.0.0.1:${port}`, '--label', `app=${app}`]);
  return await create('/backends/tunnel_group', { labels: { app } });
}

const failover = (...backends: string[]) => create('/backends/failover', { backends });

let names = 0;
/** A visitor of an edge to the backend. */
async function edgeTo(
  backend: string,
): Promise<(init?: Parameters<Platform['visit']>[1]) => Promise<Answer>> {
  names += 1;
  const label = `refused${names}`;
  await httpsEdge(platform, label, backend);
  return (init) => platform.visit(`${label}.underpass.localhost`, init);
}

type Visit = Awaited<ReturnType<typeof edgeTo>>;

async function allAreServed(visit: Visit, requests = 20): Promise<void> {
  for (let i = 0; i < requests; i += 1) {
    const answers = await Promise.all([visit(), visit({ method: 'POST', body: 'twelve bytes' })]);
    assert.deepEqual(
      answers.map(({ status, text }) => [status, text]),
      [
        [200, 'GET 0'],
        [200, 'POST 12'],
      ],
    );
  }
}

test('a failover goes on to its second child, also with a body', async () => {
  await allAreServed(await edgeTo(await failover(down, up)));
});

test('weighted backends take another one', async () => {
  const weighted = await create('/backends/weighted', { backends: { [down]: 99, [up]: 1 } });
  await allAreServed(await edgeTo(weighted));
});

test('a group goes on to its other tunnel', async () => {
  const both = await group('both', await closedPort());
  await platform.agent(['http', String(web.port), '--label', 'app=both']);
  await allAreServed(await edgeTo(both));
});

test('tunnels that share a name go on to the other one', async () => {
  const flags = ['--domain', 'shared-name.underpass.localhost', '--pooling'];
  await platform.agent(['http', String(await closedPort()), ...flags]);
  const { url } = await platform.agent(['http', String(web.port), ...flags]);
  await allAreServed((init) => platform.visit(url, init));
});

/** More than is kept of a request. */
const LARGE = 2_000_000;

test('a large body waits until a place has taken the request, over HTTP/1.1 and HTTP/2', async () => {
  const visit = await edgeTo(await failover(down, up));
  const body = Buffer.alloc(LARGE, 'a');
  for (let i = 0; i < 5; i += 1) {
    const { status, text } = await visit({ method: 'POST', body });
    assert.deepEqual([status, text], [200, `POST ${LARGE}`]);
  }
  const host = `refused${names}.underpass.localhost`;
  const socket = await platform.client.tls(host, { ALPNProtocols: ['h2'] });
  const session = connectHttp2(`https://${host}`, { createConnection: () => socket });
  const stream = session.request({ ':method': 'POST', ':path': '/' });
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  stream.end(body);
  await inTime(once(stream, 'end'), () => 'an answer');
  assert.equal(text, `POST ${LARGE}`);
  session.destroy();
});

test('when all of them are down it is 502 with 8012, or the fixed response that comes last', async () => {
  const other = await group('down too', await closedPort());
  const visit = await edgeTo(await failover(down, other));
  for (const init of [{}, { method: 'POST', body: 'x' }]) {
    const { status, headers } = await visit(init);
    assert.deepEqual([status, headers['underpass-error-code']], [502, 'ERR_SERVICE_8012']);
  }
  const page = await create('/backends/http_response', { status_code: 503, body: 'back soon' });
  const { status, text } = await (await edgeTo(await failover(down, other, page)))();
  assert.deepEqual([status, text], [503, 'back soon']);
});

test('the page and the record of a request state why the agent did not reach its service', async () => {
  const port = await closedPort();
  for (const [upstream, cause] of [
    [`127.0.0.1:${port}`, 'connection refused'],
    ['unix:/nonexistent/underpass.sock', 'no such socket'],
    [`https://127.0.0.1:${web.port}`, 'TLS failed'],
    [`127.0.0.1:${portOf(silent)}`, 'the connection was closed without a response'],
    ['http://no-such-name.invalid', '(name not found|no response of the name servers)'],
  ] as const) {
    const { url } = await platform.agent(['http', upstream]);
    const { status, text, headers } = await platform.visit(url);
    assert.deepEqual([status, headers['underpass-error-code']], [502, 'ERR_SERVICE_8012']);
    assert.match(text, new RegExp(`Cause: ${cause}\\.`), upstream);
    const { fault, reason } = await upstreamFaultAt(platform, new URL(url).hostname);
    assert.match(fault, new RegExp(`^${cause}$`), upstream);
    assert.match(reason, new RegExp(`Cause: ${cause}\\.`), upstream);
  }
  const http2 = await platform.agent(['http', String(port), '--upstream-protocol', 'http2']);
  assert.match((await platform.visit(http2.url)).text, /Cause: connection refused\./);
  const { url } = await platform.agent(['tls', String(port)]);
  const host = new URL(url).hostname;
  await assert.rejects(platform.client.tls(host));
  assert.equal((await upstreamFaultAt(platform, host)).fault, 'connection refused');
});

test('a service that took the request and did not answer is not left', async () => {
  const reached = await group('silent', portOf(silent));
  const visit = await edgeTo(await failover(reached, up));
  for (const init of [{}, { method: 'POST', body: 'x' }]) {
    const before = silentTaken;
    const { status, headers } = await visit(init);
    assert.deepEqual([status, headers['underpass-error-code']], [502, 'ERR_SERVICE_8012']);
    assert.equal(silentTaken, before + 1);
  }
});

/** Sends `said` and returns the first text that the connection receives; '' if it ends before. */
async function firstWords(socket: Socket, said: string): Promise<string> {
  let text = '';
  socket.on('error', () => {});
  if (said !== '') socket.write(said);
  const heard = new Promise((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.endsWith(`bytes ${said}`)) resolve(null);
    });
    socket.once('close', resolve);
  });
  await inTime(heard, () => `more than ${text}`);
  socket.destroy();
  return text;
}

test('connections that carry bytes go on: TCP edges, and TLS edges, whoever speaks first', async () => {
  const backend = await failover(down, rawUp);
  const { json: reserved } = await platform.api('POST', '/reserved_addrs', {});
  await create('/edges/tcp', { hostports: [reserved.addr], backend: { backend_id: backend } });
  const port = Number(reserved.addr.split(':')[1]);
  const name = 'refused-bytes.underpass.localhost';
  await platform.api('POST', '/reserved_domains', { name });
  const tls_termination = { terminate_at: 'edge' };
  const tls = { hostports: [`${name}:443`], backend: { backend_id: backend }, tls_termination };
  await create('/edges/tls', tls);
  for (let i = 0; i < 10; i += 1) {
    for (const said of ['', 'hello']) {
      assert.equal(await firstWords(connect(port, '127.0.0.1'), said), `bytes ${said}`);
      assert.equal(await firstWords(await platform.client.tls(name), said), `bytes ${said}`);
    }
  }
  const large = 'x'.repeat(LARGE);
  assert.equal((await firstWords(connect(port, '127.0.0.1'), large)).length, LARGE + 6);
  assert.equal((await firstWords(await platform.client.tls(name), large)).length, LARGE + 6);
});

test('a WebSocket goes on to where it can be opened', async (t) => {
  const server = await startUpstream(() => {});
  t.after(() => server.stop());
  server.server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nopen');
  });
  const sockets = await group('sockets', server.port);
  await httpsEdge(platform, 'refused-sockets', await failover(down, sockets));
  const host = 'refused-sockets.underpass.localhost';
  const socket = await platform.client.tls(host);
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  assert.match(text, /^HTTP\/1\.1 101 .*open$/s);
});

/** The published fields of a connection. */
const FIELDS = ['ClientAddr', 'EdgeType', 'Id', 'PassthroughTLS', 'Proto'];

/** An agent that others wrote, which ends streams in order whether it reached its service or not. */
async function endingAgent(t: TestContext): Promise<{ taken: () => number }> {
  let taken = 0;
  const agent = await StockAgent.connect(platform, () => {}, {
    home: (header) => {
      assert.deepEqual(Object.keys(header).toSorted(), FIELDS);
      taken += 1;
      const [near, far] = duplexPair();
      far.end();
      return near;
    },
  });
  t.after(() => agent.stop());
  const Labels = { app: 'ending' };
  await agent.session.call(7, { Labels, ForwardsTo: 'x', ForwardsProto: '', Metadata: '' });
  return { taken: () => taken };
}

test('of an agent that does not report it, only what may be repeated goes on', async (t) => {
  const { taken } = await endingAgent(t);
  const ending = await create('/backends/tunnel_group', { labels: { app: 'ending' } });
  const visit = await edgeTo(await failover(ending, up));
  // Until the service takes it for one that knows its tunnel.
  const { status, text } = await visit();
  assert.deepEqual([status, text], [200, 'GET 0']);
  const before = taken();
  const refused = await visit({ method: 'POST', body: 'x' });
  assert.deepEqual([refused.status, refused.headers['underpass-error-code']], [502, 'ERR_SERVICE_8012']);
  assert.equal(taken(), before + 1);
  assert.doesNotMatch(refused.text, /Cause/);
  const { fault } = await upstreamFaultAt(platform, `refused${names}.underpass.localhost`);
  assert.equal(fault, 'the agent reports no cause');
});
