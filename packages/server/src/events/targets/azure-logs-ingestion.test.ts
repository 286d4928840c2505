import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { type Cidr, parseCidr } from '../../core/ip/cidr.ts';
import { makeChain } from '../../pki/certificates.fixture.ts';
import { type AzureOptions, openAzureLogsIngestion } from './azure-logs-ingestion.ts';
import type { OutboxEvent, Outcome } from './target.ts';

const SECRET = 'unmistakable-5ecret';
const chain = makeChain('localhost');

interface Asked {
  readonly url: string;
  readonly authorization: string;
  readonly body: string;
  readonly loop: string | string[] | undefined;
}

/** Starts a server that is the authority and the endpoint. The test sets its response to entries. */
async function startAzure(t: TestContext) {
  const azure = {
    logins: [] as Asked[],
    calls: [] as Asked[],
    token: { access_token: 'token-1', expires_in: 3600 } as object,
    loginStatus: 200,
    answer: (response: ServerResponse) => void response.writeHead(204).end(),
    url: '',
  };
  const certificate = { key: chain.key, cert: chain.leaf + chain.intermediate };
  const server = createServer(certificate, async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
    const { url = '', headers } = request;
    const asked = { url, authorization: headers.authorization ?? '', body, loop: headers['cdn-loop'] };
    if (!url.endsWith('/oauth2/v2.0/token')) {
      azure.calls.push(asked);
      return azure.answer(response);
    }
    azure.logins.push(asked);
    response.writeHead(azure.loginStatus).end(JSON.stringify(azure.token));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  azure.url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, chain.root]);
  process.env.AZURE_AUTHORITY_HOST = azure.url;
  t.after(() => {
    delete process.env.AZURE_AUTHORITY_HOST;
    setDefaultCACertificates(before);
    server.close();
    server.closeAllConnections();
  });
  return azure;
}

function open(t: TestContext, uri: string, options: Partial<AzureOptions> = {}) {
  const settings = {
    ...{ tenant_id: 'ten/ant', client_id: 'app', logs_ingestion_uri: uri },
    ...{ data_collection_rule_id: 'dcr-1', data_collection_stream_name: 'Custom-Edge_CL' },
  };
  const allowPrivate = [parseCidr('127.0.0.0/8') as Cidr];
  const own = { account: 'ac_1', settings, secret: SECRET, allowPrivate, uptime: () => performance.now() };
  const target = openAzureLogsIngestion({ ...own, ...options });
  t.after(() => target.close());
  return (...batch: readonly OutboxEvent[]) => target.send(batch, new AbortController().signal);
}

function event(at: number): OutboxEvent {
  const own = { id: `ev_${at}`, time: at, resource: '', text: `{"event_id":"ev_${at}"}` };
  return { type: 'ip_policy_created.v0', account: 'ac_1', ...own };
}

const wordsOf = (outcomes: readonly Outcome[]) =>
  outcomes.map((one) => (one.result === 'taken' ? 'taken' : `${one.result}: ${one.reason}`));

test('events arrive as entries with their time, under one token for as long as it is good', async (t) => {
  const azure = await startAzure(t);
  let now = 0;
  const send = open(t, azure.url, { uptime: () => now });
  assert.deepEqual(wordsOf(await send(event(1), event(2))), ['taken', 'taken']);
  now = 3_000_000;
  await send(event(3));
  assert.equal(azure.logins.length, 1);
  now = 3_400_000;
  await send(event(4));
  assert.equal(azure.logins.length, 2);
  const [login] = azure.logins;
  assert.equal(login?.url, '/ten%2Fant/oauth2/v2.0/token');
  assert.deepEqual(Object.fromEntries(new URLSearchParams(login?.body)), {
    grant_type: 'client_credentials',
    client_id: 'app',
    client_secret: SECRET,
    scope: 'https://monitor.azure.com//.default',
  });
  const [call] = azure.calls;
  assert.equal(call?.url, '/dataCollectionRules/dcr-1/streams/Custom-Edge_CL?api-version=2023-01-01');
  assert.equal(call?.authorization, 'Bearer token-1');
  assert.deepEqual(JSON.parse(call?.body ?? ''), [
    { TimeGenerated: '1970-01-01T00:00:00.001Z', event_id: 'ev_1' },
    { TimeGenerated: '1970-01-01T00:00:00.002Z', event_id: 'ev_2' },
  ]);
});

test('what brings events is marked each time as that, and what asks for a token is not', async (t) => {
  const azure = await startAzure(t);
  let times = 0;
  const own = () => {
    times += 1;
    return { 'CDN-Loop': `mark ${times}` };
  };
  const send = open(t, azure.url, { own });
  await send(event(1));
  await send(event(2));
  assert.deepEqual(
    azure.calls.map(({ loop }) => loop),
    ['mark 1', 'mark 2'],
  );
  assert.deepEqual(
    azure.logins.map(({ loop }) => loop),
    [undefined],
  );
});

test('what an answer says decides whether events are sent again, and a token that is refused is not used again', async (t) => {
  const azure = await startAzure(t);
  const send = open(t, azure.url);
  const cases = [
    [401, 'retry'],
    [403, 'retry'],
    [404, 'retry'],
    [429, 'retry'],
    [503, 'retry'],
    [302, 'retry'],
    [400, 'refused'],
    [413, 'refused'],
  ] as const;
  for (const [status, expected] of cases) {
    const headers = { Location: '/elsewhere', 'Retry-After': '7' };
    azure.answer = (response) => void response.writeHead(status, headers).end('no');
    const [outcome] = await send(event(1));
    assert.equal(outcome?.result, expected, String(status));
    if (outcome?.result === 'retry') assert.equal(outcome.afterMs, 7_000);
  }
  assert.equal(azure.calls.length, cases.length, 'no redirect is followed');
  assert.equal(azure.logins.length, 2, 'after 401 it logs in again');
});

test('a login that fails says why, without the secret', async (t) => {
  const azure = await startAzure(t);
  azure.loginStatus = 401;
  azure.token = { error: 'invalid_client', error_description: `the secret ${SECRET} is over` };
  const [words = ''] = wordsOf(await open(t, azure.url)(event(1)));
  assert.match(words, /^retry: the application could not log in: .*invalid_client.*is over/);
  assert.doesNotMatch(words, new RegExp(SECRET));
  assert.equal(azure.calls.length, 0);
});

test('an endpoint that leads inside is not connected to, and a silent one is not waited for', async (t) => {
  const azure = await startAzure(t);
  const [inside = ''] = wordsOf(await open(t, azure.url, { allowPrivate: [] })(event(1)));
  assert.match(inside, /has only addresses that are loopback/);
  assert.equal(azure.calls.length, 0);
  azure.answer = () => {};
  const [silent = ''] = wordsOf(await open(t, azure.url, { timeoutMs: 300 })(event(1)));
  assert.match(silent, /did not answer in time/);
});
