/**
 * Static backends: addresses that the daemon dials itself.
 * Invariant: a former address is never dialled, and TLS is spoken with the named server only.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createHttps, type Server } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import {
  closing,
  curl,
  curlMissing,
  freePorts,
  Platform,
  Postgres,
  postgresMissing,
  startUpstream,
  type Upstream,
  until,
} from '../harness/index.ts';
import { selfSigned } from '../harness/make-certificate.ts';
import { httpsEdge } from './attacks.fixture.ts';
import { upstreamFaultAt } from './upstream-fault.fixture.ts';

let platform: Platform;
let dir: string;
/** Speaks TLS as `localhost`. */
let secured: Server;
const closers: (() => unknown)[] = [];

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'underpass-static-'));
  const cert = join(dir, 'cert.pem');
  const { pem, key } = selfSigned('localhost');
  writeFileSync(cert, pem);
  secured = createHttps({ key, cert: pem }, (_request, response) => {
    response.end('secured');
  });
  await new Promise<void>((done) => secured.listen(0, '127.0.0.1', done));
  platform = await Platform.start({
    args: ['--allow-private', '127.0.0.0/8'],
    through: ['env', `NODE_EXTRA_CA_CERTS=${cert}`],
  });
});
after(async () => {
  await platform.stop();
  for (const close of closers) await close();
  secured.closeAllConnections();
  secured.close();
  rmSync(dir, { recursive: true, force: true });
});

async function serve(listener: RequestListener): Promise<Upstream> {
  const upstream = await startUpstream(listener);
  closers.push(() => upstream.stop());
  return upstream;
}

