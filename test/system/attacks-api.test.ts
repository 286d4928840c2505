/** Attacks on the management API that are not of one kind: A10 the rate limit, A11 other origins, A12 default secrets. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Visitor } from '../harness/index.ts';
import { addAccount, rawHttp, startTwoAccounts, statuses, type TwoAccounts } from './attacks.fixture.ts';

const API = 'api.underpass.localhost';
let world: TwoAccounts;
let limited: TwoAccounts;

before(async () => {
  world = await startTwoAccounts();
  limited = await startTwoAccounts({ apiRateLimit: 6 });
});
after(async () => {
  await Promise.all([world.platform.stop(), limited.platform.stop()]);
});

test('names of the language are labels like any others', async () => {
  const { platform } = world;
  const { api_key } = platform.bootstrap;
  const labels = '{"labels":{"__proto__":"x","constructor":"y"}}';
  const head =
    `POST /backends/tunnel_group HTTP/1.1\r\nHost: ${API}\r\nAuthorization: Bearer ${api_key}\r\nService-Version: 2\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${labels.length}\r\nConnection: close\r\n\r\n`;
  const answer = await rawHttp(platform, API, `${head}${labels}`);
  assert.match(answer, /"labels":\{"__proto__":"x","constructor":"y"\}/);
  assert.deepEqual((await platform.api('POST', '/credentials', {})).json.acl, []);
});

test('the rate limit counts an account over connections, keys, spellings and failed requests, and no other account', async () => {
  const { platform, asOther } = limited;
  const { api_key } = platform.bootstrap;
  const head = (authorization: string, target: string) =>
    `GET ${target} HTTP/1.1\r\nHost: ${API}\r\n${authorization} ${api_key}\r\nsErViCe-vErSiOn: 2\r\n`;
  const { status, json: key } = await platform.api('POST', '/api_keys', {});
  assert.equal(status, 201);
  const pipeline = `${head('AUTHORIZATION: Bearer', '/tunnels')}\r\n${head('authorization: bEARER', '/nothing')}\r\n${head('Authorization: bearer', '/tunnels?limit=0')}Connection: close\r\n\r\n`;
  assert.deepEqual(statuses(await rawHttp(platform, API, pipeline)), [200, 404, 400]);
  const noVersion = `GET /tunnels HTTP/1.1\r\nHost: ${API}\r\nAuthorization: Bearer ${key.token}\r\nConnection: close\r\n\r\n`;
  assert.deepEqual(statuses(await rawHttp(platform, API, noVersion)), [400]);
  assert.equal((await platform.api('GET', '/tunnels')).status, 200);
  const over = await rawHttp(platform, API, noVersion);
  assert.match(over, /^HTTP\/1\.1 429 /);
  assert.match(over, /ERR_SERVICE_226/);
  assert.match(over, /\r\nretry-after: ([1-9]|[1-5]\d|60)\r\n/i);
  assert.equal((await asOther('GET', '/tunnels')).status, 200);
});

test('who guesses keys too often finds none: not even the right one, unless it was good from there before', async () => {
  const { platform, asOther } = limited;
  const wrong = { authorization: `Bearer ${'0'.repeat(27)}_${'0'.repeat(22)}` };
  const answers: number[] = [];
  for (let n = 0; n < 8; n++) {
    const elsewhere = { 'x-forwarded-for': `192.0.2.${n}`, forwarded: `for=192.0.2.${n}` };
    answers.push((await platform.api('GET', '/tunnels', undefined, { ...wrong, ...elsewhere })).status);
  }
  assert.deepEqual(answers, [401, 401, 401, 401, 401, 401, 429, 429]);
  assert.equal((await asOther('GET', '/tunnels')).status, 200);

  const unused = (await addAccount(platform)).api_key;
  const right = await platform.api('GET', '/tunnels', undefined, { authorization: `Bearer ${unused}` });
  assert.equal(right.status, 429);
  assert.match(right.json.error_code, /_60007$/);
  const { port, ca } = platform;
  const elsewhere = await Visitor.connect({ port, ca, servername: API, from: '127.0.0.2' });
  const headers = { authorization: `Bearer ${unused}`, 'service-version': '2' };
  // There is nothing at the root, and the key is good.
  assert.equal((await elsewhere.get(headers)).status, 404);
  elsewhere.close();
});

test('nothing but the key lets anybody in: no cookie is set, and what a page can send without asking changes nothing', async () => {
  const { platform } = world;
  const { api_key, base_url } = platform.bootstrap;
  const count = async () => (await platform.api('GET', '/credentials')).json.credentials.length;
  const before = await count();
  const simple = { origin: 'https://evil.example.com', 'service-version': '2', 'content-type': 'text/plain' };
  const send = (headers: Record<string, string>) =>
    platform.client.request(new URL('/credentials', base_url), { method: 'POST', headers, body: '{}' });
  for (const headers of [simple, { ...simple, cookie: `authorization=Bearer ${api_key}; key=${api_key}` }]) {
    const answer = await send(headers);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['set-cookie'], undefined);
  }
  assert.equal((await send({ ...simple, authorization: `Bearer ${api_key}` })).status, 415);
  assert.equal(await count(), before);
});

test('no two accounts have a secret in common, of first starts or made by command, and files keep theirs', () => {
  const secrets = [world, limited].flatMap(({ platform, other }) => {
    const { dataDir, bootstrap, ca } = platform;
    for (const { name } of readdirSync(dataDir, { withFileTypes: true })) {
      // A temporary file may be gone again.
      const { mode = 0 } = statSync(join(dataDir, name), { throwIfNoEntry: false }) ?? {};
      if (name !== 'ca.pem') assert.equal(mode & 0o077, 0, name);
    }
    const made = [bootstrap.api_key, bootstrap.authtoken, other.api_key, other.authtoken];
    return [...made, readFileSync(join(dataDir, 'master.key'), 'latin1'), ca];
  });
  assert.equal(new Set(secrets).size, 12);
});
