/** A change that the API has answered holds at every daemon of the database. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, Cluster, eventually, postgresMissing } from '../harness/index.ts';

/** Number of changes at one daemon, each with a request to the other one right after it. */
const ROUNDS = 100;
const UNLIMITED = ['--api-rate-limit', '0'];

const lateIn = ({ headers }: Answer) => headers['not-everywhere'];

async function done(response: Promise<Answer>): Promise<Answer> {
  const answer = await response;
  assert.ok(answer.status < 300, answer.text);
  return answer;
}

async function linked(cluster: Cluster): Promise<void> {
  for (const { platform } of cluster.nodes) {
    const url = `http://127.0.0.1:${platform.adminPort}/metrics`;
    await eventually(async () => assert.match(await (await fetch(url)).text(), /^underpass_links 1$/m));
  }
}

describe('a change that was answered', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  before(async () => {
    cluster = await Cluster.start({ daemons: 2, args: () => UNLIMITED });
    await linked(cluster);
  });
  after(() => cluster?.stop());

  const at = async (index: number, method: string, path: string, body?: unknown) =>
    await done(cluster.api(index, method, path, body));

  test('revokes an API key at the other daemon', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { json: key } = await at(0, 'POST', '/api_keys', { description: `key ${round}` });
      const use = () => cluster.api(1, 'GET', '/api_keys', undefined, String(key.token));
      assert.equal((await use()).status, 200);
      const { headers } = await at(0, 'DELETE', `/api_keys/${key.id}`);
      assert.equal(headers['not-everywhere'], undefined);
      assert.equal((await use()).status, 401, `in round ${round}`);
    }
  });

  test('makes, changes and removes an edge that the other daemon serves', async () => {
    const host = 'ledger.underpass.localhost';
    await at(0, 'POST', '/reserved_domains', { name: 'ledger' });
    const visit = async () => (await cluster.visit(1, host)).text;
    for (let round = 0; round < ROUNDS; round++) {
      const { json: backend } = await at(0, 'POST', '/backends/http_response', { body: `first ${round}` });
      const { json: edge } = await at(0, 'POST', '/edges/tls', {
        hostports: [`${host}:443`],
        backend: { backend_id: backend.id },
        tls_termination: { terminate_at: 'edge' },
      });
      assert.equal(await visit(), `first ${round}`);
      await at(0, 'PATCH', `/backends/http_response/${backend.id}`, { body: `second ${round}` });
      assert.equal(await visit(), `second ${round}`);
      await at(0, 'DELETE', `/edges/tls/${edge.id}`);
      assert.doesNotMatch(await visit(), /second/, `in round ${round}`);
    }
  });

  test('is counted as not everywhere while a daemon is stopped, and delays no further write', async () => {
    const change = async () => await at(0, 'POST', '/api_keys', {});
    assert.equal(lateIn(await change()), undefined);
    cluster.freeze(1);
    const durations: number[] = [];
    for (let count = 0; count < 11; count++) {
      const began = performance.now();
      assert.equal(lateIn(await change()), '1');
      durations.push(performance.now() - began);
    }
    const [first = 0, ...later] = durations;
    assert.ok(Math.min(...later) < first / 2, `only the first one waits: ${durations.join(', ')} ms`);
    const url = `http://127.0.0.1:${cluster.node(0).platform.adminPort}/metrics`;
    assert.match(await (await fetch(url)).text(), /^underpass_api_not_everywhere_total 11$/m);
    cluster.thaw(1);
    await eventually(async () => assert.equal(lateIn(await change()), undefined));
  });

  test('is counted as not everywhere while a daemon has lost the database', async () => {
    const change = async () => await at(0, 'POST', '/api_keys', {});
    cluster.disconnect(1);
    assert.equal(lateIn(await change()), '1');
    cluster.reconnect(1);
    await eventually(async () => assert.equal(lateIn(await change()), undefined));
  });
});

test('with --no-wait-for-nodes a response waits for no daemon', {
  skip: postgresMissing,
}, async (context) => {
  const args = (index: number) => (index === 0 ? ['--no-wait-for-nodes'] : []);
  const cluster = await Cluster.start({ daemons: 2, args });
  context.after(() => cluster.stop());
  await linked(cluster);
  cluster.freeze(1);
  assert.equal(lateIn(await done(cluster.api(0, 'POST', '/api_keys', {}))), undefined);
});
