/** Verdicts on binds that no agent requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedRules } from '../access/tokens.ts';
import { type Hostname, isFault, parseHostname } from '../core/names/hostname.ts';
import { Problem } from '../errors/problem.ts';
import { judgeBind } from './bind-test.ts';

function hostname(text: string): Hostname {
  const parsed = parseHostname(text);
  assert.ok(!isFault(parsed));
  return parsed;
}

const domain = hostname('underpass.localhost');
const service = {
  domain,
  publicPort: 443,
  plainPort: null,
  consoleHost: null,
  baseUrl: 'https://api.underpass.localhost',
};
const reserved = new Map<unknown, string>([
  ['shop.example.com', 'ac_1'],
  ['theirs.example.com', 'ac_2'],
]);
const owners = {
  reservedBy: (name: unknown) => reserved.get(name),
  edgeAccount: (name: unknown) => (name === 'edge.underpass.localhost' ? 'ac_1' : undefined),
  reservedAddress: (port: number) =>
    port === 20_001 ? { account: 'ac_1', hostname: hostname('1.tcp.us.underpass.localhost') } : undefined,
};

function judged(bind: string, ...acl: string[]) {
  const found = judgeBind(
    { account: 'ac_1', credential: 'cr_1', rules: storedRules(acl), bind },
    service,
    owners,
  );
  const { kind, target, rule, denial } = found;
  return [kind, target, rule, denial?.code ?? null];
}

test('a name is permitted by its rule, and refused for the reason that an agent would get', () => {
  assert.deepEqual(judged('shop.example.com'), ['name', 'shop.example.com', null, null]);
  const rules = ['bind:other.example.com', 'bind:*.example.com', 'bind:shop.example.com'];
  assert.deepEqual(judged('https://SHOP.example.com/', ...rules), ['name', 'shop.example.com', 1, null]);
  assert.deepEqual(judged('tls://shop.example.com', 'bind:app=web'), [
    ...['name', 'shop.example.com', null, 'bindNameNotPermitted'],
  ]);
  assert.deepEqual(judged('theirs.example.com', '*'), [
    'name',
    'theirs.example.com',
    0,
    'bindNameReservedElsewhere',
  ]);
  assert.deepEqual(judged('edge.underpass.localhost').at(-1), 'bindNameOfEdge');
  assert.deepEqual(judged('api.underpass.localhost').at(-1), 'bindNameOfService');
  assert.deepEqual(judged('free.example.org').at(-1), 'bindNameNotReserved');
});

test('an address needs its rule and a reservation', () => {
  const address = '1.tcp.us.underpass.localhost:20001';
  assert.deepEqual(judged(`tcp://${address}`, `bind:${address}`), ['address', address, 0, null]);
  assert.deepEqual(judged(address, 'bind:*.underpass.localhost').at(-1), 'bindAddressNotPermitted');
  assert.deepEqual(judged('1.tcp.us.underpass.localhost:20002').at(-1), 'bindAddressNotReserved');
});

test('random names and addresses need rules for all of them', () => {
  assert.deepEqual(judged('https://', 'bind:*.underpass.localhost'), ['name', '', 0, null]);
  assert.deepEqual(judged('https://', 'bind:shop.example.com'), [
    'name',
    '',
    null,
    'bindRandomNameUnavailable',
  ]);
  assert.deepEqual(judged('tcp://'), ['address', '', null, null]);
  assert.deepEqual(judged('tcp://', '*'), ['address', '', 0, null]);
  assert.deepEqual(judged('tcp://', 'bind:*.underpass.localhost').at(-1), 'bindRandomAddressNotPermitted');
});

test('each label needs a rule', () => {
  assert.deepEqual(judged('app=web,stage=prod', 'bind:app=web', 'bind:stage=*'), [
    ...['labels', 'app=web,stage=prod', 0, null],
  ]);
  assert.deepEqual(judged('app=web,stage=prod', 'bind:app=*').at(-1), 'bindLabelNotPermitted');
});

test('a text that names nothing to bind is refused', () => {
  for (const [bind, code] of [
    [' ', 'bindTestEmpty'],
    ['app=', 'bindTestEmpty'],
    ['a_b.example.com', 'bindNameUnderscore'],
    ['ftp://shop.example.com', 'bindUrlMalformed'],
    ['tcp://nothing', 'bindAddressMalformed'],
  ] as const)
    assert.throws(
      () => judged(bind),
      (error) => error instanceof Problem && error.code === code,
      bind,
    );
});
