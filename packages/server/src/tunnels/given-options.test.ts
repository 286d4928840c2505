/**
 * Every option of a bind that requests a module, on every protocol, with contents that are empty or nearly so. The
 * list of options covers new ones.
 * Invariant: an option that keeps visitors out is enforced or refused, and never dropped.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { StreamType } from '@underpass/wire';
import type { TunnelProtocol } from '../online/tunnel-facts.ts';
import { type TestAgent, World } from './ingress.fixture.ts';
import { moduleOptions, spelling } from './options/index.ts';
import { protocols } from './options/protocols.ts';

/** Options that keep no visitor out. An empty one requests nothing. */
const OPEN = ['circuit_breaker', 'request_headers', 'response_headers'];

describe('an option that is empty', () => {
  let world: World;
  let account: string;
  let agent: TestAgent;
  before(async () => {
    world = await World.create({ plainPort: 8080, tcpPorts: { first: 20_001, last: 20_099 } });
    account = await world.account();
    agent = await world.login(await world.credential(account));
  });
  after(() => world.stop());

  for (const proto of Object.keys(protocols) as TunnelProtocol[]) {
    for (const [module, option] of moduleOptions) {
      if (OPEN.includes(module)) continue;
      const spelled = spelling(option, proto);
      const known = spelled ?? option.option;
      test(`${known} of ${proto}`, async () => {
        const zeros = ['', 0, false, null, [], {}];
        const objects = [
          {},
          { later: null },
          ...option.fields.flatMap((name) => zeros.map((zero) => ({ [name]: zero }))),
          ...zeros.map((zero) => Object.fromEntries(option.fields.map((name) => [name, zero]))),
        ];
        for (const value of objects) {
          const answer = await agent.bind({ [known]: value }, {}, { Proto: proto });
          const what = `${JSON.stringify(value)}: ${answer.Error}`;
          if (answer.Error !== '') continue;
          assert.notEqual(spelled, null, `${what}: binds of this protocol do not have it`);
          const [tunnel, ...others] = world.ingress.online.named(() => true);
          assert.equal(others.length, 0);
          assert.deepEqual(Object.keys(tunnel?.modules ?? {}), [module], what);
          await agent.request(StreamType.unbind, { Id: answer.Id });
        }
        // Only null is "not given"; what is no object is refused if binds of this protocol have the option.
        for (const value of ['', 0, false, []]) {
          if (spelled === null) break;
          const answer = await agent.bind({ [known]: value }, {}, { Proto: proto });
          assert.notEqual(answer.Error, '', JSON.stringify(value));
        }
        const beside = await agent.bind({}, { [known]: {} }, { Proto: proto });
        assert.notEqual(beside.Error, '', 'an option in Extra');
        const absent = await agent.bind({ [known]: null }, {}, { Proto: proto });
        assert.equal(absent.Error, '');
        await agent.request(StreamType.unbind, { Id: absent.Id });
      });
    }
  }

  test('a policy by reference is not available as an object either', async () => {
    const answer = await agent.bind({ IPPolicyRef: {} });
    assert.notEqual(answer.Error, '');
  });
});
