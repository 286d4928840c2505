/**
 * Two daemons on one database, one of which dies during a certificate order.
 * Invariant: the other one continues, and requests no more than before.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import {
  eventually,
  Pebble,
  Platform,
  Postgres,
  pebbleMissing,
  postgresMissing,
  shareMasterKey,
  Visitor,
} from '../harness/index.ts';

shareMasterKey();

const ASKING = /ordering a certificate/;
/** Lines of pebble's log. */
const ORDER_MADE = /orders in the db/;
const LOOKING = /Pulled a task/;
const ISSUED = /Issued certificate serial/;
const FOUND_NOBODY = /authz \S+ set INVALID/;

describe('certificates of two daemons', { skip: pebbleMissing || postgresMissing }, () => {
  let server: Postgres;
  let pebble: Pebble;
  let platforms: readonly Platform[] = [];
  let token: string;
  let survivor: Platform;
  let url: string;

  before(async () => {
    server = await Postgres.shared();
    url = await server.database();
    // It validates some seconds after the order.
    pebble = await Pebble.prepare({ env: { PEBBLE_VA_NOSLEEP: '0', PEBBLE_VA_SLEEPTIME: '8' } });
    const args = [...pebble.args, '--database', url, '--dns-resolver', pebble.dns, '--log-level', 'info'];
    platforms = await Promise.all([Platform.start({ args }), Platform.start({ args })]);
    const owner = platforms.find(({ dataDir }) => existsSync(join(dataDir, 'bootstrap.json')));
    token = owner?.bootstrap.api_key ?? '';
  });
  after(async () => {
    await Promise.all(platforms.map((platform) => platform.stop()));
    await pebble?.stop();
    await server?.stop();
  });

  async function call(platform: Platform, method: string, path: string, body?: object) {
    const url = new URL(path, `https://api.underpass.localhost:${platform.port}`);
    const answer = await platform.client.request(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'service-version': '2',
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.text === '' ? null : answer.json;
  }

  /** Returns how often pebble has logged the line. */
  const said = (what: RegExp): number => pebble.lines.filter((line) => what.test(line)).length;

  test('the other one goes on, and gets it', async () => {
    const [one, other] = platforms;
    assert.ok(one && other);
    await pebble.start({ tlsPort: 1 });
    const body = { domain: 'two.example.com', certificate_management_policy: { private_key_type: 'ecdsa' } };
    const { id } = await call(one, 'POST', '/reserved_domains', body);
    const asking = await Promise.race([one, other].map((each) => each.daemon.line(ASKING).then(() => each)));
    survivor = asking === one ? other : one;
    assert.ok(!survivor.daemon.output.match(ASKING), 'one at a time');
    await asking.daemon.stop('SIGKILL');
    await pebble.interrupt();
    await pebble.start({ tlsPort: survivor.port });
    await eventually(async () => {
      const domain = await call(survivor, 'GET', `/reserved_domains/${id}`);
      assert.ok(domain.certificate, JSON.stringify(domain.certificate_management_status));
    }, 60_000);
    const visitor = await Visitor.connect({
      ...{ port: survivor.port, servername: 'two.example.com', ca: await pebble.root() },
    });
    visitor.close();
  });

  test('a daemon that died while the authority looked goes on with its order', async () => {
    // Pebble chooses the time of its validation. A validation while the daemon is away fails, and does not count.
    let [attempt, foundNobody] = [0, true];
    while (foundNobody) {
      const [orders, looks, invalid] = [said(ORDER_MADE), said(LOOKING), said(FOUND_NOBODY)];
      attempt += 1;
      assert.ok(attempt <= 6, 'it always looked while the daemon was away');
      const body = {
        domain: `again${attempt}.example.com`,
        certificate_management_policy: { private_key_type: 'rsa' },
      };
      const { id } = await call(survivor, 'POST', '/reserved_domains', body);
      await eventually(() => assert.equal(said(LOOKING), looks + 1));
      await pebble.paused(() => survivor.killAndRestart());
      await eventually(async () => {
        const domain = await call(survivor, 'GET', `/reserved_domains/${id}`);
        foundNobody = said(FOUND_NOBODY) > invalid;
        assert.ok(domain.certificate || foundNobody, JSON.stringify(domain.certificate_management_status));
      }, 60_000);
      if (foundNobody) await call(survivor, 'DELETE', `/reserved_domains/${id}`);
      else await eventually(() => assert.equal(said(ORDER_MADE), orders + 1));
    }
  });

  test('a daemon that died before it could store a certificate serves that one, and asks for no other', async () => {
    const [orders, looks, issued] = [said(ORDER_MADE), said(LOOKING), said(ISSUED)];
    const body = { domain: 'late.example.com', certificate_management_policy: { private_key_type: 'rsa' } };
    const { id } = await call(survivor, 'POST', '/reserved_domains', body);
    await eventually(async () => assert.equal(said(LOOKING), looks + 1));
    // From here on nothing is stored.
    const database = new pg.Client({ connectionString: url });
    await database.connect();
    await database.query('BEGIN; LOCK TABLE underpass.documents IN SHARE ROW EXCLUSIVE MODE');
    await eventually(() => assert.equal(said(ISSUED), issued + 1), 60_000);
    await survivor.killAndRestart(() => database.end());
    await eventually(async () => {
      const domain = await call(survivor, 'GET', `/reserved_domains/${id}`);
      assert.ok(domain.certificate, JSON.stringify(domain.certificate_management_status));
    }, 60_000);
    assert.deepEqual([said(ORDER_MADE), said(ISSUED)], [orders + 1, issued + 1]);
  });
});
