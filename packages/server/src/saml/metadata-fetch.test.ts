import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Cidr, parseCidr } from '../core/ip/cidr.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import { CrookedProvider, type Reply } from '../login/crooked-provider.fixture.ts';
import { idpMetadata } from '../pki/idp-metadata.fixture.ts';
import { maxIdpMetadata } from '../pki/idp-metadata.ts';
import { fetchIdpMetadata } from './metadata-fetch.ts';

const loopback = [parseCidr('127.0.0.0/8') as Cidr, parseCidr('::1/128') as Cidr];

async function start(t: TestContext, replies: Readonly<Record<string, Reply>>) {
  const provider = await CrookedProvider.start(t);
  for (const [path, reply] of Object.entries(replies)) provider.replies.set(path, reply);
  const ask = (path = '/', allowed: readonly Cidr[] = loopback) =>
    fetchIdpMetadata(new URL(path, provider.issuer).href, {
      account: 'ac_1',
      allowPrivate: allowed,
      now: () => now,
    });
  const refused = async (code: ErrorName, message: RegExp, path = '/', allowed = loopback) => {
    await assert.rejects(ask(path, allowed), (error) => {
      assert.ok(error instanceof Problem, String(error));
      assert.deepEqual([error.code, message.test(error.message)], [code, true], error.message);
      return true;
    });
  };
  return { provider, ask, refused };
}

/** A time in 2030. */
const now = Date.UTC(2030, 0);
const to = (location: string): Reply => ({ status: 302, headers: { location }, body: '' });

test('metadata is what is at the URL, or where that leads', async (t) => {
  const { ask } = await start(t, {
    '/': { body: `\ufeff${idpMetadata()}` },
    '/old': to('/older'),
    '/older': to('/oldest'),
    '/oldest': to('/'),
  });
  const found = { xml: idpMetadata(), validUntil: null };
  assert.deepEqual(await ask(), found);
  assert.deepEqual(await ask('/old'), found);
});

test('what no login could go by is refused, each with its own reason', async (t) => {
  const { refused, provider } = await start(t, {
    '/round': to('/round'),
    '/plain': to('http://localhost/'),
    '/nowhere': { status: 302, body: '' },
    '/gone': { status: 404, body: idpMetadata() },
    '/large': { body: idpMetadata() + ' '.repeat(maxIdpMetadata) },
    '/page': { body: '<!DOCTYPE html><p>Log in' },
    '/text': { body: 'hello' },
    '/other': { body: '<a/>' },
    '/over': { body: idpMetadata({ entity: 'entityID="a" validUntil="2030-01-01T00:00:00Z"' }) },
  });
  await refused('samlMetadataUrlUnreachable', /more than 3 redirects/, '/round');
  assert.equal(provider.asked.length, 4);
  await refused('samlMetadataUrlUnreachable', /"http:\/\/localhost\/" does not begin with https/, '/plain');
  await refused('samlMetadataUrlUnreachable', /answered 302/, '/nowhere');
  await refused('samlMetadataUrlUnreachable', /answered 404/, '/gone');
  await refused('samlMetadataUrlTooLarge', /more than 131072 bytes/, '/large');
  await refused('samlMetadataDoctype', /document type/, '/page');
  await refused('samlMetadataMalformed', /not well-formed/, '/text');
  await refused('samlMetadataNotEntity', /EntityDescriptor/, '/other');
  await refused('samlMetadataExpired', /until 2030-01-01T00:00:00Z/, '/over');
  await refused('samlMetadataUrlUnreachable', /REFUSED/, 'https://localhost:1/');
});

test('A6: no address inside is dialled, nor by a redirect', async (t) => {
  const { refused, provider } = await start(t, { '/in': to('https://169.254.169.254/') });
  await refused('samlMetadataUrlUnreachable', /special/, '/', []);
  assert.equal(provider.asked.length, 0);
  await refused('samlMetadataUrlUnreachable', /special/, '/in');
});
