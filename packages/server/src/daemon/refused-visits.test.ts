import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../edge/sites/exchange-record.fixture.ts';
import type { ExchangeRecord } from '../edge/sites/exchange-record.ts';
import type { Refusal } from '../online/refusal.ts';
import { factsAt, type OtherFacts, tunnelOf } from '../online/tunnels.fixture.ts';
import { RefusedVisits } from './refused-visits.ts';

const visits = new RefusedVisits('ERR_X_', { publicPort: 443, plainPort: 80 }, () => 1_000);

function tunnels(...facts: readonly OtherFacts[]) {
  const told: Refusal[] = [];
  const all = facts.map((fact, at) =>
    tunnelOf(factsAt('a.example.com', { session: `ts_${at}`, ...fact }), {
      refused: (make) => void told.push(make()),
    }),
  );
  return { told, to: { tunnels: () => all } };
}

const blocked: Partial<ExchangeRecord> = {
  ...{ status: 403, error: 'sourceRefused', servedBy: '' },
  decisions: new Map([
    ['user_agent_filter', 'allow'],
    ['ip_restriction', 'block'],
  ]),
};

test('a refused request is reported with its module, its code and the reason', () => {
  const { told, to } = tunnels({});
  visits.observe({ ...visit, ...blocked, path: '/é\u0000'.concat('x'.repeat(2_000)), to });
  const [{ path, reason, ...rest } = assert.fail()] = told;
  assert.deepEqual(rest, {
    ...{ at: 1_000 - visit.durationMs, clientAddr: '192.0.2.1:5000', host: 'a.example.com', method: 'GET' },
    ...{ status: 403, code: 'ERR_X_3205', module: 'ip_restriction' },
  });
  assert.match(path, /^\/\ufffd\\x00x+…$/);
  assert.ok(path.length < 520);
  assert.match(reason, /^The IP restriction of "?a\.example\.com"? does not allow/);
});

test('the host has the port of the public address, like that of a request, unless it is the standard one', () => {
  const hosts = (publicPort: number, plainPort: number | null): readonly string[] => {
    const ported = new RefusedVisits('ERR_X_', { publicPort, plainPort }, () => 1_000);
    const { told, to } = tunnels({});
    const plain = { ...visit.connection, tls: null };
    ported.observe({ ...visit, ...blocked, to });
    ported.observe({ ...visit, ...blocked, connection: plain, to });
    ported.observe({ ...visit, ...blocked, kind: 'bytes', connection: plain, to });
    ported.observe({ ...visit, ...blocked, kind: 'bytes', connection: { ...plain, serverName: null }, to });
    const page = new URL(`https://b.example.com:${publicPort}/x`);
    const fault = { code: 'loginRefused', message: 'It is no XML.' } as const;
    ported.login({ account: 'ac_1', to }, { page, client: '192.0.2.1:1', fault });
    for (const { reason } of told) assert.doesNotMatch(reason, /8443|8080/);
    return told.map(({ host }) => host);
  };
  const [a, b] = ['a.example.com', 'b.example.com'];
  assert.deepEqual(hosts(8443, 8080), [`${a}:8443`, `${a}:8080`, `${a}:8443`, '', `${b}:8443`]);
  assert.deepEqual(hosts(443, null), [a, a, a, '', b]);
});

test('successes, and refusals that the agent has seen itself, are not reported', () => {
  const { told, to } = tunnels({});
  visits.observe({ ...visit, to });
  visits.observe({ ...visit, status: 502, error: 'upstreamUnreachable', reason: 'it is down', to });
  visits.observe({ ...visit, ...blocked, to: null });
  visits.observe({ ...visit, ...blocked, to: { tunnels: () => null } });
  assert.deepEqual(told, []);
});

test('an agent gets one report, however many tunnels it has, and an agent of another account none', () => {
  const { told, to } = tunnels({ session: 'ts_1' }, { session: 'ts_1' }, { account: 'ac_2' }, {});
  visits.observe({ ...visit, ...blocked, to });
  assert.equal(told.length, 2);
  const many = tunnels(...Array.from({ length: 100 }, () => ({})));
  visits.observe({ ...visit, ...blocked, to: many.to });
  assert.equal(many.told.length, 16);
});