/** A TCP server, and its port. */
async function listen(accept: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    accept(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Returns a port without a listener. */
async function deadPort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

async function make(path: string, body: object): Promise<string> {
  const { status, text, json } = await platform.api('POST', path, body);
  assert.equal(status, 201, text);
  return json.id;
}

function backend(port: number, { host = '127.0.0.1', tls = false } = {}): Promise<string> {
  return make('/backends/static', { address: `${host}:${port}`, tls: { enabled: tls } });
}

async function tlsEdge(label: string, backend_id: string, more: object = {}): Promise<string> {
  const name = `${label}.underpass.localhost`;
  await make('/reserved_domains', { name });
  await make('/edges/tls', { hostports: [`${name}:443`], backend: { backend_id }, ...more });
  return name;
}

/** Returns curl's result: the body, the status and the code of an error. */
async function visit(label: string, ...more: string[]): Promise<string> {
  const url = `https://${label}.underpass.localhost:${platform.port}/path?query`;
  const format = ['-w', ' %{http_code} %header{underpass-error-code}'];
  return (await curl(platform, [...format, ...more, url])).stdout;
}

test('requests go to the address with the name that was asked for, over connections that are kept', {
  skip: curlMissing,
}, async () => {
  const connections = new Set<Socket>();
  const upstream = await serve((request, response) => {
    connections.add(request.socket);
    const { host, 'x-forwarded-for': from, 'x-forwarded-proto': proto } = request.headers;
    request.setEncoding('utf8').on('data', (text) => response.write(`${text} `));
    request.on('end', () => response.end(`${request.url} ${host} ${from} ${proto}`));
  });
  // It closes nothing by itself.
  upstream.server.keepAliveTimeout = 0;
  await httpsEdge(platform, 'plain', await backend(upstream.port));
  const facts = `/path?query plain.underpass.localhost:${platform.port} 127.0.0.1 https 200 `;
  assert.equal(await visit('plain'), facts);
  assert.equal(await visit('plain'), facts);
  assert.equal(connections.size, 1);
  // A request that cannot be sent twice uses a kept connection only for a moment.
  assert.equal(await visit('plain', '-d', 'body'), `body ${facts}`);
});

test('a new address is where the next request goes, and the connections to the old one are closed', {
  skip: curlMissing,
}, async () => {
  let opened = 0;
  const kept = new Set<Socket>();
  const old = await serve((request, response) => {
    opened += 1;
    kept.add(request.socket.once('close', () => kept.delete(request.socket)));
    response.end('old');
  });
  // It closes nothing by itself.
  old.server.keepAliveTimeout = 0;
  const other = await serve((_request, response) => void response.end('other'));
  const id = await backend(old.port);
  await httpsEdge(platform, 'moves', id);
  assert.equal(await visit('moves'), 'old 200 ');
  const { status } = await platform.api('PATCH', `/backends/static/${id}`, {
    address: `127.0.0.1:${other.port}`,
  });
  assert.equal(status, 200);
  assert.equal(await visit('moves'), 'other 200 ');
  assert.equal(opened, 1);
  await until(() => kept.size === 0);
});

test('an answer that is under way ends when its address is no longer the one', {
  skip: curlMissing,
}, async () => {
  const upstream = await serve((_request, response) => void response.write('the beginning'));
  const id = await backend(upstream.port);
  await httpsEdge(platform, 'cut', id);
  const socket = await platform.client.tls('cut.underpass.localhost');
  const closed = closing(socket);
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: cut.underpass.localhost\r\n\r\n');
  await once(socket, 'data');
  await platform.api('PATCH', `/backends/static/${id}`, { address: `127.0.0.1:${await deadPort()}` });
  await closed;
  assert.match(await visit('cut'), / 502 ERR_SERVICE_3006$/);
});

test('TLS is spoken with whom the certificate names, and with nobody else', {
  skip: curlMissing,
}, async () => {
  const { port } = secured.address() as AddressInfo;
  await httpsEdge(platform, 'secured', await backend(port, { host: 'localhost', tls: true }));
  assert.equal(await visit('secured'), 'secured 200 ');
  await httpsEdge(platform, 'misnamed', await backend(port, { tls: true }));
  assert.match(await visit('misnamed'), / 502 ERR_SERVICE_60259$/);
  // The platform's own certificate is of an authority that the daemon does not trust for what it dials.
  await httpsEdge(platform, 'untrusted', await backend(platform.port, { host: 'localhost', tls: true }));
  assert.match(await visit('untrusted'), / 502 ERR_SERVICE_60259$/);
});

test('a backend that cannot be connected to is left for another one, and an answer of its own is not', {
  skip: curlMissing,
}, async () => {
  const upstream = await serve((_request, response) => response.writeHead(500).end('mine'));
  const dead = await backend(await deadPort());
  const alive = await backend(upstream.port);
  const page = await make('/backends/http_response', { body: 'the page', status_code: 503 });
  await httpsEdge(platform, 'failing', await make('/backends/failover', { backends: [dead, page] }));
  assert.equal(await visit('failing', '-d', 'body'), 'the page 503 ');
  await httpsEdge(platform, 'second', await make('/backends/failover', { backends: [dead, alive, page] }));
  assert.equal(await visit('second', '-d', 'body'), 'mine 500 ');
  const weighted = await make('/backends/weighted', { backends: { [dead]: 9999, [alive]: 1 } });
  await httpsEdge(platform, 'weighted', weighted);
  for (let i = 0; i < 5; i += 1) assert.equal(await visit('weighted'), 'mine 500 ');
  const release = await make('/backends/weighted', { backends: { [dead]: 9, [alive]: 1 } });
  await httpsEdge(platform, 'released', await make('/backends/failover', { backends: [release, page] }));
  assert.equal(await visit('released', '-d', 'body'), 'mine 500 ');
  const { status } = await platform.api('PATCH', `/backends/weighted/${release}`, {
    backends: { [dead]: 1 },
  });
  assert.equal(status, 200);
  assert.equal(await visit('released', '-d', 'body'), 'the page 503 ');
});

test('a TLS edge whose backends cannot be connected to answers with their page, whatever its visitor has sent by then', {
  skip: curlMissing,
}, async () => {
  const page = await make('/backends/http_response', { body: 'the page', status_code: 503 });
  const dead = await backend(await deadPort());
  const fallen = await tlsEdge('fallen', await make('/backends/failover', { backends: [dead, page] }), {
    tls_termination: { terminate_at: 'edge' },
  });
  for (const more of [[], ['-d', 'body'], ['-I']])
    assert.match(await visit('fallen', '--http1.1', ...more), /503 $/, more.join());
  const [asking, late] = [await platform.client.tls(fallen), await platform.client.tls(fallen)];
  const ask = async (socket: TLSSocket): Promise<string> => {
    let text = '';
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        text += chunk;
      });
    const closed = closing(socket);
    socket.write(`GET / HTTP/1.1\r\nHost: ${fallen}\r\n\r\n`);
    await closed;
    return text;
  };
  // The next connection may find a backend.
  assert.match(await ask(asking), /\r\nConnection: close\r\n[\s\S]*the page$/);
  assert.equal((await platform.api('PATCH', `/backends/http_response/${page}`, { body: 'new' })).status, 200);
  assert.doesNotMatch(await ask(late), /the page/);
  assert.equal(await visit('fallen'), 'new 503 ');
});

