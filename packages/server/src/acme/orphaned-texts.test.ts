import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hostname } from '../core/names/hostname.ts';
import { challengeTarget, serviceChallengeTarget } from '../dns/targets.ts';
import { TextRecords } from '../dns/text-records.ts';
import { documentsIn } from '../documents/store.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import { clearOrphanedTexts } from './orphaned-texts.ts';
import { RememberedTexts } from './remembered-texts.ts';

const settings = { domain: 'service.example' as Hostname };
const policy = { authority: 'public_ca' };

onBothStores((open) => {
  test('at a start the texts of domains go that were deleted, or are asked for no more, and no others', async (t) => {
    const opened = await open();
    t.after(() => opened.dispose());
    const store = documentsIn(opened.store);
    const calls: string[] = [];
    const never = new AbortController().signal;
    const command = {
      add: async (name: Hostname) => void calls.push(`add ${name}`),
      clear: async (name: Hostname) => void calls.push(`remove ${name}`),
    };
    const texts = new RememberedTexts(command, new TextRecords(store));
    const reserve = async (domain: string, certificate_management_policy: object | null) => {
      let id = '';
      const row = { account: 'ac_1', kind: 'reserved_domain', parent: null, links: [], names: [] };
      await opened.store.write((newId) => {
        id = newId('rd');
        const body = {
          domain,
          certificate_management_policy: certificate_management_policy as typeof policy,
        };
        return [{ op: 'insert', id, ...row, body }];
      });
      return challengeTarget(id, domain as Hostname, settings)!;
    };
    const managed = await reserve('*.a.example.com', policy);
    const former = await reserve('*.b.example.com', null);
    const deleted = challengeTarget('rd_gone', '*.c.example.com' as Hostname, settings)!;
    const own = serviceChallengeTarget(settings);
    for (const name of [managed, former, deleted, own]) await texts.add(name, 'proof', never);
    calls.length = 0;
    const found = async () => {
      const { documents } = await store.snapshot(['dns_text']);
      return documents.map(({ body }) => body.name).sort();
    };
    assert.equal((await found()).length, 4);
    await clearOrphanedTexts({ store, texts, settings, signal: never });
    assert.deepEqual(calls.sort(), [`remove ${former}`, `remove ${deleted}`].sort());
    assert.deepEqual(await found(), [managed, own].sort());
    await clearOrphanedTexts({ store, texts, settings, signal: never });
    assert.equal(calls.length, 2);
  });

  test('a text is remembered before it is published, and until it is taken away', async (t) => {
    const opened = await open();
    t.after(() => opened.dispose());
    const store = documentsIn(opened.store);
    const name = 'abc.acme.service.example' as Hostname;
    const remembered = async () =>
      (await store.snapshot(['dns_text'])).documents.map(({ body }) => body.values);
    const fails = async () => {
      assert.deepEqual(await remembered(), [['proof']]);
      throw new Error('the command failed');
    };
    const texts = new RememberedTexts({ add: fails, clear: fails }, new TextRecords(store));
    await assert.rejects(texts.add(name, 'proof', new AbortController().signal), /command failed/);
    await assert.rejects(texts.clear(name), /command failed/);
    assert.deepEqual(await remembered(), [['proof']]);
  });
});
