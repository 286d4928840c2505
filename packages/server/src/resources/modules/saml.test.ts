import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { signingKeyContext } from '../../core/saml-settings.ts';
import type { SamlModule } from '../../documents/index.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { CrookedProvider } from '../../login/crooked-provider.fixture.ts';
import { idpMetadata, keyDescriptor, signOn } from '../../pki/idp-metadata.fixture.ts';
import { put, refusedBy, resource, sealer, shown, stored } from './module.fixture.ts';
import { samlModule } from './saml.ts';

const metadata = idpMetadata();

test('what is not given has its default, and the service says how it is called', async () => {
  const { request_signing_certificate_pem, ...answer } = await put(samlModule, { idp_metadata: metadata });
  const entity = `https://idp.tunnels.example.com/saml/${resource}`;
  assert.deepEqual(answer, {
    enabled: true,
    options_passthrough: false,
    cookie_prefix: '',
    inactivity_timeout: 0,
    maximum_duration: 0,
    idp_metadata: metadata,
    idp_metadata_url: '',
    force_authn: false,
    allow_idp_initiated: true,
    authorized_groups: [],
    group_attributes: [],
    entity_id: entity,
    assertion_consumer_service_url: `${entity}/acs`,
    single_logout_url: `${entity}/slo`,
    metadata_url: entity,
    nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  });
  const certificate = new X509Certificate(String(request_signing_certificate_pem));
  assert.equal(certificate.subject, 'CN=idp.tunnels.example.com');
});

test('what is given is shown as it was sent', async () => {
  const body = {
    enabled: false,
    options_passthrough: true,
    cookie_prefix: 'my.App1.',
    inactivity_timeout: 4_294_967_295,
    maximum_duration: 4_294_967_295,
    idp_metadata: `\n${metadata}\n`,
    force_authn: true,
    allow_idp_initiated: false,
    authorized_groups: ['staff', 'Ärzte'],
    nameid_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  };
  const answer = await put(samlModule, { ...body, idp_metadata_url: '' });
  for (const [field, value] of Object.entries(body)) assert.deepEqual(answer[field], value, field);
  const groups = await put(samlModule, { ...body, authorized_groups: ['a', 'b', 'a'] });
  assert.deepEqual(groups.authorized_groups, ['a', 'b']);
});

test('a service on another port says so in its addresses', async () => {
  const config = await stored(samlModule, { idp_metadata: metadata });
  const answer = shown(samlModule, config, 8443);
  assert.equal(answer.entity_id, `https://idp.tunnels.example.com:8443/saml/${resource}`);
});

test('the signing key fits its certificate, is never shown, and opens only for it', async () => {
  const config = (await stored(samlModule, { idp_metadata: metadata })) as SamlModule;
  const { request_signing_certificate_pem: pem, request_signing_key_sealed: sealed } = config;
  const key = createPrivateKey(sealer.open(sealed, signingKeyContext(pem)));
  assert.ok(new X509Certificate(pem).checkPrivateKey(key));
  assert.ok(!JSON.stringify(config).includes('PRIVATE KEY'));
  assert.ok(!JSON.stringify(shown(samlModule, config)).includes(sealed));
  assert.throws(() => sealer.open(sealed, signingKeyContext(`${pem} `)));
});

test('a module that replaces another keeps its key pair, so the provider goes on trusting it', async () => {
  const first = (await stored(samlModule, { idp_metadata: metadata })) as SamlModule;
  const second = (await stored(samlModule, { idp_metadata: metadata, enabled: false }, first)) as SamlModule;
  assert.equal(second.enabled, false);
  assert.equal(second.request_signing_certificate_pem, first.request_signing_certificate_pem);
  assert.equal(second.request_signing_key_sealed, first.request_signing_key_sealed);
  const other = (await stored(samlModule, { idp_metadata: metadata })) as SamlModule;
  assert.notEqual(other.request_signing_certificate_pem, first.request_signing_certificate_pem);
});

test('metadata must be given once, as a document or as a URL', async () => {
  const url = 'https://idp.example.com/metadata';
  const cases: [object, ErrorName, string][] = [
    [{}, 'samlMetadataMissing', '/idp_metadata'],
    [{ idp_metadata: '' }, 'samlMetadataMissing', '/idp_metadata'],
    [{ idp_metadata: null, idp_metadata_url: null }, 'samlMetadataMissing', '/idp_metadata'],
    [{ idp_metadata_url: `${url}#` }, 'samlMetadataUrlInvalid', '/idp_metadata_url'],
    [{ idp_metadata_url: 'http://idp.example.com' }, 'samlMetadataUrlInvalid', '/idp_metadata_url'],
    [{ idp_metadata_url: 'https://a:b@idp.example.com' }, 'samlMetadataUrlInvalid', '/idp_metadata_url'],
    [{ idp_metadata_url: 'https://' }, 'samlMetadataUrlInvalid', '/idp_metadata_url'],
    [{ idp_metadata_url: `${url}${'a'.repeat(2048)}` }, 'samlMetadataUrlTooLong', '/idp_metadata_url'],
    [{ idp_metadata: metadata, idp_metadata_url: url }, 'samlMetadataTwice', '/idp_metadata_url'],
  ];
  for (const [body, error, field] of cases) await refusedBy(samlModule, body, error, { field });
});

test('metadata of which the time has passed is refused, and says so', async (t) => {
  const provider = await CrookedProvider.start(t);
  const validUntil = (time: string) => idpMetadata({ entity: `entityID="a" validUntil="${time}"` });
  await put(samlModule, { idp_metadata: validUntil('9999-12-31T23:59:59Z') });
  const over = validUntil('2020-01-31T12:00:00Z');
  await refusedBy(samlModule, { idp_metadata: over }, 'samlMetadataExpired', {
    field: '/idp_metadata',
  });
  provider.replies.set('/metadata', { body: over });
  const idp_metadata_url = `${provider.issuer}/metadata`;
  await refusedBy(samlModule, { idp_metadata_url }, 'samlMetadataExpired', { field: '/idp_metadata_url' });
});