test('the page and the record of a request state why its backend was not connected to', {
  skip: curlMissing,
}, async () => {
  const { port } = secured.address() as AddressInfo;
  const dead = await deadPort();
  const clear = await listen((socket) => void socket.end('no TLS'));
  const tls = 'TLS with the static backend';
  const name = '(name not found|no response of the name servers)';
  for (const [label, to, page, fault] of [
    [
      'refusing',
      backend(dead),
      'Cause: connection refused\\.',
      `connection refused \\(connect ECONNREFUSED 127.0.0.1:${dead}\\)`,
    ],
    [
      'nameless',
      backend(80, { host: 'no-such-name.invalid' }),
      `Cause: ${name}\\.`,
      `${name} \\(.*no-such-name.invalid`,
    ],
    ['misnaming', backend(port, { tls: true }), tls, 'TLS failed \\(.*in the cert'],
    ['clear', backend(clear, { tls: true }), tls, 'TLS failed \\(.+\\)$'],
  ] as const) {
    await httpsEdge(platform, label, await to);
    const text = await visit(label);
    assert.match(text, new RegExp(page));
    assert.doesNotMatch(text, /ECONNREFUSED|in the cert|127\.0\.0\.1/, 'details are for the owner');
    const record = await upstreamFaultAt(platform, `${label}.underpass.localhost`);
    assert.match(record.fault, new RegExp(`^${fault}`));
    assert.match(record.reason, new RegExp(page));
  }
  const bytes = await tlsEdge('byteless', await backend(dead));
  await assert.rejects(platform.client.tls(bytes));
  assert.match((await upstreamFaultAt(platform, bytes)).fault, /^connection refused \(/);
});

test('one that closes without an answer is said to have done so', { skip: curlMissing }, async () => {
  const port = await listen((socket) => void socket.once('data', () => socket.end()));
  await httpsEdge(platform, 'silent', await backend(port));
  assert.match(await visit('silent'), / 502 ERR_SERVICE_3007$/);
  const { fault } = await upstreamFaultAt(platform, 'silent.underpass.localhost');
  assert.equal(fault, 'the connection was closed without a response');
});

test('a TLS edge carries the bytes of a protocol in which the server speaks first, from the backend that can be connected to', async () => {
  const port = await listen((socket) => {
    socket.write('welcome\n');
    socket.pipe(socket);
  });
  const backends = [await backend(await deadPort()), await backend(port)];
  const failover = await make('/backends/failover', { backends });
  const name = await tlsEdge('bytes', failover, { tls_termination: { terminate_at: 'edge' } });
  const socket = await platform.client.tls(name);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await until(() => text === 'welcome\n');
  const many = 'x'.repeat(1_000_000);
  socket.write(many);
  await until(() => text.length === 'welcome\n'.length + many.length);
  const closed = closing(socket);
  socket.end();
  await closed;
  assert.equal(text, `welcome\n${many}`);
});

test('psql in TLS, as stunnel makes it, works at a TLS edge', { skip: postgresMissing }, async () => {
  const postgres = await Postgres.shared();
  const { username, password, pathname, port } = new URL(await postgres.database());
  const servername = await tlsEdge('db', await backend(Number(port)), {
    tls_termination: { terminate_at: 'edge' },
  });
  const inTls = await listen((socket) => {
    const secured = connectTls({ host: '127.0.0.1', port: platform.port, servername, ca: platform.ca });
    secured.on('error', () => socket.destroy());
    socket.pipe(secured).pipe(socket);
  });
  try {
    const { stdout } = await promisify(execFile)(
      'psql',
      ['--no-psqlrc', '--tuples-only', '--no-align', '--command', "SELECT 6 * 7, repeat('x', 300000)"],
      {
        env: {
          ...process.env,
          ...{ PGHOST: '127.0.0.1', PGPORT: String(inTls), PGSSLMODE: 'disable', PGUSER: username },
          ...{ PGPASSWORD: password, PGDATABASE: pathname.slice(1) },
        },
      },
    );
    assert.equal(stdout, `42|${'x'.repeat(300_000)}\n`);
  } finally {
    await postgres.stop();
  }
});

test('TLS that passes through is not wrapped in more of it', { skip: curlMissing }, async () => {
  const { port } = secured.address() as AddressInfo;
  const name = await tlsEdge('through', await backend(port, { host: 'localhost', tls: true }));
  const url = `https://localhost:${platform.port}/`;
  const resolved = ['--connect-to', `${name}:${platform.port}:127.0.0.1:${platform.port}`];
  const { stdout } = await curl(platform, ['-k', ...resolved, url.replace('localhost', name)]);
  assert.equal(stdout, 'secured');
});

test('what leads back to the service ends: over a program in HTTP, and directly in TLS', {
  skip: curlMissing,
}, async () => {
  const looping = 'looping.underpass.localhost';
  // Takes plain HTTP, and speaks TLS with the service.
  const port = await listen((socket) => {
    const back = connectTls({ port: platform.port, host: '127.0.0.1', servername: looping, ca: platform.ca });
    back.on('error', () => socket.destroy());
    socket.pipe(back).pipe(socket);
  });
  await httpsEdge(platform, 'looping', await backend(port));
  assert.match(await visit('looping'), /ERR_SERVICE_60327\n 508 /);
  await tlsEdge('itself', await backend(platform.port));
  assert.equal(await visit('itself'), ' 000 ');
  assert.equal((await platform.api('GET', '/backends/static')).status, 200);
});
