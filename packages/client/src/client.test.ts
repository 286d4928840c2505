import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freePorts } from '../../../test/harness/free-ports.ts';
import { makeCertificate } from '../../agent/src/testing/certificates.fixture.ts';
import {
  ApiError,
  Client,
  type ClientOptions,
  ConnectionError,
  type Retry,
  UnexpectedAnswerError,
} from './index.ts';
import { answer, cut, refusal, ScriptedServer, silence } from './scripted-server.fixture.ts';

const HOST = 'api.underpass.localhost';
const certificate = makeCertificate(HOST);
const QUICK = { attempts: 4, baseDelayMs: 1, maxDelayMs: 60_000 };

interface Setup {
  readonly server: ScriptedServer;
  readonly client: Client;
  readonly retries: Retry[];
}

async function setUp(t: TestContext, options: Partial<ClientOptions> = {}): Promise<Setup> {
  const server = await ScriptedServer.start(certificate);
  const retries: Retry[] = [];
  const client = new Client({
    baseUrl: `https://${HOST}:${server.port}`,
    apiKey: 'key',
    ca: certificate.ca,
    retry: QUICK,
    onRetry: (retry) => retries.push(retry),
    ...options,
  });
  t.after(async () => {
    client.close();
    await server.stop();
  });
  return { server, client, retries };
}

const domain = { id: 'rd_1', domain: 'app.example.com' };

test('a call carries key, version and body, and answers what the API answered', async (t) => {
  const { server, client } = await setUp(t);
  server.script(answer(201, domain));
  assert.deepEqual(await client.reservedDomains.create({ name: 'app' }), domain);
  const [seen] = server.seen;
  assert.equal(`${seen?.method} ${seen?.url} ${seen?.body}`, 'POST /reserved_domains {"name":"app"}');
  assert.equal(seen?.headers.authorization, 'Bearer key');
  assert.equal(seen?.headers['service-version'], '2');
  assert.equal(seen?.headers['content-type'], 'application/json');
  assert.equal(seen?.headers.host, `${HOST}:${server.port}`);
});

test('a read has no body, and its id is one segment of the path', async (t) => {
  const { server, client } = await setUp(t);
  server.script(answer(200, domain));
  await client.reservedDomains.get('rd_1/../x y');
  assert.equal(server.seen[0]?.url, '/reserved_domains/rd_1%2F..%2Fx%20y');
  assert.equal(server.seen[0]?.headers['content-type'], undefined);
  for (const id of ['', '.', '..']) assert.throws(() => client.reservedDomains.get(id), TypeError);
});

test('the path of the base URL and the name of the version header are those of the options', async (t) => {
  const { server } = await setUp(t);
  const client = new Client({
    baseUrl: `https://${HOST}:${server.port}/edge/`,
    apiKey: 'key',
    ca: certificate.ca,
    versionHeader: 'My-Version',
  });
  t.after(() => client.close());
  server.script(answer(204, null));
  assert.equal(await client.reservedDomains.delete('rd_1'), undefined);
  assert.equal(server.seen[0]?.url, '/edge/reserved_domains/rd_1');
  assert.equal(server.seen[0]?.headers['my-version'], '2');
  assert.equal('service-version' in (server.seen[0]?.headers ?? {}), false);
});

test('calls one after the other share a connection', async (t) => {
  const { server, client } = await setUp(t);
  server.script(answer(200, domain));
  for (let count = 0; count < 5; count++) await client.reservedDomains.get('rd_1');
  assert.equal(server.connections, 1);
});

test('an idle connection is closed before the server would, so that no request meets a dead one', async (t) => {
  const { server, client } = await setUp(t, { keepAliveMs: 20 });
  server.script(answer(200, domain));
  await client.reservedDomains.get('rd_1');
  await server.deserted();
  await client.reservedDomains.get('rd_1');
  assert.equal(server.connections, 2);
});

test('a client that is closed leaves no connection', async (t) => {
  const { server, client } = await setUp(t);
  server.script(answer(200, domain));
  await client.reservedDomains.get('rd_1');
  client.close();
  await server.deserted();
});

