import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TunnelTermination } from '../online/online.ts';
import type { EndpointFacts } from '../online/tunnel-facts.ts';
import { factsAt } from '../online/tunnels.fixture.ts';
import type { Carrier } from './carrier.ts';
import { servesAlike } from './sharing.ts';
import { Tunnel, type TunnelParts } from './tunnel.ts';

const carrier: Carrier = {
  open: () => null,
  stop() {},
  registerMs: 0,
  hidesDials: false,
  isSuspect: false,
  expectAnswer() {},
};

function tunnel(
  parts: Partial<Pick<TunnelParts, 'modules' | 'termination'>> = {},
  endpoint: Partial<Pick<EndpointFacts, 'proto' | 'proxyProtocol' | 'name'>> = {},
): Tunnel {
  const facts = factsAt('a.x');
  assert.ok(facts.endpoint !== null);
  return new Tunnel(carrier, () => 0, {
    facts: { ...facts, endpoint: { ...facts.endpoint, ...endpoint } },
    ...{ modules: {}, termination: null, boundAt: 0, grant: null, ...parts },
  });
}

test('tunnels serve alike if visitors find the same protocol, modules, termination and address headers', () => {
  const termination = (text: string): TunnelTermination => ({
    certificate: { name: text, cert: text, key: text },
  });
  const own = tunnel({ termination: termination('a') }, { proto: 'tls' });
  const like = (parts: Parameters<typeof tunnel>[0], endpoint: Parameters<typeof tunnel>[1] = {}) =>
    servesAlike(own, tunnel({ termination: termination('a'), ...parts }, { proto: 'tls', ...endpoint }));
  assert.ok(like({}, { name: 'another name for people' }));
  assert.ok(!like({}, { proto: 'https' }));
  assert.ok(!like({}, { proxyProtocol: 2 }));
  assert.ok(!like({ termination: termination('b') }));
  assert.ok(!like({ termination: null }));
  assert.ok(!like({ modules: { compression: { enabled: true, compressesAll: true } } }));
});
