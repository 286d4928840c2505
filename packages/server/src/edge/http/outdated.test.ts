import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import type { TlsPolicy } from '../sites/site.ts';
import { byHand, get, NAME, startTestServer, type TestServer } from './test-server.fixture.ts';

const strict: TlsPolicy = { key: 'k2', minVersion: 'TLSv1.3', clientAuthorities: null };
const old = { maxVersion: 'TLSv1.2' } as const;

function change({ edge, sites }: TestServer, tls: TlsPolicy | null): void {
  sites.set(NAME, { ...sites.get(NAME)!, tls });
  edge.recheck(null);
}

test('a connection whose TLS suits the new settings goes on as if nothing had changed', async (t) => {
  const testServer = await startTestServer(t);
  const client = await testServer.connect();
  for (const minVersion of ['TLSv1.3', 'TLSv1.2', 'TLSv1'] as const) {
    change(testServer, { key: minVersion, minVersion, clientAuthorities: null });
    client.send(get());
    const answer = await client.answer();
    assert.equal(answer.body, 'ok');
    assert.equal(answer.headers.get('connection'), undefined);
  }
});

test('one that does not suit ends before a request could come, and so does one of a name that now passes through', async (t) => {
  for (const termination of [strict, null]) {
    const testServer = await startTestServer(t);
    const client = await testServer.connect(old);
    client.send(get());
    assert.equal((await client.answer()).status, 200);
    const unused = await testServer.connect(old);
    await until(() => testServer.edge.connections === 2);
    change(testServer, termination);
    assert.equal(await client.rest(), '');
    assert.equal(await unused.rest(), '');
  }
});

test('an answer under way at the change is broken off', async (t) => {
  const answers: ((text: string) => void)[] = [];
  const testServer = await startTestServer(
    t,
    byHand((stream) => answers.push((text) => stream.write(Buffer.from(text)))),
  );
  const [first, second] = [await testServer.connect(old), await testServer.connect(old)];
  first.send(get());
  await until(() => answers.length === 1);
  second.send(get());
  await until(() => answers.length === 2);
  answers[1]!('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no');
  await second.take('\r\n\r\no');
  change(testServer, strict);
  assert.equal(await first.rest(), '');
  assert.equal(await second.rest(), '');
});

test('a request that was half-sent at the change is 421 and reaches nobody', async (t) => {
  const testServer = await startTestServer(t);
  const { opened } = testServer.agents[0]!;
  const client = await testServer.connect(old);
  const request = get();
  client.send(request + request.slice(0, 20));
  assert.equal((await client.answer()).status, 200);
  change(testServer, strict);
  client.send(request.slice(20));
  const answer = await client.answer();
  assert.equal(answer.status, 421);
  assert.equal(answer.headers.get('underpass-error-code'), 'ERR_TEST_60221');
  assert.equal(await client.rest(), '');
  assert.equal(opened.length, 1);
});
