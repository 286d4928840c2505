import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isId, kindOfId, resourceOf } from './catalogue.ts';
import { named, nameOf, nearName } from './naming.ts';

const domains = resourceOf('reserved_domain').kind;
const edges = resourceOf('https_edge').kind;
const groups = resourceOf('tunnel_group_backend').kind;
const ids = (items: readonly { readonly id?: unknown }[]) => items.map(({ id }) => id);

const DOMAINS = [
  { id: 'one', domain: 'shop.example.com', cname_target: null, description: 'www.example.org' },
  { id: 'two', domain: 'www.example.org', cname_target: 'x.example.com', description: 'both' },
  { id: 'three', domain: '*.wiki.example.org', cname_target: 'y.example.com', description: 'both' },
];

test('a domain is named by itself, by its label below the shared domain, or by its description', () => {
  for (const [text, found] of [
    ['shop.example.com', ['one']],
    ['Shop.Example.com.', ['one']],
    ['https://shop.example.com/', ['one']],
    ['shop', ['one']],
    ['www', []],
    ['www.example.org', ['two']],
    ['*.wiki.example.org', ['three']],
    ['both', ['two', 'three']],
    ['Both', []],
    ['', []],
  ] as const)
    assert.deepEqual(ids(named(domains, DOMAINS, text)), found, text);
  assert.equal(nearName(domains, DOMAINS, 'shpo'), 'shop');
  assert.equal(nearName(domains, DOMAINS, 'nothing'), null);
});

test('an edge is named by each of its hostports, with or without the port', () => {
  const items = [
    { id: 'one', hostports: ['a.example.com:443', 'b.example.com:8443'], description: '' },
    { id: 'two', hostports: ['b.example.com:9000'], description: '' },
  ];
  assert.deepEqual(ids(named(edges, items, 'a.example.com')), ['one']);
  assert.deepEqual(ids(named(edges, items, 'b.example.com:9000')), ['two']);
  assert.deepEqual(ids(named(edges, items, 'b.example.com')), ['one', 'two']);
  assert.deepEqual(named(edges, items, 'b.example.com:443'), named(edges, items, 'b.example.com'));
});

test('a tunnel group is named by its labels in any order', () => {
  const items = [{ id: 'one', description: '', labels: { app: 'web', env: 'a' } }];
  assert.deepEqual(ids(named(groups, items, 'env=a,app=web')), ['one']);
  assert.deepEqual(ids(named(groups, items, 'app=web')), []);
  assert.equal(nameOf(groups, items[0] ?? {}), 'app=web,env=a');
});

test('only texts in the form of an id are ids', () => {
  const id = `rd_${'0'.repeat(27)}`;
  assert.deepEqual(
    [isId(id), isId(`${id}0`), isId('rd_shop'), isId(`xx_${'0'.repeat(27)}`)],
    [...[true, false, false, false]],
  );
  assert.equal(kindOfId(id)?.name, 'reserved_domain');
});
