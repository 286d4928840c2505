/** The management API over HTTP/2: the same answers, limits and refusals as over HTTP/1.1. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2, { type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { closing, curl, curlMissing, Platform } from '../harness/index.ts';

let platform: Platform;
const api = 'api.underpass.localhost';
let session: ClientHttp2Session;
let authorized: OutgoingHttpHeaders;

before(async () => {
  platform = await Platform.start({ apiRateLimit: 1000 });

  authorized = { authorization: `Bearer ${platform.bootstrap.api_key}`, 'service-version': '2' };
  session = await open(platform);
});
after(async () => {
  session?.destroy();
  await platform.stop();
});

async function open(at: Platform): Promise<ClientHttp2Session> {
  const socket = await at.client.tls(api, { ALPNProtocols: ['h2'] });
  const opened = http2.connect(`https://${api}`, { createConnection: () => socket });
  opened.on('error', () => {});
  return opened;
}

interface Heard {
  readonly status: number;
  readonly headers: http2.IncomingHttpHeaders;
  readonly text: string;
}

async function ask(
  method: string,
  path: string,
  body: string | null = null,
  more: OutgoingHttpHeaders = {},
): Promise<Heard> {
  const json = body === null ? {} : { 'content-type': 'application/json' };
  const stream = session.request(
    { ':method': method, ':path': path, ':authority': api, ...authorized, ...json, ...more },
    { endStream: body === null },
  );
  stream.on('error', () => {});
  if (body !== null) stream.end(body);
  const [headers] = await once(stream, 'response');
  let text = '';
  stream.setEncoding('utf8');
  for await (const piece of stream) text += piece;
  return { status: Number(headers[':status']), headers, text };
}

test('a resource is made, read, listed and deleted', async () => {
  const made = await ask('POST', '/ip_policies', JSON.stringify({ description: 'over HTTP/2' }));
  assert.equal(made.status, 201, made.text);
  const { id } = JSON.parse(made.text);
  assert.equal(JSON.parse((await ask('GET', `/ip_policies/${id}`)).text).description, 'over HTTP/2');
  const { ip_policies: policies } = JSON.parse((await ask('GET', '/ip_policies')).text);
  assert.deepEqual(
    policies.map((one: { id: string }) => one.id),
    [id],
  );
  const deleted = await ask('DELETE', `/ip_policies/${id}`);
  assert.deepEqual([deleted.status, deleted.text], [204, '']);
});

for (const [what, args] of [
  ['a list', ['/reserved_domains']],
  ['what is not there', ['/reserved_domains/rd_none']],
  ['a path that nobody has', ['/nothing']],
  ['a body that is no JSON', ['/ip_policies', '-d', '{', '-H', 'Content-Type: application/json']],
  ['the document of the API', ['/openapi.json']],
  ['HEAD', ['/reserved_domains', '-I']],
  ['without a key', ['/reserved_domains', '-H', 'Authorization:']],
] as const) {
  test(`${what}: over HTTP/2 as over HTTP/1.1`, { skip: curlMissing }, async () => {
    const [path, ...rest] = args;
    const heard = async (version: string) => {
      const { stdout, exitCode, stderr } = await curl(platform, [
        ...[
          version,
          '-i',
          '-H',
          `Authorization: Bearer ${platform.bootstrap.api_key}`,
          '-H',
          'Service-Version: 2',
        ],
        ...[...rest, `https://${api}:${platform.port}${path}`],
      ]);
      assert.equal(exitCode, 0, stderr);
      const [head = '', ...body] = stdout.split('\r\n\r\n');
      const [status, ...lines] = head.split('\r\n');
      const fields = lines.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()));
      const said = fields.filter(
        (line) => !/^(date|connection|keep-alive|.*request-id|.*operation-id|.*rate.*):/.test(line),
      );
      const text = body.join('').replace(/"operation_id": ?"[^"]*"/, '');
      return {
        status: status?.split(' ')[1],
        said: said.filter((line) => !line.startsWith('content-length')).sort(),
        text,
      };
    };
    assert.deepEqual(await heard('--http2'), await heard('--http1.1'));
  });
}

test('a body in pieces, and one that is longer than it says', async () => {
  const stream = session.request(
    {
      ':method': 'POST',
      ':path': '/ip_policies',
      ':authority': api,
      ...authorized,
      'content-type': 'application/json',
    },
    { endStream: false },
  );
  stream.write('{"descr');
  stream.end('iption": "in pieces"}');
  const [headers] = await once(stream, 'response');
  assert.equal(headers[':status'], 201);
  stream.resume();
  const long = session.request(
    { ':method': 'POST', ':path': '/ip_policies', ':authority': api, ...authorized, 'content-length': '2' },
    { endStream: false },
  );
  long.on('error', () => {});
  long.end('{"description": "x"}');
  const [refused] = await once(long, 'response');
  assert.equal(refused[':status'], 400);
});

test('many requests at a time are all answered, and those beyond the limit wait for others', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask('GET', '/ip_policies')));
  assert.ok(answers.every(({ status }) => status === 200));
});

test('fields of more than 16 KB get 431, and the connection serves the next request', async () => {
  const { status } = await ask('GET', '/ip_policies', null, { 'x-long': 'y'.repeat(20_000) });
  assert.equal(status, 431);
  assert.equal((await ask('GET', '/ip_policies', null, { 'x-long': 'y'.repeat(14_000) })).status, 200);
});

test('another name than that of the connection gets 421', async () => {
  const { status } = await ask('GET', '/ip_policies', null, { ':authority': 'other.underpass.localhost' });
  assert.equal(status, 421);
});

test('a response without a reader does not delay others', async () => {
  const unread = session.request({ ':path': '/openapi.json', ':authority': api });
  await once(unread, 'response');
  for (let at = 0; at < 20; at += 1) assert.equal((await ask('GET', '/ip_policies')).status, 200);
  unread.close();
});

test('a flood of pings ends its connection, and no other', async () => {
  const socket = await platform.client.tls(api, { ALPNProtocols: ['h2'] });
  let heard = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk]);
  });
  const closed = closing(socket);
  const settings = Buffer.from('000000040000000000', 'hex');
  const ping = Buffer.from('0000080600000000000000000000000000', 'hex');
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settings]));
  socket.write(Buffer.concat(Array.from({ length: 1000 }, () => ping)));
  await closed;
  assert.ok(heard.includes('too many futile frames'));
  assert.equal((await ask('GET', '/ip_policies')).status, 200);
});

describe('a daemon with a rate limit', () => {
  let limited: Platform;
  let visitor: ClientHttp2Session;

  before(async () => {
    limited = await Platform.start({ apiRateLimit: 5 });
    visitor = await open(limited);
    await once(visitor, 'remoteSettings');
  });
  after(() => limited.stop());

  test('counts requests over HTTP/1.1 and over HTTP/2 together', async () => {
    while ((await limited.api('GET', '/ip_policies')).status === 200);
    const { api_key: key } = limited.bootstrap;
    const headers = { authorization: `Bearer ${key}`, 'service-version': '2' };
    const stream = visitor.request({ ':path': '/ip_policies', ':authority': api, ...headers });
    const [{ ':status': status }] = await once(stream, 'response');
    assert.equal(status, 429);
    stream.resume();
  });

  test('says that it leaves when it stops', async () => {
    const goneAway = once(visitor, 'goaway');
    await limited.stop();
    assert.equal((await goneAway)[0], http2.constants.NGHTTP2_NO_ERROR);
  });
});
