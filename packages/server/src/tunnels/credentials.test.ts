import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../errors/problem.ts';
import { hashToken, tokenOf } from '../resources/tokens.ts';
import type { JsonObject, StoredDocument } from '../store/store.ts';
import { authenticate } from './credentials.ts';

const suffix = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const token = tokenOf(`cr_${suffix}`, 'x'.repeat(22));

function documents(acl: readonly string[]): Map<string, StoredDocument> {
  const bodies: [string, string, JsonObject][] = [
    ['ac_1', 'account', { name: 'acme' }],
    ['usr_1', 'user', { name: 'u', email: '', role: 'admin', active: true }],
    [`cr_${suffix}`, 'credential', { token_hash: hashToken(token), owner_id: 'usr_1', acl }],
  ];
  return new Map(
    bodies.map(([id, kind, body]) => [id, { id, kind, body, account: 'ac_1', parent: null, revision: 1 }]),
  );
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
