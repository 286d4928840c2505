import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredDocument } from '../documents/index.ts';
import { AcmeAccounts } from '../pki/acme-account.ts';
import { LocalAuthority } from '../pki/local-authority.ts';
import { loadMacKey } from '../pki/mac-key.ts';
import { startPlatform } from '../resources/engine.fixture.ts';
import { resourceKinds } from '../resources/kinds/index.ts';
import { fullSamples } from '../resources/samples/full.fixture.ts';
import type { JsonObject } from '../store/store.ts';
import { changeSealed, SEALED_KINDS } from './sealed-fields.ts';
import { addOrder, addServiceCertificate } from './service-certificate.fixture.ts';

/** Every text in the document that has the form of a sealed value. */
function sealedIn(document: StoredDocument): string[] {
  return JSON.stringify(document.body).match(/(?<=")v\d+\.[^"]{38,}(?=")/g) ?? [];
}

test('every sealed value of every kind is found, opens for its place, and is the only thing that changes', async (context) => {
  const on = await startPlatform();
  context.after(() => on.close());
  const { sealer, store } = on;
  await LocalAuthority.load({ store, sealer, now: Date.now, name: 'Test' });
  await loadMacKey({ store, sealer, purpose: 'bind-token' });
  await new AcmeAccounts({ store, sealer, directory: 'https://acme.example.net/' }).load();
  await addServiceCertificate(on);
  await addOrder(on);
  for (const sample of fullSamples) {
    for (const { create } of await sample.bodies({ ...on, owner: on.admin.owner })) {
      const parent = await sample.parent?.(on);
      await on.create(sample.kind, create, on.admin, parent).catch(assertRefusal);
    }
  }
  const own = ['local_ca', 'mac_key', 'acme_account', 'acme_order', 'service_certificate'];
  const kinds = [...resourceKinds.map(({ name }) => name), ...own] as typeof SEALED_KINDS;
  const { documents } = await store.snapshot(kinds);
  const withSealed = documents.filter((document) => sealedIn(document).length > 0);
  assert.deepEqual([...new Set(withSealed.map(({ kind }) => kind))].sort(), [...SEALED_KINDS].sort());
  for (const document of withSealed) {
    const found: string[] = [];
    const body: JsonObject = changeSealed(document, (sealed, context) => {
      found.push(sealed);
      assert.ok(sealer.open(sealed, context).length > 0);
      return `changed-${sealed}`;
    });
    assert.deepEqual(found, sealedIn(document));
    const expected = found.reduce(
      (text, sealed) => text.replace(sealed, `changed-${sealed}`),
      JSON.stringify(document.body),
    );
    assert.equal(JSON.stringify(body), expected);
  }
});

/** Some bodies exclude each other. */
function assertRefusal(error: unknown): void {
  assert.ok(error instanceof Error && error.name === 'Problem', String(error));
}
