import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MuxStream } from '@underpass/wire';
import { type ResponseForm, responseForms } from '../../../../../test/harness/response-forms.ts';
import { outcomeOf } from '../../../../../test/harness/response-outcome.ts';
import { until } from '../../../../../test/harness/until.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import type { BodyStage, ByteFilter } from '../sites/site.ts';
import {
  always,
  byHand,
  get,
  NAME,
  siteOf,
  startTestServer,
  type TestServer,
} from './test-server.fixture.ts';

function respond(stream: MuxStream, form: ResponseForm): void {
  stream.write(Buffer.from(form.bytes, 'latin1'));
  if (form.closes) stream.end();
}

function serving(form: ResponseForm) {
  return byHand((stream, soFar) => {
    if (soFar.endsWith('\r\n\r\n')) respond(stream, form);
  });
}

async function visit(testServer: TestServer): Promise<string> {
  const client = await testServer.connect();
  client.send(get('/', 'Connection: close\r\n'));
  return client.rest();
}

for (const form of responseForms) {
  test(`response: ${form.name}`, async (t) => {
    const testServer = await startTestServer(t, serving(form));
    const bytes = await visit(testServer);
    assert.equal(outcomeOf(bytes), form.ours);
    await until(() => testServer.observed.length === 1);
    const [record] = testServer.observed;
    if (form.fault === null) assert.equal(record!.fault, null);
    else assert.ok(record!.fault?.includes(form.fault), `${record!.fault} is not ${form.fault}`);
  });
}

const kept: readonly string[] = [
  'no reason',
  'no reason and no space',
  'an empty value',
  'no space after the colon',
  'bytes from 0x80 on',
  'a length with zeros',
  'a reason of other bytes',
  'status 600',
  'status 999',
  'a value of 20,000 bytes',
  'upper case',
  'extensions',
  'zeros before a size',
  'trailers',
  '304 with a length',
  '100 before',
  '100 with a length',
];

/** Gives what it gets. */
class Unchanged implements ByteFilter {
  onData: ByteFilter['onData'] = () => {};
  onEnd: ByteFilter['onEnd'] = () => {};
  onDrain: ByteFilter['onDrain'] = () => {};
  onError: ByteFilter['onError'] = () => {};
  write(bytes: Buffer): boolean {
    this.onData(bytes);
    return true;
  }
  end(): void {
    this.onEnd();
  }
  pause(): void {}
  resume(): void {}
  destroy(): void {}
}

const unchanged: BodyStage = {
  name: 'test',
  decide: () => ({
    decision: 'unchanged',
    remove: new Set<string>(),
    add: [],
    body: { filter: () => new Unchanged(), whole: (body) => body },
  }),
};

for (const form of responseForms) {
  test(`response: ${form.name}: the same for a visitor of HTTP/1.0`, async (t) => {
    const testServer = await startTestServer(t, serving(form));
    const client = await testServer.connect();
    client.send(get().replace('HTTP/1.1', 'HTTP/1.0'));
    const bytes = await client.rest();
    assert.doesNotMatch(bytes, /transfer-encoding/i);
    assert.equal(outcomeOf(bytes), form.ours);
  });

  test(`response: ${form.name}: the same through a stage of the body`, async (t) => {
    const testServer = await startTestServer(t, serving(form));
    const backend = tunnelBackend(testServer.agents[0]!.tunnel);
    testServer.sites.set(NAME, siteOf(backend, { bodyStages: [unchanged], readsRequest: true }));
    assert.equal(outcomeOf(await visit(testServer)), form.ours);
  });
}

for (const form of responseForms.filter(({ closes, ours }) => !closes && ours !== '502')) {
  const isKept = kept.includes(form.name);
  test(`response: ${form.name}: its connection is ${isKept ? '' : 'not '}used again`, async (t) => {
    const testServer = await startTestServer(t, serving(form));
    await visit(testServer);
    await until(() => testServer.observed.length === 1);
    const again = await visit(testServer);
    assert.equal(outcomeOf(again), form.ours);
    assert.equal(testServer.agents[0]!.opened.length, isKept ? 1 : 2);
  });
}

test('the visitor sees nothing of a refused response, and no more than 100 bytes of its line are recorded', async (t) => {
  const line = `Bad ${'\x1b[31m'}Name: ${'secret'.repeat(100)}`;
  const testServer = await startTestServer(t, always(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`));
  const bytes = await visit(testServer);
  assert.equal(outcomeOf(bytes), '502');
  assert.doesNotMatch(bytes, /Name|secret/);
  await until(() => testServer.observed.length === 1);
  assert.match(
    testServer.observed[0]!.fault!,
    /^a header line whose name is not valid: "Bad \\x1b\[31mName: (?:secret){14}s?…"$/,
  );
});

test('nothing of a response that is not strictly formed goes on as it came', async (t) => {
  const testServer = await startTestServer(
    t,
    always(
      'HTTP/1.1 200\tOK\nX-A : b\x01\n c\nContent-Length: 2\nTransfer-Encoding: Chunked\n\n2\nhi\n0\nX-T : d\n\n',
    ),
  );
  const bytes = await visit(testServer);
  assert.equal(
    bytes,
    'HTTP/1.1 200 OK\r\nX-A: b c\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nhi\r\n0\r\nX-T: d\r\n\r\n',
  );
});

test('a response in single bytes reads as one in one piece', async (t) => {
  const form = responseForms.find(({ name }) => name === 'trailers of LF')!;
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (!soFar.endsWith('\r\n\r\n')) return;
      const bytes = Buffer.from(form.bytes, 'latin1');
      for (let at = 0; at < bytes.length; at += 1) stream.write(bytes.subarray(at, at + 1));
    }),
  );
  assert.equal(outcomeOf(await visit(testServer)), form.ours);
});

test('a head that gets too long by being written anew is refused', async (t) => {
  const limits = { headBytes: 400 };
  const short = 'a:b\n'.repeat(80);
  const testServer = await startTestServer(t, always(`HTTP/1.1 200 OK\n${short}Content-Length: 2\n\nhi`), {
    limits,
  });
  assert.equal(outcomeOf(await visit(testServer)), '502');
  await until(() => testServer.observed.length === 1);
  assert.equal(testServer.observed[0]!.fault, 'a head of more than 400 bytes');
});
