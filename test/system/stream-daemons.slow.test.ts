/** Streams of events, overview and status of several daemons of one database. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  Cluster,
  EventStream,
  eventually,
  postgresMissing,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';

describe('with two daemons', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  let upstream: Upstream;
  before(async () => {
    [cluster, upstream] = await Promise.all([
      Cluster.start({ daemons: 2, args: () => ['--api-rate-limit', '0'] }),
      startUpstream((_request, response) => response.end('ok')),
    ]);
  });
  after(async () => {
    await cluster?.stop();
    await upstream?.stop();
  });

  async function open(index: number, options: Parameters<typeof EventStream.open>[1] = {}) {
    const stream = await EventStream.open(cluster.at(index), options);
    assert.equal(stream.status, 200);
    await stream.first('ready');
    return stream;
  }

  async function make(index: number): Promise<string> {
    const { status, json, text } = await cluster.api(index, 'POST', '/edges/tls', {});
    assert.equal(status, 201, text);
    return json.id;
  }

  test('a stream at one daemon reports changes, agents and requests of the other', async () => {
    const stream = await open(1, { topics: 'changes,sessions,traffic' });
    const id = await make(0);
    const { data } = await stream.first('change', (event) => event.data.id === id);
    assert.equal(data.what, 'created');
    const { platform } = cluster.node(0);
    const agent = await platform.agent(['http', String(upstream.port), '--domain', 'streamed']);
    await stream.first('session', (event) => event.data.kind === 'tunnel' && event.data.what === 'online');
    await eventually(async () => {
      await cluster.visit(0, `https://streamed.underpass.localhost:${cluster.port}/seen`);
      assert.ok(stream.named('traffic').some((event) => event.data.path === '/seen'));
    });
    const ids = stream.named('traffic').map((event) => event.data.id);
    assert.equal(new Set(ids).size, ids.length, 'no request is reported twice');
    await eventually(async () => {
      const { json } = await cluster.api(1, 'GET', '/overview');
      assert.equal(json.counts.tunnels, 1);
      assert.ok(json.last_minute.requests > 0);
    });
    await agent.process.stop();
    await stream.first('session', (event) => event.data.kind === 'tunnel' && event.data.what === 'offline');
    stream.close();
  });

  test('a client goes on at the other daemon, after the last event of the first', async () => {
    const first = await open(0, { topics: 'changes' });
    const seen = await make(1);
    await first.first('change', ({ data }) => data.id === seen);
    const { lastEventId } = first;
    first.close();
    const missed = [await make(0), await make(1)];
    const second = await open(1, { topics: 'changes', lastEventId });
    assert.deepEqual(
      second.named('change').map(({ data }) => [data.id, data.what]),
      missed.map((id) => [id, 'created']),
    );
    assert.deepEqual(second.named('reset'), []);
    const other = lastEventId?.replace(/[0-9a-f]{12}$/, '0'.repeat(12));
    assert.notEqual(other, lastEventId);
    const foreign = await open(1, { topics: 'changes', lastEventId: other });
    assert.equal(foreign.named('reset')[0]?.data.reason, 'other_history');
    second.close();
    foreign.close();
  });

  test('a key that is deleted at one daemon ends its stream at the other', async () => {
    const owner = cluster.bootstrap.user_id;
    const { json: key } = await cluster.api(0, 'POST', '/api_keys', { owner_id: owner });
    const stream = await open(1, { apiKey: key.token });
    await cluster.api(0, 'DELETE', `/api_keys/${key.id}`);
    await stream.until(() => stream.isEnded, 'the end with the key');
  });

  test('the status names both daemons, and one that is gone is a warning or not listed', async () => {
    const { json } = await cluster.api(0, 'GET', '/status');
    assert.deepEqual(
      json.nodes.map(({ state }: { state: string }) => state),
      ['ready', 'ready'],
    );
    await cluster.kill(1);
    await eventually(async () => {
      const { json } = await cluster.api(0, 'GET', '/status');
      const [, other] = json.nodes;
      assert.ok(other === undefined || other.state === 'unreachable');
      const codes = json.warnings.map(({ code }: { code: string }) => code);
      assert.equal(codes.includes('node_not_ready'), other !== undefined);
    });
  });
});
