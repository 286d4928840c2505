import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredDocument } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import { hashToken, tokenOf } from '../resources/tokens.ts';
import { authenticate } from './credentials.ts';

const suffix = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const token = tokenOf(`cr_${suffix}`, 'x'.repeat(22));

function documents(acl: readonly string[]): Map<string, StoredDocument> {
  const row = { account: 'ac_1', parent: null, revision: 1 };
  const described = { description: '', metadata: '' };
  const kept = { ...described, token_hash: hashToken(token), owner_id: 'usr_1', acl };
  const all: StoredDocument[] = [
    { ...row, id: 'ac_1', kind: 'account', body: { name: 'acme' } },
    { ...row, id: 'usr_1', kind: 'user', body: { name: 'u', email: '', role: 'admin', active: true } },
    { ...row, id: `cr_${suffix}`, kind: 'credential', body: kept },
  ];
  return new Map(all.map((document) => [document.id, document]));
}

test('a credential that changes while it is read is read again', async () => {
  let changes = 0;
  let current = documents([]);
  const get = async (id: string) => {
    const document = current.get(id) ?? null;
    // The last read of the first attempt: from here on the rules are others.
    if (id === 'ac_1' && changes === 0) {
      changes += 1;
      current = documents(['bind:app.example.com']);
    }
    return document;
  };
  const context = { store: { get }, credentialChanges: () => changes };
  const rules = await authenticate(context, token, (grant, name) => [
    name,
    grant.acl.map(({ kind }) => kind),
  ]);
  assert.deepEqual(rules, ['acme', ['name']]);
});

test('a credential that is gone by the time it would be used gives no session', async () => {
  let changes = 0;
  let current = documents([]);
  const get = async (id: string) => {
    const document = current.get(id) ?? null;
    if (id === 'ac_1') {
      changes += 1;
      current = new Map();
    }
    return document;
  };
  const context = { store: { get }, credentialChanges: () => changes };
  const used = authenticate(context, token, () => assert.fail('used'));
  await assert.rejects(used, (error) => error instanceof Problem && error.code === 'authtokenInvalid');
});
