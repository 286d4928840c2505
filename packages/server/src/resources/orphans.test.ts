/** A3: no caller can see, use or change resources of no account, of the system, or of a missing owner. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  authenticateApiKey,
  authenticateCredential,
  hashToken,
  mintSecret,
  tokenOf,
} from '../access/tokens.ts';
import type { JsonObject } from '../store/store.ts';
import type { StoredKind } from './definition.ts';
import { kindNamed, type Platform, refused, startPlatform } from './engine.fixture.ts';
import { samples } from './samples/index.fixture.ts';
import { referenceSamples } from './samples/references.fixture.ts';

/** Accounts that a document could wrongly be of: none has a key. */
const NOBODY = ['', 'null', 'system'];

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

/** Writes a document past every rule. */
async function insertRaw(kind: string, account: string, body: JsonObject): Promise<string> {
  let id = '';
  await platform.store.write((newId) => {
    id = newId(kindNamed(kind).prefix);
    // The store itself rejects it below a parent of an account.
    return [{ op: 'insert', id, account, kind, parent: null, body, links: [], names: [] }];
  });
  return id;
}

/** A document like one that the kind's sample makes, of another account. */
async function orphan(
  kind: string,
  account: string,
): Promise<{ readonly id: string; readonly parent?: string }> {
  const sample = samples.find((one) => one.kind === kind);
  assert.ok(sample, kind);
  const parent = await sample.parent?.(platform);
  const { id } = await platform.create(kind, await sample.body(platform), platform.admin, parent);
  const document = await platform.store.get(id);
  assert.ok(document, kind);
  const inserted = await insertRaw(kind, account, document.body);
  return { id: inserted, ...(parent === undefined ? {} : { parent }) };
}

describe('a document of no account', () => {
  for (const { kind } of samples) {
    test(`${kind}: is not there`, async () => {
      for (const account of NOBODY) {
        const { id, parent } = await orphan(kind, account);
        for (const who of [platform.admin, platform.stranger]) {
          await refused(platform.get(kind, id, who, parent), 'resourceNotFound');
          await refused(platform.update(kind, id, {}, who, parent), 'resourceNotFound');
          await refused(platform.remove(kind, id, who, parent), 'resourceNotFound');
          if (!kindNamed(kind).operations.includes('list')) continue;
          const { items } = await platform.list(kind, {}, who);
          assert.ok(items.every((item) => item.id !== id));
        }
        assert.ok(await platform.store.get(id), 'and stays as it is');
      }
    });
  }

  for (const { kind, field, target, patch, body } of referenceSamples) {
    test(`${kind}: ${field} cannot name one`, async () => {
      const { unknown } = (kindNamed(kind) as StoredKind).references.find((one) => one.field === field) ?? {};
      assert.ok(unknown, field);
      const sample = samples.find((one) => one.kind === kind);
      const { id } = await orphan(target, '');
      const parent = await sample?.parent?.(platform);
      const own = patch === true ? await platform.create(kind, await sample?.body(platform)) : null;
      const refer =
        own === null
          ? platform.create(kind, body(id), platform.admin, parent)
          : platform.update(kind, own.id, body(id));
      await refused(refer, unknown);
    });
  }
});

describe('what has no owner, or one of another account', () => {
  test('opens nothing, and members do not see it', async () => {
    const { admin, member, stranger, store } = platform;
    const foreignBot = await insertRaw('bot_user', stranger.account, { name: 'bot', active: true });
    const lost = await insertRaw('user', '', { name: 'lost', email: '', role: 'admin', active: true });
    for (const owner_id of [null, '', stranger.owner, foreignBot, lost, 'usr_0', admin.account]) {
      const secret = mintSecret();
      const texts = { description: '', metadata: '' };
      for (const [kind, authenticate, fault] of [
        ['api_key', authenticateApiKey, 'apiKeyOwnerInactive'],
        ['credential', authenticateCredential, 'authtokenOwnerInactive'],
      ] as const) {
        let token = '';
        let id = '';
        await store.write((newId) => {
          id = newId(kindNamed(kind).prefix);
          token = tokenOf(id, secret);
          const body = { ...texts, owner_id, token_hash: hashToken(token), acl: [] };
          return [
            { op: 'insert', id, account: admin.account, kind, parent: null, body, links: [], names: [] },
          ];
        });
        assert.deepEqual(await authenticate(store, token), { fault }, `${kind} of ${owner_id}`);
        if (kind !== 'api_key') continue;
        await refused(platform.get(kind, id, member), 'resourceNotFound');
        await refused(platform.remove(kind, id, member), 'resourceNotFound');
        const { items } = await platform.list(kind, {}, member);
        assert.ok(items.every((item) => item.id !== id));
      }
    }
  });
});
