import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hostname } from '../core/names/hostname.ts';
import type { EndpointFacts } from '../online/tunnel-facts.ts';
import { factsAt } from '../online/tunnels.fixture.ts';
import { BoundNames } from './bound-names.ts';
import type { Carrier } from './carrier.ts';
import { RemoteTunnel } from './remote/remote-tunnel.ts';
import { addressTarget } from './target.ts';
import { Tunnel } from './tunnel.ts';

const carrier: Carrier = {
  open: () => null,
  stop() {},
  registerMs: 0,
  hidesDials: false,
  isSuspect: false,
  expectAnswer() {},
};

function endpointAt(id: string): EndpointFacts {
  const { endpoint } = factsAt('a.x', { endpoint: { id } });
  assert.ok(endpoint !== null);
  return endpoint;
}

function endpointOn(port: number): EndpointFacts {
  return { ...endpointAt('ep_1'), ...addressTarget({ hostname: 'a.x' as Hostname, port }) };
}

/** Names with functions that put a tunnel online and take it offline, as the registry does. */
function boundNames() {
  const names = new BoundNames();
  const enter = (endpoint: EndpointFacts): Tunnel => {
    const facts = { ...factsAt('a.x'), endpoint };
    const tunnel = new Tunnel(carrier, () => 0, {
      facts,
      modules: {},
      termination: null,
      boundAt: 0,
      grant: null,
    });
    names.enter(endpoint, tunnel);
    names.announce(endpoint, 'entered');
    return tunnel;
  };
  const leave = (endpoint: EndpointFacts, tunnel: Tunnel): void => {
    names.leave(endpoint, tunnel);
    names.announce(endpoint, 'left');
  };
  return { names, enter, leave };
}

test('a pool stays the same until its last tunnel has left, and the next one is new', () => {
  const { names, enter, leave } = boundNames();
  const [first, second, third] = ['ep_1', 'ep_2', 'ep_3'].map(endpointAt);
  assert.ok(first && second && third);
  const one = enter(first);
  const other = enter(second);
  assert.equal(one.pool, other.pool);
  leave(first, one);
  assert.deepEqual(names.at(first.slot), [other]);
  leave(second, other);
  assert.deepEqual([...names.names()], []);
  assert.equal(enter(third).pool?.id, 'ep_3');
});

test('tunnels of other daemons share the pool, and decide about nothing here', () => {
  const { names, enter, leave } = boundNames();
  const endpoint = endpointAt('ep_1');
  const remote = new RemoteTunnel({
    number: 1,
    entry: {
      ...{ kind: 'tunnel', facts: { ...factsAt('a.x'), endpoint }, capacity: null, hidesDials: false },
      ...{ refusesForNow: true, hasModules: false, behaviour: '', wantsRefusals: false },
      ...{ wantsVisits: false, bound: null, changedAt: 0 },
    },
    peer: {
      ...{ incarnation: 1, isUp: true, isOnThisMachine: true, region: 'us', open: () => null },
      call: async () => ({}),
    },
    region: 'us',
    fetched: { modules: {}, termination: null },
    report() {},
    isDraining: () => false,
  });
  const first = enter(endpoint);
  names.enterRemote(endpoint, remote);
  const second = enter(endpoint);
  assert.equal(remote.pool, first.pool);
  assert.deepEqual(names.at(endpoint.slot), [first, remote, second]);
  assert.deepEqual(names.own(endpoint.slot), [first, second]);
  for (const own of [first, second]) leave(endpoint, own);
  assert.deepEqual(names.at(endpoint.slot), [remote]);
  assert.deepEqual([names.own(endpoint.slot), [...names.names()]], [[], []]);
  names.leave(endpoint, remote);
  assert.deepEqual(names.at(endpoint.slot), []);
});

test('a name is announced when its first tunnel comes online, and not for further ones of its pool', () => {
  const { names, enter, leave } = boundNames();
  const announced: string[] = [];
  names.onNamed((name) => announced.push(name));
  const endpoint = endpointAt('ep_1');
  const tunnels = [enter(endpoint), enter(endpoint)];
  assert.deepEqual(announced, ['a.x']);
  for (const tunnel of tunnels) leave(endpoint, tunnel);
  assert.deepEqual(announced, ['a.x'], 'those that leave announce nothing');
  enter(endpoint);
  assert.deepEqual(announced, ['a.x', 'a.x']);
});

test('a port is there while one of its tunnels is online, and each change is announced', () => {
  const { names, enter, leave } = boundNames();
  let changes = 0;
  names.onPorts(() => {
    changes += 1;
  });
  const endpoint = endpointOn(20_001);
  const [first, second] = [enter(endpoint), enter(endpoint)];
  leave(endpoint, first);
  assert.deepEqual([[...names.ports], changes], [[20_001], 3]);
  leave(endpoint, second);
  assert.deepEqual([[...names.ports], changes], [[], 4]);
});
