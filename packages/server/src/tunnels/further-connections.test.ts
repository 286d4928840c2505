/** An agent of this project learns how many connections are useful, and has at most one at a daemon. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { field } from '@underpass/wire';
import { codeOf, type TestAgent, type TestCredential, until, World } from './ingress.fixture.ts';

let world: World;
let credential: TestCredential;
before(async () => {
  world = await World.create({ limits: { sessionsPerCredential: 1 } });
  credential = await world.credential(await world.account());
});
after(() => world.stop());

/** Another connection of an agent. */
async function further(first: Awaited<ReturnType<TestAgent['auth']>>, leg: number, extra: object = {}) {
  const agent = await world.connect();
  const proof = { Cookie: field(first.Extra, 'Cookie'), LegNumber: leg, ...extra };
  return { agent, response: await agent.auth(credential.token, proof, { ClientId: first.ClientId }) };
}

async function end(...agents: readonly TestAgent[]): Promise<void> {
  for (const agent of agents) agent.socket.destroy();
  await until(() => world.ingress.counts.sessions === 0, 'the sessions are over');
}

test('an agent that offers connections gets their number and the daemon, and others get neither', async () => {
  const own = await world.connect();
  const welcome = await own.auth(credential.token, { UnderpassConnections: 4 });
  assert.equal(field(welcome.Extra, 'UnderpassConnections'), 1);
  assert.match(String(field(welcome.Extra, 'UnderpassDaemon')), /^[0-9a-f]{16}$/);
  await end(own);
  const other = await world.connect();
  const { Extra } = await other.auth(credential.token);
  assert.deepEqual(
    Object.keys(Extra as object).filter((key) => key.startsWith('Underpass')),
    [],
  );
  await end(other);
});

test('a connection for another daemon is refused where the agent has one, and is no refused login', async () => {
  const first = await world.connect();
  const welcome = await first.auth(credential.token, { UnderpassConnections: 4 });
  const { agent, response } = await further(welcome, 1, { UnderpassOtherDaemon: true });
  assert.equal(codeOf(response), '60855');
  assert.equal(world.ingress.counts.sessions, 1);
  // The same connection is back before its former end is known.
  const back = await further(welcome, 0, { UnderpassOtherDaemon: true });
  assert.equal(codeOf(back.response), '');
  await end(first, agent, back.agent);
});

test('further connections of an agent are none more for the limit of a credential', async () => {
  const first = await world.connect();
  const welcome = await first.auth(credential.token);
  const legs = [await further(welcome, 1), await further(welcome, 2), await further(welcome, 3)];
  assert.deepEqual(
    legs.map(({ response }) => codeOf(response)),
    ['', '', ''],
  );
  const other = await world.connect();
  assert.equal(codeOf(await other.auth(credential.token)), '60325');
  const beyond = await further(welcome, 4);
  assert.equal(codeOf(beyond.response), '60856');
  await end(first, other, beyond.agent, ...legs.map(({ agent }) => agent));
});

for (const leg of [-1, 16, 1.5])
  test(`a connection with the number ${leg} is refused by name`, async () => {
    const agent = await world.connect();
    const { Error: error } = await agent.auth(credential.token, { LegNumber: leg });
    assert.match(String(error), /LegNumber must/);
    agent.socket.destroy();
  });
