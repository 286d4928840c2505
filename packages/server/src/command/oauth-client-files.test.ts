import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { oauthClients } from './oauth-client-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'oauth-clients-'));
after(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, text);
  return path;
}

test('each provider has the client in its file', () => {
  const right = file('{"client_id": "shop", "client_secret": "s3cret"}');
  const clients = oauthClients([`google=${right}`, `GitHub=${right}`]);
  assert.deepEqual([...clients.keys()], ['google', 'github']);
  assert.deepEqual(clients.get('google'), { clientId: 'shop', clientSecret: 's3cret' });
  assert.throws(() => oauthClients([`google=${right}`, `google=${right}`]), /given twice/);
});

test('what is no provider or no client is refused, and no secret is in the message', () => {
  for (const [given, reason] of [
    ['google', /PROVIDER=FILE/],
    ['nobody=x', /one of github/],
    [`google=${join(folder, 'none')}`, /cannot be read/],
    [`google=${file('s3cret')}`, /must be JSON/],
    [`google=${file('null')}`, /must be JSON/],
    [`google=${file('{"client_id": "shop", "client_secret": 7, "s3cret": 1}')}`, /must be JSON/],
    [`google=${file('{"client_secret": "s3cret"}')}`, /must be JSON/],
  ] as const)
    assert.throws(
      () => oauthClients([given]),
      (error: Error) => reason.test(error.message) && !error.message.includes('s3cret'),
      given,
    );
});
