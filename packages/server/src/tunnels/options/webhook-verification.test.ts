import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../errors/problem.ts';
import { webhookVerificationOption } from './webhook-verification.ts';

const context = {
  settings: { errorCodeHeader: 'x', oauthClients: new Map() },
  reading: { code: 'bindRequestMalformed', request: 'Bind' },
} as const;

function read(provider: string, secret: string) {
  return webhookVerificationOption.read({ provider, secret }, context);
}

test('a secret of an agent that has to be base64 and is not is refused', () => {
  assert.equal(read('svix', 'whsec_YWJj')?.secret, 'whsec_YWJj');
  assert.equal(read('github', 'between us')?.secret, 'between us');
  assert.throws(
    () => read('Svix', 'between us'),
    (error) => error instanceof Problem && error.code === 'webhookSecretNotBase64',
  );
});
