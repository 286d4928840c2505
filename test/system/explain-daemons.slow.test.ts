/** Explanations of several daemons of one database: tunnels of other daemons count. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  Cluster,
  eventually,
  postgresMissing,
  type RunningAgent,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import type { Explained } from './explain.fixture.ts';

describe('an explanation', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  let upstream: Upstream;
  let labelled: RunningAgent;
  let named: RunningAgent;

  before(async () => {
    cluster = await Cluster.start({ daemons: 2, args: () => ['--api-rate-limit', '0'] });
    upstream = await startUpstream((_request, response) => response.end('ok'));
    await created('/reserved_domains', { name: 'ledger' });
    const backend = await created('/backends/tunnel_group', { labels: { app: 'ledger' } });
    const edge = await created('/edges/https', { hostports: ['ledger.underpass.localhost:443'] });
    const route = { match_type: 'path_prefix', match: '/', backend: { backend_id: backend } };
    await created(`/edges/https/${edge}/routes`, route);
    const [first] = cluster.nodes;
    assert.ok(first !== undefined);
    labelled = await first.platform.agent(['http', String(upstream.port), '--label', 'app=ledger']);
    named = await first.platform.agent(['http', String(upstream.port), '--domain', 'own']);
  });
  after(async () => {
    await cluster?.stop();
    await upstream?.stop();
  });

  async function created(path: string, body: object): Promise<string> {
    const { status, json, text } = await cluster.api(0, 'POST', path, body);
    assert.equal(status, 201, text);
    return json.id;
  }

  async function resultAt(index: number, label: string): Promise<string> {
    const url = `https://${label}.underpass.localhost:${cluster.port}/`;
    const { status, json, text } = await cluster.api(index, 'POST', '/explain', {
      url,
      client_ip: '192.0.2.1',
    });
    assert.equal(status, 200, text);
    const { outcome, status_code, steps }: Explained = json;
    return `${outcome} ${status_code} ${steps.at(-1)?.why}`;
  }

  test('counts the tunnels of both daemons, and no tunnel that has ended', async () => {
    for (const index of [0, 1]) {
      await eventually(async () =>
        assert.equal(await resultAt(index, 'ledger'), 'served 0 1 tunnel with the labels app=ledger online.'),
      );
      await eventually(async () => assert.equal(await resultAt(index, 'own'), 'served 0 1 tunnel online.'));
    }
    await labelled.process.stop();
    await named.process.stop();
    for (const index of [0, 1]) {
      await eventually(async () => assert.match(await resultAt(index, 'ledger'), /^refused 503 No tunnels/));
      await eventually(async () => assert.match(await resultAt(index, 'own'), /^refused 404 No agent/));
    }
  });
});
