import assert from 'node:assert/strict';
import { randomBytes, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/harness/any-character.ts';
import { catalogue } from '../errors/catalogue.ts';
import { makeChain } from './certificates.fixture.ts';
import {
  base64Of,
  certificate,
  idpMetadata,
  keyDescriptor,
  logout,
  type MetadataParts,
  post,
  redirect,
  signOn,
} from './idp-metadata.fixture.ts';
import { type IdpMetadata, readIdpMetadata } from './idp-metadata.ts';

function read(parts: MetadataParts = {}): IdpMetadata {
  const metadata = readIdpMetadata(idpMetadata(parts));
  assert.ok(!('fault' in metadata), JSON.stringify(metadata));
  return metadata;
}

function fault(parts: MetadataParts): string {
  return faultOf(idpMetadata(parts));
}

function faultOf(xml: string): string {
  const metadata = readIdpMetadata(xml);
  assert.ok('fault' in metadata, 'it was accepted');
  return metadata.fault;
}

test('what an identity provider says of itself is found', () => {
  const { entityId, signOn: services, certificates } = read();
  assert.equal(entityId, 'https://idp.example.com/metadata');
  const location = 'https://idp.example.com/sso';
  assert.deepEqual(services, [{ binding: 'redirect', location, answers: location }]);
  assert.deepEqual(
    certificates.map((one) => one.fingerprint256),
    [new X509Certificate(certificate).fingerprint256],
  );
});

test('until when it is valid is found, the soonest of what is said', () => {
  const until = (entity: string, provider = ''): number | null => {
    const supported = 'protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"';
    return read({ entity: `entityID="a" ${entity}`, provider: `${supported} ${provider}` }).validUntil;
  };
  const noon = Date.UTC(2030, 0, 31, 12);
  assert.equal(until(''), null);
  for (const text of ['2030-01-31T12:00:00Z', ' 2030-01-31T13:00:00.000+01:00 ', '2030-01-31T12:00:00'])
    assert.equal(until(`validUntil="${text}"`), noon, text);
  assert.equal(until('validUntil="2031-01-31T12:00:00Z"', 'validUntil="2030-01-31T12:00:00Z"'), noon);
  for (const text of ['', 'never', '2030-01-31', '2030-13-31T12:00:00Z', '1893456000'])
    assert.equal(fault({ entity: `entityID="a" validUntil="${text}"` }), 'samlMetadataTimeInvalid', text);
});

test('white space, a byte order mark, other prefixes and no declaration do not matter', () => {
  read({ before: '\uFEFF<?xml version="1.0"?>' });
  read({ before: ' \n<!-- by hand -->\n' });
  const bare = idpMetadata().replaceAll('md:', '').replace('xmlns:md', 'xmlns');
  assert.ok(!('fault' in readIdpMetadata(bare)));
  read({ keys: keyDescriptor(`\n\t${base64Of(certificate).replaceAll('\n', '\r\n   ')}\n`) });
});

test('of several services and keys those that can be used are taken', () => {
  const soap = 'urn:oasis:names:tc:SAML:2.0:bindings:SOAP';
  const services = [
    signOn('https://idp.example.com/soap', soap),
    signOn('https://idp.example.com/post', post),
    signOn('http://idp.example.com/redirect', redirect),
    signOn('javascript:alert(1)', redirect),
  ];
  assert.deepEqual(
    read({ services: services.join('') }).signOn.map(({ location }) => location),
    ['https://idp.example.com/post', 'http://idp.example.com/redirect'],
  );
  const ec = base64Of(makeChain('other.example.com').leaf);
  const keys = [
    keyDescriptor(undefined, ' use="encryption"'),
    keyDescriptor('bm90IGEgY2VydGlmaWNhdGU='),
    keyDescriptor(ec, ''),
    keyDescriptor(),
  ];
  assert.deepEqual(
    read({ keys: keys.join('') }).certificates.map((one) => one.publicKey.asymmetricKeyType),
    ['ec', 'rsa'],
  );
});

test('where users leave is found, and where answers to that go', () => {
  const services = [
    signOn(),
    logout(),
    logout('https://idp.example.com/out', post, 'https://idp.example.com/done'),
  ];
  const answers = read({ services: services.join('') }).logout.map((one) => [
    one.binding,
    one.location,
    one.answers,
  ]);
  assert.deepEqual(answers, [
    ['redirect', 'https://idp.example.com/slo', 'https://idp.example.com/slo'],
    ['post', 'https://idp.example.com/out', 'https://idp.example.com/done'],
  ]);
  assert.deepEqual(read({ services: `${signOn()}${logout('javascript:alert(1)')}` }).logout, []);
  const split = 'https://idp.example.com/slo&#13;&#10;&#13;&#10;&lt;script>';
  for (const service of [logout(split), logout('https://idp.example.com/slo', redirect, split)])
    assert.deepEqual(read({ services: `${signOn()}${service}` }).logout, []);
});

test('what is not well-formed is refused', () => {
  const whole = idpMetadata();
  const broken = [
    '',
    ' ',
    'https://idp.example.com/metadata',
    '{}',
    'x'.repeat(1024 * 1024),
    whole.slice(0, -1),
    `${whole}<more/>`,
    whole.replace('</md:IDPSSODescriptor>', ''),
    whole.replace('entityID="', 'entityID='),
    whole.replace('entityID=', 'entityID="twice" entityID='),
    whole.replace('xmlns:md=', 'xmlns:other='),
    whole.replace('persistent<', 'persistent&undefined;<'),
  ];
  for (const xml of broken) {
    assert.ok(['samlMetadataMalformed', 'samlMetadataNotEntity'].includes(faultOf(xml)), xml.slice(0, 200));
  }
});

test('document types and entities are refused, so nothing expands and nothing is fetched', () => {
  const bombs = [
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
    '<!DOCTYPE x SYSTEM "http://169.254.169.254/latest/meta-data">',
    '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>',
    '<!doctype html>',
  ];
  for (const before of bombs) assert.equal(fault({ before }), 'samlMetadataDoctype');
});

test('a document that would keep the parser busy is refused before it is parsed', () => {
  const size = 128 * 1024;
  const bombs = [
    '<a>'.repeat(size / 3),
    Array.from({ length: size / 22 }, (_, at) => `<a xmlns:b${at}="u">`).join(''),
    '<'.repeat(size),
    `<a>${'<b/>'.repeat(size / 4)}</a>`,
  ];
  for (const bomb of bombs) assert.equal(faultOf(bomb), 'samlMetadataTooComplex');
});

test('a root that is no descriptor of one entity is refused', () => {
  const others = [
    '<html/>',
    '<EntityDescriptor entityID="x"/>',
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:1.0:metadata" entityID="x"/>',
    '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>',
  ];
  for (const xml of others) assert.equal(faultOf(xml), 'samlMetadataNotEntity', xml);
  assert.equal(fault({ entity: '' }), 'samlMetadataNotEntity');
  assert.equal(fault({ entity: 'entityID=""' }), 'samlMetadataNotEntity');
});

test('metadata of a service provider, or of an older SAML, is refused', () => {
  const provider = idpMetadata().replaceAll('IDPSSODescriptor', 'SPSSODescriptor');
  assert.equal(faultOf(provider), 'samlMetadataNotProvider');
  assert.equal(
    fault({ provider: 'protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol"' }),
    'samlMetadataNotProvider',
  );
  assert.equal(fault({ provider: '' }), 'samlMetadataNotProvider');
});

test('a provider that users cannot be sent to is refused', () => {
  const services = [
    '',
    signOn('https://idp.example.com/sso', 'urn:oasis:names:tc:SAML:2.0:bindings:SOAP'),
    signOn('https://idp.example.com/sso', '__proto__'),
    signOn('/sso'),
    signOn(''),
    signOn('ftp://idp.example.com/sso'),
    signOn('javascript:alert(1)'),
    signOn('https://idp.example.com/sso&#13;&#10;Set-Cookie:a=b'),
    signOn('https://idp.example.com/s&#10;so'),
    signOn('https://idp.example.com/\u00fc'),
    signOn().replace('<md:SingleSignOnService', '<SingleSignOnService xmlns="urn:other"'),
  ];
  for (const one of services) assert.equal(fault({ services: one }), 'samlMetadataWithoutSignOn', one);
});

test('a provider without a certificate that can verify a signature is refused', () => {
  const keys = [
    '',
    keyDescriptor(''),
    keyDescriptor('!!!'),
    keyDescriptor('MIIB'),
    keyDescriptor(undefined, ' use="encryption"'),
    keyDescriptor(base64Of(makeChain('ed.example.com', { key: 'ed25519' }).leaf)),
    keyDescriptor(base64Of(makeChain('short.example.com', { key: 'small rsa' }).leaf)),
    keyDescriptor().replace('http://www.w3.org/2000/09/xmldsig#', 'urn:other'),
  ];
  for (const one of keys) assert.equal(fault({ keys: one }), 'samlMetadataWithoutCertificate', one);
});

test('certificates are read as providers and their users write them', () => {
  const plain = base64Of(certificate);
  const wide = plain.replaceAll('\n', '&#13;\n \u00a0\u200b');
  const written = [
    certificate,
    `\n${certificate}\n`,
    certificate.replaceAll('\n', '\r\n'),
    `Bag Attributes\n  friendlyName: idp\n${certificate}`,
    certificate.replaceAll('CERTIFICATE', 'X509 CERTIFICATE'),
    certificate.replace(/-----END.*/s, ''),
    certificate.replace(/-----BEGIN[^\n]*\n/, ''),
    plain.replaceAll('\n', ''),
    plain.replaceAll('\n', ' '),
    plain.replace(/=+$/, ''),
    wide,
    Buffer.from(certificate).toString('base64'),
  ];
  const fingerprints = (parts: MetadataParts): string[] =>
    read(parts).certificates.map((one) => one.fingerprint256);
  const expected = new X509Certificate(certificate).fingerprint256;
  for (const text of written)
    assert.deepEqual(fingerprints({ keys: keyDescriptor(text) }), [expected], text.slice(0, 80));
  const other = makeChain('other.example.com').leaf;
  const both = [expected, new X509Certificate(other).fingerprint256];
  assert.deepEqual(
    fingerprints({ keys: keyDescriptor(`${certificate}${other}`) }),
    both,
    'two in one element',
  );
  const data = (pem: string): string =>
    `<ds:X509Data><ds:X509SubjectName>CN=x</ds:X509SubjectName><ds:X509Certificate>${base64Of(pem)}</ds:X509Certificate></ds:X509Data>`;
  const several = keyDescriptor().replace(
    /<ds:X509Data>.*<\/ds:X509Data>/s,
    `<ds:KeyName>k</ds:KeyName>${data(certificate)}${data(other)}`,
  );
  assert.deepEqual(fingerprints({ keys: several }), both, 'several X509Data');
  assert.deepEqual(fingerprints({ keys: keyDescriptor(undefined, ' use=" signing "') }), [expected]);
  assert.deepEqual(fingerprints({ keys: keyDescriptor(undefined, '') }), [expected]);
});

test('a refused certificate is refused with its own reason', () => {
  const reasonOf = (keys: string): unknown => {
    const found = readIdpMetadata(idpMetadata({ keys }));
    assert.ok('fault' in found);
    return found.values.reason;
  };
  const short = makeChain('short.example.com', { key: 'small rsa' }).leaf;
  const cases: readonly [string, RegExp][] = [
    ['', /^no KeyDescriptor for signing has an X509Certificate$/],
    [keyDescriptor(undefined, ' use="encryption"'), /^no KeyDescriptor for signing/],
    [keyDescriptor(''), /^an X509Certificate is empty$/],
    [keyDescriptor('!!!'), /is not base64$/],
    [keyDescriptor('MIIB'), /is base64 of something else than a certificate$/],
    [keyDescriptor(base64Of(short)), /has an RSA key of \d+ bits, and 2048 are needed$/],
    [keyDescriptor(short), /has an RSA key of \d+ bits, and 2048 are needed$/],
    [
      keyDescriptor(base64Of(makeChain('ed.example.com', { key: 'ed25519' }).leaf)),
      /key of the type ed25519/,
    ],
  ];
  for (const [keys, reason] of cases) assert.match(String(reasonOf(keys)), reason);
});

test('one identity provider is found among several entities and roles', () => {
  const md = 'urn:oasis:names:tc:SAML:2.0:metadata';
  const around = (content: string, attributes = ''): string =>
    `<md:EntitiesDescriptor xmlns:md="${md}" Name="all" ${attributes}><md:Extensions/>${content}</md:EntitiesDescriptor>`;
  const one = idpMetadata({ before: '' });
  const service = one.replaceAll('IDPSSODescriptor', 'SPSSODescriptor').replace('/metadata"', '/sp"');
  const soon = 'validUntil="2030-01-31T12:00:00Z"';
  for (const xml of [around(one), around(`${service}${one}`), around(around(one))]) {
    const found = readIdpMetadata(xml);
    assert.ok(!('fault' in found), JSON.stringify(found));
    assert.equal(found.entityId, 'https://idp.example.com/metadata');
    assert.equal(found.validUntil, null);
  }
  const ending = readIdpMetadata(around(one, soon));
  assert.ok(!('fault' in ending));
  assert.equal(ending.validUntil, Date.UTC(2030, 0, 31, 12));
  assert.equal(faultOf(around(service)), 'samlMetadataNotProvider');
  assert.equal(faultOf(around('')), 'samlMetadataNotEntity');
  const two = readIdpMetadata(around(`${one}${one.replace('/metadata"', '/other"')}`));
  assert.deepEqual(two, { fault: 'samlMetadataSeveralProviders', values: { count: 2 } });
  const role =
    '<md:RoleDescriptor xmlns:fed="urn:fed" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="fed:SecurityTokenServiceType" protocolSupportEnumeration="urn:fed"/>';
  const adfs = one
    .replace(
      '<md:IDPSSODescriptor',
      `<md:Extensions/>${role}<md:IDPSSODescriptor WantAuthnRequestsSigned="true"`,
    )
    .replace(
      '</md:IDPSSODescriptor>',
      '<md:AttributeProfile>x</md:AttributeProfile></md:IDPSSODescriptor><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"/><md:Organization/>',
    );
  assert.ok(!('fault' in readIdpMetadata(adfs)));
});

test('any text is answered with metadata or with a fault, never with an exception', () => {
  const isAnswer = (xml: string) => {
    const found = readIdpMetadata(xml);
    assert.ok(!('fault' in found) || Object.hasOwn(catalogue, found.fault));
  };
  const whole = idpMetadata();
  const piece = fc.constantFrom(
    '<',
    '>',
    '&',
    '"',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?',
    '?>',
    'xmlns:',
    '\0',
    '\uD800',
    '&#0;',
    '/>',
    '</a>',
  );
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), isAnswer));
  fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => isAnswer(pieces.join(''))));
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(40), piece, (at, length, inserted) =>
      isAnswer(whole.slice(0, at) + inserted + whole.slice(at + length)),
    ),
  );
  isAnswer(idpMetadata({ keys: keyDescriptor('<a>'.repeat(4_900) + '</a>'.repeat(4_900)) }));
  isAnswer(randomBytes(1024 * 1024).toString('latin1'));
  isAnswer(randomBytes(1024 * 1024).toString('base64'));
});
