/**
 * A daemon that reconnects late after an asynchronous failover. Invariant: it serves the state of the database, not
 * what was lost.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually, Platform, Postgres, postgresMissing, Relay, shareMasterKey } from '../harness/index.ts';

shareMasterKey();

const HOST = 'shop.underpass.localhost';

describe('a failover that lost writes', { skip: postgresMissing }, () => {
  let primary: Postgres;
  let standby: Postgres;
  let relay: Relay;
  let late: Platform;
  let early: Platform | null = null;
  let name: string;

  before(async () => {
    primary = await Postgres.start();
    const url = new URL(await primary.database());
    name = url.pathname.slice(1);
    relay = await Relay.start({ port: primary.port, delayMs: () => 0 });
    url.port = String(relay.port);
    late = await Platform.start({ args: ['--database', url.href] });
  });
  after(async () => {
    await Promise.all([late?.stop(), early?.stop()]);
    await relay?.stop();
    await Promise.all([primary?.stop(), standby?.stop()]);
  });

  async function api(through: Platform, method: string, path: string, body: object) {
    const answer = await through.client.request(
      new URL(path, `https://api.underpass.localhost:${through.port}`),
      {
        method,
        headers: {
          authorization: `Bearer ${late.bootstrap.api_key}`,
          'service-version': '2',
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      },
    );
    assert.ok(answer.status < 300, answer.text);
    return answer.json as { id: string };
  }

  const visit = (at: Platform) => at.visit(HOST).then(({ status }) => status);

  test('a daemon that reconnects late serves what the database says, without a restart, and says so', async () => {
    await api(late, 'POST', '/reserved_domains', { name: HOST });
    const backend = await api(late, 'POST', '/backends/http_response', { body: 'shop', status_code: 200 });
    const edge = await api(late, 'POST', '/edges/tls', {
      hostports: [`${HOST}:443`],
      backend: { backend_id: backend.id },
      tls_termination: { terminate_at: 'edge' },
    });
    const policy = await api(late, 'POST', '/ip_policies', {});
    const rule = { ip_policy_id: policy.id, action: 'allow', cidr: '192.0.2.0/24' };
    await api(late, 'POST', '/ip_policy_rules', rule);
    standby = await primary.standby();
    const target = standby.url(name);
    const newest = 'SELECT last_id FROM underpass.state';
    const [before] = await primary.query(primary.url(name), newest);
    await eventually(async () => assert.deepEqual(await standby.query(target, newest), [before]));
    await standby.halt();

    // Lost: it was answered, and no standby has it.
    for (const description of ['lost', 'lost, too', 'and this'])
      await api(late, 'PATCH', `/edges/tls/${edge.id}`, { description });
    relay.lead(null);
    relay.cut();
    await primary.halt('SIGKILL');
    await standby.resume();
    await standby.promote();

    early = await Platform.start({ args: ['--database', target] });
    await api(early, 'PUT', `/edges/tls/${edge.id}/ip_restriction`, { ip_policy_ids: [policy.id] });
    // The log is longer than the lost one, so its length shows nothing.
    for (const body of ['1', '2', '3', '4', '5'])
      await api(early, 'PATCH', `/backends/http_response/${backend.id}`, { body });
    await eventually(async () => assert.equal(await visit(early!).catch(() => 403), 403));
    assert.equal(await visit(late), 200, 'it cannot know yet, and goes on serving');

    relay.lead(standby.port);
    await eventually(async () => assert.equal(await visit(late).catch(() => 403), 403));
    await late.daemon.line(/the database goes on from another history/);
    const ready = await fetch(`http://127.0.0.1:${late.adminPort}/readyz`);
    assert.equal(ready.status, 200);
    assert.match(await ready.text(), /"warning":"other_history"/);
    // Its own writes go on where the database is.
    await eventually(async () => {
      await api(late, 'PATCH', `/backends/http_response/${backend.id}`, { body: 'new' });
    });
  });
});
