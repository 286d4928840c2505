/**
 * Invalid bytes at every listener.
 * Invariant: they end at most their own connection.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { closing, curl, curlMissing, Platform } from '../harness/index.ts';

let platform: Platform;

before(async () => {
  platform = await Platform.shared();
});
after(() => platform.stop());

/** Sends bytes to the front door without TLS and collects the answer until the daemon closes. */
async function raw(bytes: Buffer): Promise<Buffer> {
  const socket = connect(platform.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const answer: Buffer[] = [];
  socket.on('data', (chunk) => answer.push(chunk as Buffer));
  socket.end(bytes);
  await closing(socket);
  return Buffer.concat(answer);
}

/** Sends bytes inside TLS to a service name, and with `end` that there are no more. */
async function inside(name: string, bytes: Buffer, how: 'write' | 'end' = 'write'): Promise<string> {
  const socket = await platform.client.tls(name);
  const answer: Buffer[] = [];
  socket.on('data', (chunk) => answer.push(chunk as Buffer));
  socket[how](bytes);
  await closing(socket);
  return Buffer.concat(answer).toString('latin1');
}

async function assertAlive(): Promise<void> {
  assert.equal((await platform.api('GET', '/tunnels')).status, 200);
  assert.doesNotMatch(platform.daemon.output, /uncaught exception|unhandled rejection/);
}

test('bytes that are no ClientHello get an alert or nothing, and the connection is closed', async () => {
  const inputs = [
    Buffer.alloc(0),
    Buffer.from('get / HTTP/1.1\r\nHost: x\r\n\r\n'),
    Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'),
    Buffer.from([0x16, 0x03, 0x01, 0xff, 0xff, 0x01]),
    Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 0x01, 0x00, 0x00, 0x01, 0x00]),
    Buffer.from([0x80, 0x2e, 0x01, 0x03, 0x01]),
    Buffer.alloc(100_000, 0x16),
    ...Array.from({ length: 20 }, () => randomBytes(600)),
  ];
  for (const input of inputs) {
    const answer = await raw(input);
    assert.ok(answer.length === 0 || answer[0] === 0x15, 'nothing, or a TLS alert');
  }
  await assertAlive();
});

test('plain HTTP on the TLS port is told so, and nothing that it says comes back', {
  skip: curlMissing,
}, async () => {
  const url = `http://api.underpass.localhost:${platform.port}/<script>`;
  const { exitCode, stdout } = await curl(platform, ['-i', '-H', 'x-said: <b>bold</b>', url]);
  assert.equal(exitCode, 0);
  assert.match(stdout, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(stdout, /\r\nunderpass-error-code: ERR_SERVICE_60263\r\n/i);
  assert.match(stdout, /\r\nContent-Type: text\/plain; charset=utf-8\r\n/);
  assert.match(stdout, /\r\n\r\n400 Bad Request\nThis is the TLS port/);
  assert.doesNotMatch(stdout, /script|bold/);
  const head = await curl(platform, ['-I', url]);
  assert.match(head.stdout, /^HTTP\/1\.1 400 [\s\S]*\r\n\r\n$/);
});

test('a name that nobody holds, and no name at all, get an alert and no certificate', async () => {
  for (const name of ['a.nobody.underpass.localhost', 'tcp.underpass.localhost', 'nobody.example.com'])
    await assert.rejects(platform.client.tls(name), /unrecognized name/, name);
  await assert.rejects(platform.client.tls(''), /alert|unrecognized|missing|handshake/i);
  await assertAlive();
});

test('random frames on the connect address end that connection only', async () => {
  // One in fifty begins a frame that is longer: without an end the daemon would wait for the rest as long as for an agent to prove itself.
  for (let round = 0; round < 20; round++)
    await inside('connect.underpass.localhost', randomBytes(500), 'end');
  const goAway = await inside('connect.underpass.localhost', Buffer.from('00000080000000ff', 'hex'));
  assert.ok(goAway.length >= 16, 'a malformed frame is answered with GOAWAY');
  await assertAlive();
});

test('malformed HTTP to the API is a 400 in the shape of every error', async () => {
  const answer = await inside('api.underpass.localhost', Buffer.from('NOT HTTP AT ALL\r\n\r\n'));
  assert.match(answer, /^HTTP\/1.1 400 /);
  const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
  assert.deepEqual(Object.keys(body), ['error_code', 'status_code', 'msg', 'details']);
  await assertAlive();
});

const refusals: readonly (readonly [string, string, string, unknown, number, string])[] = [
  ['an unknown field', 'POST', '/credentials', { descripton: 'typo' }, 400, 'ERR_SERVICE_214'],
  ['a path that does not exist', 'GET', '/nothing', undefined, 404, ''],
  ['a method that the path does not have', 'PUT', '/credentials', {}, 405, ''],
  ['a limit out of range', 'GET', '/credentials?limit=101', undefined, 400, 'ERR_SERVICE_233'],
  ['an unknown query parameter', 'GET', '/credentials?lmit=1', undefined, 400, 'ERR_SERVICE_231'],
  ['a repeated query parameter', 'GET', '/credentials?limit=1&limit=2', undefined, 400, 'ERR_SERVICE_232'],
  [
    'an id of another kind',
    'GET',
    '/credentials/rd_000000000000000000000000000',
    undefined,
    400,
    'ERR_SERVICE_227',
  ],
  ['an id that never was', 'GET', '/credentials/cr_000000000000000000000000000', undefined, 404, ''],
  ['a bind rule that cannot be read', 'POST', '/credentials', { acl: ['bind'] }, 400, 'ERR_SERVICE_600'],
];
for (const [what, method, path, body, status, code] of refusals) {
  test(`${what} is refused with its own code`, async () => {
    const answer = await platform.api(method, path, body);
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.json.status_code, status);
    if (code === '') assert.match(answer.json.error_code, /^ERR_SERVICE_6\d{4}$/);
    else assert.equal(answer.json.error_code, code);
    assert.match(answer.json.details.operation_id, /^op_/);
  });
}

test('a body over the limit is a 413', async () => {
  const answer = await platform.api('POST', '/credentials', { description: 'x'.repeat(3 * 1024 * 1024) });
  assert.equal(answer.status, 413);
});

test('tokens are in no log line and not in the database', async () => {
  const { json } = await platform.api('POST', '/api_keys', {});
  const secret = json.token.split('_')[1];
  const wrong = await platform.api('GET', `/tunnels?before_id=${json.token}`, undefined, {
    authorization: `Bearer ${json.token}`,
  });
  assert.equal(wrong.status, 400);
  assert.equal((await platform.api('GET', `/api_keys/${json.id}`)).json.token, null);
  assert.equal((await platform.api('DELETE', `/api_keys/${json.id}`)).status, 204);
  const revoked = await platform.api('GET', '/tunnels', undefined, { authorization: `Bearer ${json.token}` });
  assert.equal(revoked.status, 401);
  assert.equal(revoked.headers['www-authenticate'], 'Bearer');
  assert.doesNotMatch(platform.daemon.output, new RegExp(secret));
  assert.doesNotMatch(platform.daemon.output, new RegExp(platform.bootstrap.api_key));
  assert.equal(await platform.grepDataDir(secret), false);
});