test('a list is iterated page by page, and the key goes nowhere but to the base URL', async (t) => {
  const { server, client } = await setUp(t);
  const next_page_uri = 'https://elsewhere.example.com/reserved_domains?before_id=rd_2&limit=2';
  server.script(
    answer(200, { reserved_domains: [{ id: 'rd_3' }, { id: 'rd_2' }], uri: '', next_page_uri }),
    answer(200, { reserved_domains: [{ id: 'rd_1' }], uri: '', next_page_uri: null }),
  );
  const ids: string[] = [];
  for await (const { id } of client.reservedDomains.list({ limit: 2 })) ids.push(id);
  assert.deepEqual(ids, ['rd_3', 'rd_2', 'rd_1']);
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    ['/reserved_domains?limit=2', '/reserved_domains?before_id=rd_2&limit=2'],
  );
});

test('an iteration that ends early asks for no further page', async (t) => {
  const { server, client } = await setUp(t);
  const next_page_uri = 'https://x/reserved_domains?before_id=rd_1';
  server.script(answer(200, { reserved_domains: [{ id: 'rd_1' }], uri: '', next_page_uri }));
  for await (const _ of client.reservedDomains.list()) break;
  assert.equal(server.seen.length, 1);
});

test('a single page is what the API answered', async (t) => {
  const { server, client } = await setUp(t);
  const page = { reserved_domains: [], uri: 'u', next_page_uri: null };
  server.script(answer(200, page));
  assert.deepEqual(await client.reservedDomains.list({ beforeId: 'rd_9', limit: 5 }).page(), page);
  assert.equal(server.seen[0]?.url, '/reserved_domains?limit=5&before_id=rd_9');
});

test('a refusal has the same name for a module of an edge and of an endpoint configuration', () => {
  for (const number of [7025, 1625]) {
    const body = {
      error_code: `ERR_SERVICE_${number}`,
      status_code: 400,
      msg: '',
      details: { operation_id: '' },
    };
    assert.equal(new ApiError(body, 400, null).is('ipPolicyMissing'), true);
    assert.equal(new ApiError(body, 400, null).is('ipPolicyCount', 'bodyMalformed'), false);
  }
});

test('a refusal is an ApiError that can be told by name, number and field', async (t) => {
  const { server, client } = await setUp(t);
  server.script(refusal(409, 413));
  await assert.rejects(client.reservedDomains.create({ name: 'app' }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.message, 'no 413');
    assert.deepEqual(
      [error.code, error.number, error.status, error.operationId, error.details.field, error.retryAfter],
      ['ERR_SERVICE_413', 413, 409, 'op_1', '/name', null],
    );
    assert.equal(error.is('domainTakenHere'), true);
    assert.equal(error.is('domainTakenElsewhere'), false);
    assert.equal(error.is('domainTakenElsewhere', 'domainTakenHere'), true);
    return true;
  });
  assert.equal(server.seen.length, 1);
});

test('429 is waited for and sent again, a POST as well', async (t) => {
  const { server, client, retries } = await setUp(t);
  server.script(refusal(429, 226, { 'retry-after': '0' }), answer(201, domain));
  assert.deepEqual(await client.reservedDomains.create({ name: 'app' }), domain);
  assert.equal(server.seen.length, 2);
  const [retry] = retries;
  assert.ok(retry?.error instanceof ApiError && retry.error.is('rateLimited'));
});

test('a longer Retry-After than the policy allows is thrown for the caller to wait', async (t) => {
  const { server, client } = await setUp(t);
  server.script(refusal(429, 226, { 'retry-after': '61' }));
  await assert.rejects(
    client.tunnels.get('tn_1'),
    (error) => error instanceof ApiError && error.retryAfter === 61,
  );
  assert.equal(server.seen.length, 1);
});

test('503 is tried again until the attempts are used up, but a POST or PATCH never', async (t) => {
  const { server, client, retries } = await setUp(t);
  server.script(refusal(503, 60011));
  await assert.rejects(client.reservedDomains.get('rd_1'), ApiError);
  assert.equal(server.seen.length, 4);
  assert.equal(retries.length, 3);
  await assert.rejects(client.reservedDomains.create({ name: 'app' }), ApiError);
  await assert.rejects(client.reservedDomains.update('rd_1', { metadata: 'm' }), ApiError);
  assert.equal(server.seen.length, 6);
});

