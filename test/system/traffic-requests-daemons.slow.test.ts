/** The list of requests of an account, at any of several daemons of one database. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '../../packages/server/src/store/store.ts';
import { type Answer, Cluster, eventually, postgresMissing } from '../harness/index.ts';

const HOST = 'ledger.underpass.localhost';
const LIST = '/traffic/requests?watch_seconds=0';

const unreachableIn = ({ headers }: Answer) => headers['unreachable-nodes'];
const linesOf = ({ json }: Answer): readonly unknown[] =>
  json.requests.map(({ path, status_code: code }: JsonObject) => `${code} ${path}`);

describe('requests that ended at several daemons', { skip: postgresMissing }, () => {
  let cluster: Cluster;

  before(async () => {
    cluster = await Cluster.start({
      daemons: 2,
      args: (index) => ['--api-rate-limit', '0', '--node-name', `node-${index}`],
    });
    for (const { platform } of cluster.nodes) {
      const url = `http://127.0.0.1:${platform.adminPort}/metrics`;
      await eventually(async () => assert.match(await (await fetch(url)).text(), /^underpass_links 1$/m));
    }
    await done(cluster.api(0, 'POST', '/reserved_domains', { name: 'ledger' }));
    const { json: backend } = await done(
      cluster.api(0, 'POST', '/backends/http_response', { body: 'hello' }),
    );
    const { json: edge } = await done(cluster.api(0, 'POST', '/edges/https', { hostports: [`${HOST}:443`] }));
    const routes = `/edges/https/${edge.id}/routes`;
    const route = { match_type: 'path_prefix', match: '/hello', backend: { backend_id: backend.id } };
    await done(cluster.api(0, 'POST', routes, route));
  });
  after(() => cluster?.stop());

  async function done(response: Promise<Answer>): Promise<Answer> {
    const answer = await response;
    assert.ok(answer.status < 300, answer.text);
    return answer;
  }

  const visit = async (index: number, path: string) =>
    (await cluster.visit(index, `https://${HOST}:${cluster.port}${path}`)).status;
  const list = async (index: number, path = LIST) => await done(cluster.api(index, 'GET', path));

  test('are listed by each of them in one order, with the name of the daemon', async () => {
    for (const [index, path] of ['/a', '/b', '/c', '/d'].entries())
      assert.equal(await visit(index % 2, path), 404);
    await eventually(async () => assert.equal(linesOf(await list(0)).length, 4));
    // Two that end in the same millisecond at two daemons may be in either order.
    const expected = linesOf(await list(0));
    assert.deepEqual(expected.toSorted(), ['404 /a', '404 /b', '404 /c', '404 /d']);
    for (const index of [0, 1]) {
      const { json } = await list(index);
      assert.deepEqual(linesOf(await list(index)), expected);
      const nodes = json.requests.map(({ path, node }: JsonObject) => `${path} ${node}`);
      assert.deepEqual(nodes.toSorted(), ['/a node-0', '/b node-1', '/c node-0', '/d node-1']);
      const [newest] = json.requests;
      const one = await list(index, `/traffic/requests/${newest.id}`);
      assert.deepEqual(one.json, { ...newest, bodies: null });
      const first = await list(index, `${LIST}&limit=3`);
      assert.deepEqual(linesOf(first), expected.slice(0, 3));
      const { pathname, search } = new URL(first.json.next_page_uri);
      const last = await list(index, `${pathname}${search}&watch_seconds=0`);
      assert.deepEqual([linesOf(last), last.json.next_page_uri], [expected.slice(3), null]);
    }
  });

  test('are listed without failures too, if the list of another daemon is read', async () => {
    assert.equal(await visit(1, '/hello/unseen'), 200);
    // The former request has ended, too, when this one is listed.
    assert.equal(await visit(1, '/missing'), 404);
    await eventually(async () => assert.equal(linesOf(await list(0))[0], '404 /missing'));
    await list(0, '/traffic/requests?watch_seconds=600');
    assert.equal(await visit(1, '/hello/seen'), 200);
    await eventually(async () => assert.equal(linesOf(await list(0))[0], '200 /hello/seen'));
    assert.ok(!linesOf(await list(0)).includes('200 /hello/unseen'));
  });

  test('have bodies at the daemon of the visitor while any daemon has a recording', async () => {
    const { json: endpoints } = await done(cluster.api(0, 'GET', '/edges/https'));
    const site_id = endpoints.https_edges[0].id;
    const { json: recording } = await done(cluster.api(0, 'POST', '/traffic/recordings', { site_id }));
    const bodiesOf = async (path: string) => {
      await eventually(async () => assert.equal(linesOf(await list(0))[0], `200 ${path}`));
      const [{ id }] = (await list(0)).json.requests;
      const found = await Promise.all([0, 1].map((index) => list(index, `/traffic/requests/${id}`)));
      return found.map(({ json }) => [json.node, json.bodies?.response?.content ?? null]);
    };
    // The response of a change follows its effect at every daemon.
    assert.equal(await visit(1, '/hello/recorded'), 200);
    assert.deepEqual(await bodiesOf('/hello/recorded'), Array(2).fill(['node-1', 'hello']));
    await done(cluster.api(1, 'DELETE', `/traffic/recordings/${recording.id}?discard=true`));
    assert.deepEqual(await bodiesOf('/hello/recorded'), Array(2).fill(['node-1', null]));
    assert.equal(await visit(0, '/hello/later'), 200);
    assert.deepEqual(await bodiesOf('/hello/later'), Array(2).fill(['node-0', null]));
  });

  test('are listed without those of a daemon that does not answer, which a header counts', async () => {
    assert.equal(unreachableIn(await list(0)), undefined);
    cluster.freeze(1);
    const { headers, json } = await list(0);
    assert.equal(headers['unreachable-nodes'], '1');
    assert.ok(json.requests.length > 0);
    assert.ok(json.requests.every(({ node }: JsonObject) => node === 'node-0'));
    cluster.thaw(1);
    await eventually(async () => assert.equal(unreachableIn(await list(0)), undefined));
  });
});
