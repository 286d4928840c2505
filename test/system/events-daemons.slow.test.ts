/** Events of sessions whose daemon was killed, on PostgreSQL. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, Platform, Postgres, postgresMissing, shareMasterKey } from '../harness/index.ts';
import { Intake } from './event-intake.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

shareMasterKey();

describe('a daemon that was killed', { skip: postgresMissing }, () => {
  test('the next process on its data dir sends the ends of its sessions, once', async (context) => {
    const server = await Postgres.shared();
    const intake = new Intake();
    const args = [
      ...['--database', await server.database()],
      ...['--monitoring-intake-url', await intake.start()],
    ];
    const first = await Platform.start({ args });
    const second = await Platform.start({ args });
    context.after(async () => {
      await Promise.all([first.stop(), second.stop()]);
      await intake.stop();
      await server.stop();
    });
    const target = { monitoring: { api_key: 'not-a-real-key' } };
    const { id } = (await first.api('POST', '/event_destinations', { format: 'json', target })).json;
    const sources = ['agent_session_start.v0', 'agent_session_stop.v0'].map((type) => ({ type }));
    await first.api('POST', '/event_subscriptions', { sources, destination_ids: [id] });
    const received = (type: string) =>
      intake.received.filter(({ event_type }) => event_type === `agent_session_${type}.v0`);
    const { ca, bootstrap } = first;
    const agent = await StockAgent.connect({ port: second.port, ca, bootstrap }, (_, response) =>
      response.end(),
    );
    await eventually(() => assert.equal(received('start').length, 1));
    const sessions = async () => (await first.api('GET', '/tunnel_sessions')).json.tunnel_sessions.length;
    await eventually(async () => assert.equal(await sessions(), 1));
    await second.killAndRestart();
    await agent.stop();
    await eventually(() => assert.equal(received('stop').length, 1));
    const [start, stop] = [received('start')[0], received('stop')[0]];
    assert.equal(stop?.object.session.id, start?.object.session.id);
    assert.match(stop?.object.error, /daemon/);
    await eventually(async () => assert.equal(await sessions(), 0));
    await second.restart();
    assert.equal(received('stop').length, 1);
  });
});
