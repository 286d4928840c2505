import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { UserDocument } from '../documents/index.ts';
import { type Platform, startPlatform } from '../resources/engine.fixture.ts';
import { createFirstAccount, type FirstAccount } from '../resources/first-account.ts';
import {
  authenticateApiKey,
  authenticateCredential,
  hashToken,
  mintSecret,
  storedRules,
  tokenOf,
} from './tokens.ts';

let platform: Platform;
let first: FirstAccount;
before(async () => {
  platform = await startPlatform();
  first = await createFirstAccount({ store: platform.store });
});
after(() => platform.close());

const keyFault = async (value: string) => authenticateApiKey(platform.store, value);
const credentialFault = async (value: string) => authenticateCredential(platform.store, value);

function tampered(token: string): string {
  return `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
}

describe('the first account', () => {
  test('its key and its authtoken work, and nothing of them is stored', async () => {
    const key = await authenticateApiKey(platform.store, first.api_key);
    assert.ok(!('fault' in key));
    assert.deepEqual([key.account, key.owner, key.role], [first.account_id, first.user_id, 'admin']);
    const grant = await authenticateCredential(platform.store, first.authtoken);
    assert.ok(!('fault' in grant));
    assert.deepEqual([grant.account, grant.acl], [first.account_id, []]);
    const { documents } = await platform.store.snapshot(['account', 'user', 'api_key', 'credential']);
    for (const token of [first.api_key, first.authtoken]) {
      assert.ok(!JSON.stringify(documents).includes(token.split('_')[1] ?? ''));
    }
  });

  test('what is made before the commit is undone when that fails', async () => {
    const before = await platform.store.snapshot(['account', 'user', 'api_key', 'credential']);
    const failing = createFirstAccount({
      store: platform.store,
      beforeCommit: (account) => {
        assert.match(account.account_id, /^ac_/);
        throw new Error('disk full');
      },
    });
    await assert.rejects(failing, { message: 'disk full' });
    const now = await platform.store.snapshot(['account', 'user', 'api_key', 'credential']);
    assert.deepEqual(now.documents, before.documents);
  });
});

describe('tokens', () => {
  test('what is no token is told apart from one that is not valid', async () => {
    for (const value of [
      '',
      'x',
      first.user_id,
      first.api_key.slice(0, -3),
      `${first.api_key} `,
      'a'.repeat(9999),
    ]) {
      assert.deepEqual(await keyFault(value), { fault: 'apiKeyMalformed' }, value);
      assert.deepEqual(await credentialFault(value), { fault: 'authtokenMalformed' }, value);
    }
    assert.deepEqual(await keyFault(tampered(first.api_key)), { fault: 'apiKeyInvalid' });
    assert.deepEqual(await credentialFault(tampered(first.authtoken)), { fault: 'authtokenInvalid' });
  });

  test('an authtoken is named as such only to who really has it', async () => {
    assert.deepEqual(await keyFault(first.authtoken), { fault: 'authtokenUsedAsApiKey' });
    assert.deepEqual(await keyFault(tampered(first.authtoken)), { fault: 'apiKeyInvalid' });
    assert.deepEqual(await credentialFault(first.api_key), { fault: 'authtokenInvalid' });
  });

  test('the id of an API key is named as such', async () => {
    assert.deepEqual(await keyFault(`ak_${first.api_key.split('_')[0]}`), { fault: 'apiKeyIdUsedAsToken' });
  });

  test('an owner who is no longer active cannot use their tokens', async () => {
    const { account } = platform.admin;
    const gone: UserDocument = { name: '', email: '', role: 'member', active: false };
    const owner_id = await platform.addUser(account, gone);
    const secret = mintSecret();
    const tokens = new Map<string, string>();
    await platform.store.write((newId) =>
      [['ak', 'api_key'] as const, ['cr', 'credential'] as const].map(([prefix, kind]) => {
        const id = newId(prefix);
        const token = tokenOf(id, secret);
        tokens.set(kind, token);
        const body = { description: '', metadata: '', owner_id, acl: [], token_hash: hashToken(token) };
        return { op: 'insert', id, account, kind, parent: null, body, links: [], names: [] };
      }),
    );
    assert.deepEqual(await keyFault(tokens.get('api_key') ?? ''), { fault: 'apiKeyOwnerInactive' });
    assert.deepEqual(await credentialFault(tokens.get('credential') ?? ''), {
      fault: 'authtokenOwnerInactive',
    });
  });

  test('a token whose owner is nobody, of another account or no user at all is of no use', async () => {
    const { account } = platform.admin;
    for (const owner_id of [null, '', platform.stranger.owner, account, `usr_${'0'.repeat(27)}`]) {
      const secret = mintSecret();
      const tokens: string[] = [];
      await platform.store.write((newId) =>
        [['ak', 'api_key'] as const, ['cr', 'credential'] as const].map(([prefix, kind]) => {
          const id = newId(prefix);
          const token = tokenOf(id, secret);
          tokens.push(token);
          const body = { description: '', metadata: '', owner_id, acl: [], token_hash: hashToken(token) };
          return { op: 'insert', id, account, kind, parent: null, body, links: [], names: [] };
        }),
      );
      const [key = '', authtoken = ''] = tokens;
      assert.deepEqual(await keyFault(key), { fault: 'apiKeyOwnerInactive' }, String(owner_id));
      assert.deepEqual(
        await credentialFault(authtoken),
        { fault: 'authtokenOwnerInactive' },
        String(owner_id),
      );
    }
  });

  test('a secret has 22 base62 characters whatever the random source gives', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 255 })), (bytes) => {
        const random = (count: number) => Uint8Array.from({ length: count }, () => bytes.next().value ?? 0);
        assert.match(mintSecret(random), /^[0-9A-Za-z]{22}$/);
      }),
    );
    const draws = [255, 248, 247, 0];
    const biased = (count: number) =>
      Uint8Array.from({ length: count }, (_, at) => draws[at % draws.length] ?? 0);
    assert.equal(mintSecret(biased), 'z0'.repeat(11));
  });

  test('a stored rule that does not parse never turns into "everything"', () => {
    assert.throws(() => storedRules(['nonsense']));
  });
});