test('a change of which the service does not know whether it was done is never sent again', async (t) => {
  const { server, client } = await setUp(t);
  server.script(refusal(500, 60040));
  const unknown = (error: Error) => error instanceof ApiError && error.is('writeOutcomeUnknown');
  await assert.rejects(client.reservedDomains.delete('rd_1'), unknown);
  await assert.rejects(client.reservedDomains.create({ name: 'app' }), unknown);
  assert.equal(server.seen.length, 2);
});

test('a request whose connection is cut is sent again, but a POST that may have been done never', async (t) => {
  const { server, client } = await setUp(t);
  server.script(cut, answer(200, domain));
  assert.deepEqual(await client.reservedDomains.get('rd_1'), domain);
  server.script(cut);
  await assert.rejects(
    client.reservedDomains.create({ name: 'app' }),
    (error) => error instanceof ConnectionError && error.wasSent,
  );
  assert.equal(server.seen.length, 3);
});

test('a POST on a kept connection that the server has closed meanwhile counts as sent', async (t) => {
  const { server, client } = await setUp(t);
  server.script(answer(200, domain), cut);
  await client.reservedDomains.get('rd_1');
  await assert.rejects(
    client.reservedDomains.create({ name: 'app' }),
    (error) => error instanceof ConnectionError && error.wasSent,
  );
  assert.equal(server.connections, 1);
  assert.equal(server.seen.length, 2);
});

test('an answer that breaks off is no answer', async (t) => {
  const { server, client } = await setUp(t, { retry: { attempts: 1 } });
  server.script((response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"id":');
    setImmediate(() => response.destroy());
  });
  await assert.rejects(
    client.reservedDomains.get('rd_1'),
    (error) => error instanceof ConnectionError && error.wasSent,
  );
});

test('a POST of which nothing was sent is tried again', async (t) => {
  const { server, client, retries } = await setUp(t);
  server.cuts = 2;
  server.script(answer(201, domain));
  assert.deepEqual(await client.reservedDomains.create({ name: 'app' }), domain);
  assert.equal(server.seen.length, 1);
  assert.deepEqual(
    retries.map(({ error }) => (error as ConnectionError).wasSent),
    [false, false],
  );
});

test('where nobody listens the error says so, after the last attempt', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const { client, retries } = await setUp(t, { baseUrl: `https://${HOST}:${port}` });
  await assert.rejects(client.credentials.create(), (error) => {
    assert.ok(error instanceof ConnectionError);
    assert.equal(error.code, 'ECONNREFUSED');
    assert.match(error.message, new RegExp(`^No answer from ${HOST}:\\d+: `));
    return !error.wasSent;
  });
  assert.equal(retries.length, 3);
});

test('a deletion whose answer was lost is done when the resource is gone; any other 404 is an error', async (t) => {
  const { server, client } = await setUp(t);
  server.script(cut, refusal(404, 60000));
  await client.reservedDomains.delete('rd_1');
  await assert.rejects(client.reservedDomains.delete('rd_1'), ApiError);
  server.script(refusal(429, 226), refusal(404, 60000));
  await assert.rejects(client.reservedDomains.delete('rd_1'), ApiError);
});

test('an untrusted certificate ends the call at once', async (t) => {
  const { server, client, retries } = await setUp(t, { ca: undefined });
  await assert.rejects(
    client.tunnels.get('tn_1'),
    (error) => error instanceof ConnectionError && !error.wasSent && /is not trusted/.test(error.message),
  );
  assert.equal(retries.length, 0);
  assert.equal(server.seen.length, 0);
});

test('a name that the certificate is not for is not talked to', async (t) => {
  const { server } = await setUp(t);
  const baseUrl = `https://other.localhost:${server.port}`;
  const client = new Client({ baseUrl, apiKey: 'key', ca: certificate.ca });
  t.after(() => client.close());
  await assert.rejects(
    client.tunnels.get('tn_1'),
    (error) => error instanceof ConnectionError && error.code === 'ERR_TLS_CERT_ALTNAME_INVALID',
  );
});

