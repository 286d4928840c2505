/** Tests that a copy of the database alone reveals no secret, for every kind that has one. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { LooseJson as Schema } from '../../../../test/harness/loose-json.ts';
import type { StoredDocument } from '../documents/index.ts';
import { AcmeAccounts } from '../pki/acme-account.ts';
import { LocalAuthority } from '../pki/local-authority.ts';
import { loadMacKey } from '../pki/mac-key.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import type { StoredKind } from '../resources/definition.ts';
import { type Platform, startPlatform } from '../resources/engine.fixture.ts';
import { resourceKinds } from '../resources/kinds/index.ts';
import { fullSamples } from '../resources/samples/full.fixture.ts';
import type { OpenStore } from '../store/conformance/index.fixture.ts';
import type { JsonValue } from '../store/store.ts';
import { changeSealed, SEALED_KINDS, type SealedKind } from './sealed-fields.ts';
import { addOrder, addServiceCertificate } from './service-certificate.fixture.ts';

/** The fields of one kind that no response shows, as the API's definitions mark them. */
function secretFields(schema: Schema, at = ''): string[] {
  const own = schema?.writeOnly === true ? [at] : [];
  const fields = Object.entries(schema?.properties ?? {}).flatMap(([name, part]) =>
    secretFields(part, `${at}/${name}`),
  );
  return [...own, ...fields, ...(schema?.anyOf ?? []).flatMap((part: Schema) => secretFields(part, at))];
}

/** The body with a text of its own in each of the fields, but for keys, which cannot be made up. */
function withSecrets(
  value: JsonValue,
  fields: readonly string[],
  given: Map<string, string>,
  at = '',
): JsonValue {
  if (typeof value === 'string' && fields.includes(at)) {
    const secret = value.includes('-----BEGIN')
      ? (value.split('\n')[1] ?? '')
      : randomBytes(20).toString('hex');
    given.set(at, secret);
    return value.includes('-----BEGIN') ? value : `${value}${secret}`;
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    withSecrets(part, fields, given, `${at}/${name}`),
  ]);
  return Object.fromEntries(entries);
}

/** Makes one of everything, and answers each secret by where it was given. */
async function makeEverything(on: Platform): Promise<Map<string, string>> {
  const secrets = new Map<string, string>();
  for (const sample of fullSamples) {
    const { create } = resourceKinds.find(({ name }) => name === sample.kind) as StoredKind;
    const fields = secretFields(create);
    for (const body of await sample.bodies({ ...on, owner: on.admin.owner })) {
      const given = new Map<string, string>();
      const parent = await sample.parent?.(on);
      const made = await on
        .create(sample.kind, withSecrets(body.create, fields, given), on.admin, parent)
        .catch(assertRefusal);
      if (made === undefined) continue;
      for (const [field, secret] of given) secrets.set(`${sample.kind}${field}`, secret);
      if (typeof made.token === 'string') secrets.set(`${sample.kind} token`, made.token.split('_')[1] ?? '');
    }
    for (const field of fields)
      assert.ok(secrets.has(`${sample.kind}${field}`), `${sample.kind}${field} was not given`);
  }
  return secrets;
}

/** Some bodies exclude each other. */
function assertRefusal(error: unknown): undefined {
  assert.ok(error instanceof Error && error.name === 'Problem', String(error));
  return undefined;
}

/**
 * Returns the sealed texts of the store, opened. Keys in PEM are represented by one line, because others can occur
 * anywhere.
 */
async function opened({ store, sealer }: Platform): Promise<Map<string, string>> {
  const { documents } = await store.snapshot(SEALED_KINDS);
  const plain = new Map<string, string>();
  for (const document of documents as readonly StoredDocument<SealedKind>[])
    changeSealed(document, (sealed, context) => {
      const text = sealer.open(sealed, context);
      const piece = text.startsWith('-----') ? (text.split('\n')[1] ?? '') : text;
      // Other values of samples are so short that they can occur anywhere.
      if (piece.length > 10) plain.set(`${document.kind} ${plain.size}`, piece);
      return sealed;
    });
  return plain;
}

onBothStores((open) => {
  test('no secret that was given, and none that was made, stands in a copy of the database', async (t) => {
    let contents: (() => Promise<Buffer>) | undefined;
    const openNoting: OpenStore = async (...options) => {
      const store = await open(...options);
      contents = () => store.contents();
      return store;
    };
    const on = await startPlatform(openNoting);
    t.after(() => on.close());
    const { sealer, store } = on;
    await LocalAuthority.load({ store, sealer, now: Date.now, name: 'Test' });
    for (const purpose of ['bind-token', 'ssh-host-key', 'ssh-host-key-ecdsa'] as const)
      await loadMacKey({ store, sealer, purpose });
    await addServiceCertificate(on);
    await addOrder(on);
    await new AcmeAccounts({ store, sealer, directory: 'https://acme.example.net/' }).load();
    const marker = randomBytes(20).toString('hex');
    await on.create('ip_policy', { description: marker });
    const secrets = new Map([...(await makeEverything(on)), ...(await opened(on))]);
    const copy = await contents?.();
    assert.ok(copy);
    assert.ok(copy.includes(marker), 'what is no secret is found');
    const kinds = new Set([...secrets.keys()].map((name) => name.split(/[ /]/)[0]));
    for (const kind of [...SEALED_KINDS, 'credential', 'api_key']) assert.ok(kinds.has(kind), kind);
    for (const [name, secret] of secrets) {
      assert.ok(!copy.includes(secret), `${name} stands in the database`);
    }
  });
});
