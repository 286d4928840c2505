import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import type { BodyStage, ByteFilter } from '../sites/site.ts';
import { always, get, NAME, siteOf, startTestServer } from './test-server.fixture.ts';

/** A filter that requests a wait after each write, and appends `done` at the end. */
class SlowFilter implements ByteFilter {
  onData: ByteFilter['onData'] = () => {};
  onEnd: ByteFilter['onEnd'] = () => {};
  onDrain: ByteFilter['onDrain'] = () => {};
  onError: ByteFilter['onError'] = () => {};
  write(): boolean {
    return false;
  }
  end(): void {
    setImmediate(() => {
      this.onData(Buffer.from('done'));
      this.onDrain();
      this.onEnd();
    });
  }
  pause(): void {}
  resume(): void {}
  destroy(): void {}
}

const decision = { decision: 'slow', remove: new Set<string>(), add: [] };

function stageOf(filter: () => ByteFilter): BodyStage {
  return { name: 'test', decide: () => ({ ...decision, body: { filter, whole: (body) => body } }) };
}

test('a stream that was stopped for a stage serves the next request', async (t) => {
  const testServer = await startTestServer(t, always('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  const backend = tunnelBackend(testServer.agents[0]!.tunnel);
  const bodyStages = [stageOf(() => new SlowFilter())];
  testServer.sites.set(NAME, siteOf(backend, { bodyStages, readsRequest: true }));
  const client = await testServer.connect();
  for (let i = 0; i < 3; i += 1) {
    client.send(get());
    assert.equal((await client.answer()).body, 'done');
  }
  assert.equal(testServer.agents[0]!.opened.length, 1);
});

test('a stage that fails ends the connection of the visitor, and no other', async (t) => {
  const testServer = await startTestServer(t, always('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  const backend = tunnelBackend(testServer.agents[0]!.tunnel);
  class Failing extends SlowFilter {
    override end(): void {
      setImmediate(() => this.onError());
    }
  }
  const bodyStages = [stageOf(() => new Failing())];
  testServer.sites.set(NAME, siteOf(backend, { bodyStages, readsRequest: true }));
  const [cut, other] = [await testServer.connect(), await testServer.connect()];
  cut.send(get());
  assert.doesNotMatch(await cut.rest(), /\r\n0\r\n\r\n$/);
  testServer.sites.set(NAME, siteOf(backend));
  other.send(get());
  assert.equal((await other.answer()).body, 'ok');
});

test('edits of the head have the last word on what a stage says', async (t) => {
  const testServer = await startTestServer(
    t,
    always('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: 1\r\n\r\nok'),
  );
  const bodyStages: BodyStage[] = [
    {
      name: 'test',
      decide: () => ({
        ...decision,
        add: [
          ['X-A', '2'],
          ['X-B', '3'],
        ],
        body: null,
      }),
    },
  ];
  const edit = { remove: new Set(['x-a']), readsRequest: false, add: () => [['x-c', '4']] as const };
  const backend = tunnelBackend(testServer.agents[0]!.tunnel);
  testServer.sites.set(NAME, siteOf(backend, { bodyStages, responseEdits: [edit], readsRequest: true }));
  const client = await testServer.connect();
  client.send(get());
  const { headers, body } = await client.answer();
  assert.deepEqual(
    ['x-a', 'x-b', 'x-c'].map((name) => headers.get(name)),
    [undefined, '3', '4'],
  );
  assert.equal(body, 'ok');
});

test('chunks of a byte whose sizes are cut come to a stage in few pieces, and whole', async (t) => {
  const count = 2000;
  const chunks = '01\r\nx\r\n'.repeat(count);
  const answer = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
  const testServer = await startTestServer(t, always(answer));
  const backend = tunnelBackend(testServer.agents[0]!.tunnel);
  const written: number[] = [];
  class CountingFilter extends SlowFilter {
    override write(bytes?: Buffer): boolean {
      written.push(bytes?.length ?? 0);
      return true;
    }
  }
  const bodyStages = [stageOf(() => new CountingFilter())];
  testServer.sites.set(NAME, siteOf(backend, { bodyStages, readsRequest: true }));
  const client = await testServer.connect();
  client.send(get());
  assert.equal((await client.answer()).body, 'done');
  assert.equal(
    written.reduce((sum, size) => sum + size, 0),
    count,
  );
  assert.ok(written.length < 20, `${written.length} pieces`);
});
