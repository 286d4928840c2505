import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkIdentity } from './identity.ts';

const DAY_MS = 86_400_000;

/** An authority whose certificates are texts with the number of the certificate, and are valid for 30 days. */
function startIdentity() {
  const state = { now: 0, isBroken: false, names: [] as string[] };
  const issueNode = async (uri: string) => {
    if (state.isBroken) throw new Error('broken');
    state.names.push(uri);
    const certificatePem = `certificate ${state.names.length}`;
    return { certificatePem, privateKeyPem: 'key', notAfter: new Date(state.now + 30 * DAY_MS) };
  };
  const authority = () => Promise.resolve({ certificatePem: 'ca', issueNode });
  return { state, identity: new LinkIdentity(authority, () => state.now) };
}

test('a certificate is used for half of its validity, and for one incarnation', async () => {
  const { state, identity } = startIdentity();
  const cert = async (incarnation: number) => (await identity.credentials(incarnation)).cert;
  assert.deepEqual(await Promise.all([cert(1), cert(1)]), ['certificate 1', 'certificate 1']);
  state.now = 14 * DAY_MS;
  assert.equal(await cert(1), 'certificate 1');
  state.now = 16 * DAY_MS;
  assert.equal(await cert(1), 'certificate 2');
  assert.equal(await cert(2), 'certificate 3');
  assert.deepEqual(
    state.names,
    [1, 1, 2].map((incarnation) => `urn:underpass:node:${incarnation}`),
  );
});

test('after an error of the authority a certificate is made again', async () => {
  const { state, identity } = startIdentity();
  state.isBroken = true;
  await assert.rejects(identity.credentials(1), /broken/);
  state.isBroken = false;
  assert.equal((await identity.credentials(1)).cert, 'certificate 1');
});

test('an authority that is at its end does not make certificates for ever', async () => {
  const { state, identity } = startIdentity();
  await identity.credentials(1);
  state.now = 40 * DAY_MS;
  await identity.credentials(1);
  assert.equal(state.names.length, 2);
});
