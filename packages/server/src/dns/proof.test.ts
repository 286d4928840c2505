import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostPattern } from '../core/names/hostname.ts';
import type { NameCheck } from './name-check.ts';
import { judge, proofName, proofText, type Verdict } from './proof.ts';

const own = proofText('ac_1');
const other = proofText('ac_2');
const alias: NameCheck = { state: 'right', by: 'alias' };
const addresses: NameCheck = { state: 'right', by: 'addresses' };
const unknown: NameCheck = { state: 'unknown', reason: 'nobody could say' };
const record = { name: 'a.example', expected: 'x', aliases: [], addresses: [], expectedAddresses: [] };
const wrong: NameCheck = { state: 'wrong', record };

const cases: readonly [
  NameCheck,
  readonly string[] | null,
  Verdict['verdict'] | 'alias' | 'addresses' | 'text',
][] = [
  [wrong, [own], 'text'],
  [wrong, [other, own], 'text'],
  [unknown, [own], 'text'],
  [alias, [], 'alias'],
  [alias, [other], 'alias'],
  [alias, null, 'alias'],
  [addresses, [], 'addresses'],
  [addresses, ['v=spf1 -all'], 'addresses'],
  [addresses, [other], 'disproven'],
  [addresses, null, 'unknown'],
  [wrong, [other], 'disproven'],
  [wrong, [], 'missing'],
  [wrong, ['underpass-domain=something'], 'missing'],
  [wrong, null, 'unknown'],
  [unknown, [other], 'unknown'],
  [unknown, [], 'unknown'],
];

test('an account is proven by its own alias or text, and by addresses where no text names another one', () => {
  for (const [check, texts, expected] of cases) {
    const verdict = judge({ check, texts }, 'ac_1');
    const found = verdict.verdict === 'proven' ? verdict.by : verdict.verdict;
    assert.equal(found, expected, JSON.stringify([check, texts]));
  }
});

test('a text is the same whenever it is asked for, another one for each account, and stands beside the name', () => {
  assert.match(own, /^underpass-domain=[0-9a-f]{32}$/);
  assert.equal(proofText('ac_1'), own);
  assert.notEqual(other, own);
  assert.equal(proofName('*.example.com' as HostPattern), '_underpass.example.com');
});
