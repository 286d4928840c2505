/** The part of full-disk.slow.test.ts that runs in its own mount namespace. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Platform, SmallDisk, startUpstream, type Upstream } from '../harness/index.ts';
import { fixedEdge } from './attacks.fixture.ts';

const NAME = 'kept.underpass.localhost';

describe('a full disk', () => {
  let disk: SmallDisk;
  let platform: Platform;
  let upstream: Upstream;
  before(async () => {
    disk = new SmallDisk(4);
    platform = await Platform.start({ dataDir: disk.makeDirectory('data') });
    upstream = await startUpstream((_request, response) => response.end('behind an agent'));
    await fixedEdge(platform, 'kept', 'still here');
  });
  after(async () => {
    await upstream?.stop();
    await platform?.stop();
    disk?.unmount();
  });

  async function readsAndTraffic(): Promise<void> {
    const read = await platform.api('GET', '/edges/tls');
    assert.equal(read.status, 200, read.text);
    assert.equal(read.json.tls_edges.length, 1);
    assert.equal((await platform.visit(NAME)).text, 'still here');
    const agent = await platform.agent(['http', String(upstream.port)]);
    assert.equal((await platform.visit(agent.url)).text, 'behind an agent');
    await agent.process.stop();
  }

  async function writesAreRefused(): Promise<void> {
    // A log that is there already takes some more.
    for (let writes = 0; writes < 1000; writes++) {
      const { status, json } = await platform.api('POST', '/ip_policies', { metadata: 'x'.repeat(4000) });
      if (status === 201) continue;
      assert.deepEqual([status, json.error_code], [503, 'ERR_SERVICE_60051']);
      return;
    }
    assert.fail('the disk was not full');
  }

  test('refuses writes by name while reads and traffic go on', async () => {
    disk.fill();
    await writesAreRefused();
    await readsAndTraffic();
  });

  test('starts after kill -9, for reads and traffic', async () => {
    await platform.daemon.stop('SIGKILL');
    disk.fill();
    await platform.restart();
    await readsAndTraffic();
    await writesAreRefused();
  });

  test('starts after an orderly stop, and takes writes as soon as there is room', async () => {
    await platform.daemon.stop();
    disk.fill();
    await platform.restart();
    await readsAndTraffic();
    await writesAreRefused();
    disk.free();
    const answer = await platform.api('POST', '/backends/http_response', { body: 'room' });
    assert.equal(answer.status, 201, answer.text);
    await readsAndTraffic();
  });

  test('a first start says what is the matter, and leaves nothing that a later one would trip over', async () => {
    const dataDir = disk.makeDirectory('first');
    disk.fill();
    await assert.rejects(Platform.start({ dataDir }), /full|no room|No space|ENOSPC|cannot be written/);
    disk.free();
    const first = await Platform.start({ dataDir: disk.makeDirectory('second') });
    await first.stop();
  });
});