test('an answer that takes too long is a timeout', async (t) => {
  const { server, client } = await setUp(t, { timeoutMs: 50, retry: { attempts: 1 } });
  server.script(silence);
  await assert.rejects(
    client.reservedDomains.create({ name: 'app' }),
    (error) => error instanceof ConnectionError && error.code === 'TIMEOUT',
  );
});

test('an aborted call rejects with the reason, in mid-request and between two attempts', async (t) => {
  const { server, client } = await setUp(t, {
    retry: { baseDelayMs: 60_000 },
    onRetry: () => waiting.abort(new Error('stop')),
  });
  const waiting = new AbortController();
  server.script(silence);
  const asking = new AbortController();
  const call = client.tunnels.get('tn_1', { signal: asking.signal });
  await server.arrived(1);
  asking.abort(new Error('changed my mind'));
  await assert.rejects(call, /changed my mind/);
  await assert.rejects(client.tunnels.get('tn_1', { signal: asking.signal }), /changed my mind/);
  server.script(refusal(503, 60011, { 'retry-after': '50' }));
  await assert.rejects(client.tunnels.get('tn_1', { signal: waiting.signal }), /stop/);
  assert.equal(server.seen.length, 2);
});

test('what is not the API is said to be something else, and a redirect is not followed', async (t) => {
  const { server, client } = await setUp(t);
  server.script((response) => response.end('<html>'));
  await assert.rejects(
    client.tunnels.get('tn_1'),
    (error) => error instanceof UnexpectedAnswerError && error.status === 200 && error.text === '<html>',
  );
  server.script(answer(302, {}, { location: 'https://elsewhere.example.com/' }));
  await assert.rejects(client.tunnels.get('tn_1'), UnexpectedAnswerError);
  server.script((response) => response.writeHead(502).end('bad gateway'), answer(200, { id: 'tn_1' }));
  assert.deepEqual(await client.tunnels.get('tn_1'), { id: 'tn_1' });
});

test('options that can never work are refused at once', () => {
  const good = { baseUrl: 'https://api.example.com', apiKey: 'key' };
  for (const bad of [
    { baseUrl: 'http://api.example.com' },
    { baseUrl: 'api.example.com' },
    { baseUrl: 'https://user:pass@api.example.com' },
    { baseUrl: 'https://api.example.com/?x=1' },
    { apiKey: '' },
    { apiKey: 'a\r\nHost: x' },
    { versionHeader: 'a b' },
    { ca: 'pem', caFile: 'file' },
    { ca: 'pem', caFingerprint: `sha256:${'0'.repeat(64)}` },
    { caFingerprint: 'sha1:00' },
    { caFingerprint: `sha256:${'0'.repeat(63)}` },
  ])
    assert.throws(() => new Client({ ...good, ...bad }), TypeError, JSON.stringify(bad));
});

test('a change requires the state of an earlier response', async (t) => {
  const { server, client } = await setUp(t);
  server.script(answer(200, domain, { etag: '"7-abc"' }), answer(200, domain), refusal(412, 60937));
  const etags: string[] = [];
  await client.reservedDomains.get('rd_1', { onEtag: (etag) => etags.push(etag) });
  assert.deepEqual(etags, ['"7-abc"']);
  const change = () => client.reservedDomains.update('rd_1', { description: 'a' }, { ifMatch: etags[0] });
  await change();
  assert.deepEqual(
    server.seen.map(({ headers }) => headers['if-match']),
    [undefined, '"7-abc"'],
  );
  await assert.rejects(change(), (error) => error instanceof ApiError && error.is('stateChanged'));
});

test('a refused state after a lost response is an unknown outcome', async (t) => {
  const { server, client } = await setUp(t);
  server.script(cut, refusal(412, 60937));
  const put = client.tlsEdges.putBackend('edgtls_1', { backend_id: 'b' }, { ifMatch: '"1-a"' });
  await assert.rejects(put, ConnectionError);
});
