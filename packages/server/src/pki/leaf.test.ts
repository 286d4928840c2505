import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
import { leafFor } from './leaf.ts';

const shared = 'shared.example' as Hostname;

function of(hostname: string, domain?: string) {
  const reservation =
    domain === undefined ? undefined : { id: 'rd_1', account: 'ac_1', domain: domain as HostPattern };
  const { name, owner, charged } = leafFor(hostname as Hostname, { reservation, account: 'ac_9', shared });
  return `${name} ${owner} ${charged === null ? '-' : `${charged.account} ${charged.reservation}`}`;
}

test('what is reserved by its name has a certificate for that name', () => {
  assert.equal(of('shop.example.com', 'shop.example.com'), 'shop.example.com ac_1 -');
  // No client takes a wildcard for all names of a country's shops.
  assert.equal(of('shop.co.uk', 'shop.co.uk'), 'shop.co.uk ac_1 -');
});

test('names below a wildcard share one for each parent; only parents that can be made up are charged', () => {
  assert.equal(of('a.example.com', '*.example.com'), '*.example.com ac_1 -');
  assert.equal(of('b.example.com', '*.example.com'), '*.example.com ac_1 -');
  assert.equal(of('a.b.example.com', '*.example.com'), '*.b.example.com ac_1 ac_1 rd_1');
  assert.equal(of('a.b.c.example.com', '*.example.com'), '*.b.c.example.com ac_1 ac_1 rd_1');
});

test('names directly below the shared domain share one, whosever they are', () => {
  for (const domain of [undefined, 'app.shared.example'])
    assert.equal(of('app.shared.example', domain), '*.shared.example service -');
  assert.equal(of('a.app.shared.example', '*.app.shared.example'), '*.app.shared.example ac_1 -');
  assert.equal(of('a.app.shared.example'), '*.app.shared.example ac_9 ac_9 null');
});

test('names of the service elsewhere, and below a domain of one label, have one of their own', () => {
  assert.equal(of('api.elsewhere.example'), 'api.elsewhere.example ac_9 -');
  const facts = { account: 'ac_9', shared: 'localhost' as Hostname };
  assert.equal(leafFor('app.localhost' as Hostname, facts).name, 'app.localhost');
});