test('metadata of a URL is what is there, and what was there while nothing can be had', async (t) => {
  const provider = await CrookedProvider.start(t);
  const body = { idp_metadata_url: `${provider.issuer}/metadata` };
  provider.replies.set('/metadata', { body: metadata });
  const config = (await stored(samlModule, body)) as SamlModule;
  assert.equal(config.idp_metadata, metadata);
  const answer = shown(samlModule, config);
  assert.deepEqual([answer.idp_metadata, answer.idp_metadata_url], ['', body.idp_metadata_url]);
  provider.replies.set('/metadata', { body: '<html>' });
  const [error, field] = ['samlMetadataMalformed', '/idp_metadata_url'] as const;
  await refusedBy(samlModule, body, error, { field });
  const kept = (await stored(samlModule, { ...body, force_authn: true }, config)) as SamlModule;
  assert.deepEqual([kept.idp_metadata, kept.force_authn], [metadata, true]);
  const elsewhere = { idp_metadata_url: `${provider.issuer}/elsewhere` };
  await refusedBy(samlModule, elsewhere, error, { field }, config);
  const pasted = (await stored(samlModule, { idp_metadata: metadata }, config)) as SamlModule;
  assert.equal(shown(samlModule, pasted).idp_metadata_url, '');
});

test('metadata that a login could not use is refused, each fault with its own error', async () => {
  const field = '/idp_metadata';
  const cases: [string, ErrorName][] = [
    ['<a>', 'samlMetadataMalformed'],
    ['not xml', 'samlMetadataMalformed'],
    [`<!DOCTYPE a>${metadata}`, 'samlMetadataDoctype'],
    ['<a/>'.repeat(20_000), 'samlMetadataTooComplex'],
    ['<a/>', 'samlMetadataNotEntity'],
    [metadata.replaceAll('IDPSSO', 'SPSSO'), 'samlMetadataNotProvider'],
    [idpMetadata({ services: signOn('javascript:alert(1)') }), 'samlMetadataWithoutSignOn'],
    [idpMetadata({ keys: keyDescriptor('AAAA') }), 'samlMetadataWithoutCertificate'],
  ];
  for (const [xml, error] of cases) await refusedBy(samlModule, { idp_metadata: xml }, error, { field });
  const limit = 128 * 1024;
  const padded = (bytes: number) => `${metadata}${' '.repeat(bytes - Buffer.byteLength(metadata))}`;
  await put(samlModule, { idp_metadata: padded(limit) });
  const tooLong = { idp_metadata: padded(limit + 1) };
  await refusedBy(samlModule, tooLong, 'samlMetadataTooLong', { field, limit });
  await refusedBy(samlModule, { idp_metadata: 'x'.repeat(1024 * 1024) }, 'samlMetadataTooLong', {
    field,
    limit,
  });
});

test('the other fields have bounds, each with its own error', async () => {
  const uint32 = 4_294_967_295;
  const cases: [object, ErrorName, string][] = [
    [{ cookie_prefix: 'a-b' }, 'cookiePrefixInvalid', '/cookie_prefix'],
    [{ cookie_prefix: 'a;Domain=x' }, 'cookiePrefixInvalid', '/cookie_prefix'],
    [{ cookie_prefix: 'a\n' }, 'cookiePrefixInvalid', '/cookie_prefix'],
    [{ cookie_prefix: 'é' }, 'cookiePrefixInvalid', '/cookie_prefix'],
    [{ cookie_prefix: 'a'.repeat(65) }, 'cookiePrefixTooLong', '/cookie_prefix'],
    [{ inactivity_timeout: uint32 + 1 }, 'inactivityTimeoutInvalid', '/inactivity_timeout'],
    [{ inactivity_timeout: -1 }, 'inactivityTimeoutInvalid', '/inactivity_timeout'],
    [{ inactivity_timeout: 1.5 }, 'valueInvalid', '/inactivity_timeout'],
    [{ maximum_duration: uint32 + 1 }, 'maximumDurationInvalid', '/maximum_duration'],
    [{ maximum_duration: -1 }, 'maximumDurationInvalid', '/maximum_duration'],
    [{ nameid_format: 'email' }, 'nameIdFormatInvalid', '/nameid_format'],
    [{ authorized_groups: ['a', ''] }, 'authorizedGroupLength', '/authorized_groups/1'],
    [{ authorized_groups: ['é'.repeat(128)] }, 'authorizedGroupLength', '/authorized_groups/0'],
    [{ authorized_groups: Array(101).fill('a') }, 'authorizedGroupCount', '/authorized_groups'],
    [{ authorized_groups: 'staff' }, 'valueInvalid', '/authorized_groups'],
    [{ group_attributes: ['a', ''] }, 'groupAttributeLength', '/group_attributes/1'],
    [{ group_attributes: ['é'.repeat(128)] }, 'groupAttributeLength', '/group_attributes/0'],
    [{ group_attributes: Array(21).fill('a') }, 'groupAttributeCount', '/group_attributes'],
    [{ group_attributes: 'staff' }, 'valueInvalid', '/group_attributes'],
    [{ entity_id: 'x' }, 'fieldUnknown', '/entity_id'],
  ];
  for (const [fields, error, field] of cases) {
    await refusedBy(samlModule, { idp_metadata: metadata, ...fields }, error, { field });
  }
});
