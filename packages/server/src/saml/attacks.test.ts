/** Messages that SAML software was deceived with before: each is made of one that the provider has really signed. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { LoginFault } from '../login/login-fault.ts';
import { fromPost, fromRedirect, mostMessage } from './message.ts';
import {
  answer,
  assertionXml,
  inForm,
  provider,
  type ResponseParts,
  responseXml,
  signed,
  stranger,
} from './provider.fixture.ts';
import { readResponse } from './response.ts';

const audience = 'https://idp.tunnels.example.com/saml/edghtsrt_1';
const now = Date.parse('2026-01-01');
const parts: ResponseParts = { consumer: `${audience}/acs`, audience, now, inResponseTo: '_q1' };
const terms = {
  ...{ audience, now, consumer: parts.consumer, inResponseTo: '_q1', authenticatedSince: null },
  issuer: 'https://idp.example.com/metadata',
  nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  groupAttributes: [],
  keys: [{ publicKey: new X509Certificate(provider.leaf).publicKey }],
};

/** Returns the user that is let in, or the check that refuses the message. */
function outcome(field: string): string {
  try {
    return `${readResponse(fromPost(field), terms).user.id} is let in`;
  } catch (error) {
    assert.ok(error instanceof LoginFault, String(error));
    return error.check;
  }
}

const genuine = answer(parts);
/** Forms with a signature of the response: the assertion has none, or one as well. */
const wholeSigned = signed(responseXml(parts, assertionXml(parts)), 'Response');
const bothSigned = signed(genuine, 'Response');
const part = (xml: string, name: string): string =>
  new RegExp(`<${name}[ >].*</${name}>`, 's').exec(xml)?.[0] ?? assert.fail(name);
const assertionOf = (xml: string): string => part(xml, 'saml:Assertion');
const signatureOf = (xml: string): string => part(xml, 'ds:Signature');
/** The attacker's own: another user, another id, no signature. */
const forged = assertionOf(genuine)
  .replace(signatureOf(genuine), '')
  .replace('>ada<', '>root<')
  .replace('ID="_a1"', 'ID="_evil"');

test('the message that the others are made of lets its user in', () => {
  for (const xml of [genuine, wholeSigned, bothSigned]) assert.equal(outcome(inForm(xml)), 'ada is let in');
});

test('signature wrapping around a response that is signed itself is refused', () => {
  const sign = signatureOf(wholeSigned);
  const bare = wholeSigned.replace(sign, '').replace(/^<\?xml.*\n/, '');
  const inner = wholeSigned.replace(/^<\?xml.*\n/, '');
  const plain = assertionOf(wholeSigned);
  const evil = (xml: string): string =>
    xml.replace('>ada<', '>root<').replace('ID="_r1"', 'ID="_e1"').replace('ID="_a1"', 'ID="_e2"');
  const after = (xml: string, more: string): string => xml.replace('</saml:Issuer>', `</saml:Issuer>${more}`);
  const holding = (content: string): string =>
    sign.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`);
  const without = (xml: string): string => xml.replace(plain, '');
  const cases: readonly [string, string][] = [
    [after(evil(bare), holding(bare)), 'assertions'],
    [after(evil(bare), `${sign}<samlp:Extensions>${bare}</samlp:Extensions>`), 'assertions'],
    // The true response elsewhere, and no second assertion anywhere.
    [after(evil(bare), `<samlp:Extensions>${without(inner)}</samlp:Extensions>`), 'signature place'],
    [after(evil(bare), holding(without(bare))), 'signature form'],
    [after(evil(bare), sign), 'signature reference'],
    [after(bare.replace('>ada<', '>root<'), sign), 'digest'],
    [
      without(wholeSigned)
        .replace('</samlp:Response>', `<samlp:Extensions>${wholeSigned}</samlp:Extensions></samlp:Response>`)
        .replace(/^<\?xml.*\n/, '')
        .replaceAll(/<\?xml.*\n/g, ''),
      'id',
    ],
    [wholeSigned.replace(plain, `${evil(plain)}`), 'digest'],
    [wholeSigned.replace(plain, `${plain}${evil(plain)}`), 'assertions'],
    [wholeSigned.replace('Version="2.0"', 'Version="2.0" x="y"'), 'digest'],
    [wholeSigned.replace(sign, ''), 'unsigned'],
    [wholeSigned.replace(sign, `${sign}${sign}`), 'signature form'],
    [bare.replace(plain, after(plain, sign)), 'signature reference'],
  ];
  for (const [index, [xml, check]] of cases.entries())
    assert.equal(outcome(inForm(xml)), check, `case ${index}`);
});

test('of a signed response with a signed assertion both signatures have to be right', () => {
  const [whole = '', own = ''] = bothSigned.match(/<ds:Signature[ >].*?<\/ds:Signature>/gs) ?? [];
  assert.notEqual(own, '');
  const strangers = { key: stranger.key, certificate: stranger.leaf };
  const cases: readonly [string, string][] = [
    [signed(genuine, 'Response', strangers), 'signature'],
    [signed(answer(parts, strangers), 'Response'), 'signature'],
    [signed(genuine.replace('>ada<', '>root<'), 'Response'), 'digest'],
    [bothSigned.replace('Version="2.0"', 'Version="2.0" x="y"'), 'digest'],
    [bothSigned.replace(own, ''), 'digest'],
    [bothSigned.replace(whole, ''), 'ada is let in'],
    [bothSigned.replace(/(<ds:SignatureValue>)....../, '$1AAAAAA'), 'signature'],
    [
      signed(genuine, 'Response', { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
      'signature algorithm',
    ],
  ];
  for (const [index, [xml, check]] of cases.entries())
    assert.equal(outcome(inForm(xml)), check, `case ${index}`);
});

test('signature wrapping of each of the eight kinds is refused', () => {
  const whole = signed(responseXml(parts, forged.replace('>root<', '>ada<')), 'Response');
  const responseSignature = signatureOf(whole);
  const bare = whole.replace(responseSignature, '').replace(/^<\?xml.*\n/, '');
  const evil = bare
    .replace('>ada<', '>root<')
    .replace('ID="_r1"', 'ID="_evilr"')
    .replace('_evil"', '_evil2"');
  const after = (xml: string, more: string): string => xml.replace('</saml:Issuer>', `</saml:Issuer>${more}`);
  const original = assertionOf(genuine);
  const unsigned = original.replace(signatureOf(genuine), '');
  const inSignature = (content: string): string =>
    signatureOf(genuine).replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`);
  const wrapped: Readonly<Record<string, readonly [xml: string, check: string]>> = {
    // A forged response around, with the signature of the true one, which lies in it or beside it.
    XSW1: [
      after(
        evil,
        responseSignature.replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`),
      ),
      'assertions',
    ],
    XSW2: [after(evil, `${responseSignature}<samlp:Extensions>${bare}</samlp:Extensions>`), 'assertions'],
    XSW3: [genuine.replace(original, `${forged}${original}`), 'assertions'],
    XSW4: [genuine.replace(original, after(forged, original)), 'assertions'],
    XSW5: [genuine.replace(original, `${after(forged, signatureOf(genuine))}${unsigned}`), 'assertions'],
    XSW6: [genuine.replace(original, after(forged, inSignature(unsigned))), 'assertions'],
    XSW7: [
      genuine.replace(original, `<samlp:Extensions>${forged}</samlp:Extensions>${original}`),
      'assertions',
    ],
    XSW8: [
      genuine.replace(original, after(forged, inSignature(original.replace(signatureOf(genuine), '')))),
      'assertions',
    ],
  };
  for (const [name, [xml, check]] of Object.entries(wrapped)) assert.equal(outcome(inForm(xml)), check, name);
});

test('a signature that was moved or hidden is refused', () => {
  const original = assertionOf(genuine);
  const sign = signatureOf(genuine);
  const bare = original.replace(sign, '');
  const cases: readonly [string, string][] = [
    [genuine.replace(original, `<samlp:Extensions>${original}</samlp:Extensions>`), 'assertion place'],
    [genuine.replace(original, `<samlp:Extensions>${sign}</samlp:Extensions>${bare}`), 'signature place'],
    [genuine.replace(original, bare), 'unsigned'],
    [genuine.replace(original, `${bare}${sign}`), 'signature reference'],
    [genuine.replace(sign, `${sign}${sign}`), 'signature form'],
    [genuine.replace('ID="_a1"', 'ID="_r1"'), 'id'],
    [genuine.replace('ID="_r1"', 'ID="_r1" xml:id="_a1"'), 'id'],
    [genuine.replace('ID="_a1"', 'ID="_a2"'), 'signature reference'],
    [genuine.replace('ID="_a1"', 'Id="_a1"'), 'signature reference'],
    [
      genuine.replace(original, original.replaceAll('saml:Assertion', 'saml:EncryptedAssertion')),
      'encrypted',
    ],
    [genuine.replaceAll('saml:Assertion', 'saml:Statement'), 'assertions'],
    [genuine.replaceAll('samlp:Response', 'samlp:ArtifactResponse'), 'message'],
  ];
  for (const [index, [xml, check]] of cases.entries())
    assert.equal(outcome(inForm(xml)), check, `case ${index}`);
});

test('a signature over everything, over nothing, or with a way of its own to the signed bytes is refused', () => {
  const change = (from: RegExp, to: string): string => {
    assert.match(genuine, from);
    return outcome(inForm(genuine.replace(from, to)));
  };
  for (const [from, to, check] of [
    [/URI="#_a1"/, 'URI=""', 'signature reference'],
    [/<ds:Transform Algorithm="[^"]*enveloped-signature"\/>/, '', 'signature transform'],
    [
      /<ds:Transform Algorithm="[^"]*enveloped-signature"\/>/,
      '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>',
      'signature transform',
    ],
    [/<ds:Reference /, '<ds:Reference URI="#_evil"/><ds:Reference ', 'signature form'],
    [/<ds:DigestValue>/, '<ds:DigestValue/><ds:DigestValue>', 'signature form'],
    // The digest fits still, and what is signed does not.
    [/<ds:SignedInfo>/, '<ds:SignedInfo Id="x">', 'signature'],
  ] as const)
    assert.equal(change(from, to), check, String(from));
  // The provider itself would have to sign such a thing.
  const ofResponse = signed(responseXml(parts, forged), 'Response');
  const moved = ofResponse.replace(signatureOf(ofResponse), '');
  const inAssertion = moved.replace(
    forged,
    forged.replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(ofResponse)}`),
  );
  assert.equal(outcome(inForm(inAssertion)), 'signature reference', 'that of the response in the assertion');
});

test('a name that a comment cuts in two is refused, whichever half somebody might read', () => {
  const user = 'root@example.com.evil.example';
  const long = answer({ ...parts, user });
  const cut = long.replace(`>${user}<`, '>root@example.com<!-- -->.evil.example<');
  assert.equal(outcome(inForm(cut)), 'comment');
  const inDigest = genuine.replace('<ds:DigestValue>', '<ds:DigestValue><!-- x -->');
  assert.equal(outcome(inForm(inDigest)), 'comment');
  const cdata = genuine.replace('>ada<', '><![CDATA[ada]]><');
  assert.equal(outcome(inForm(cdata)), 'cdata');
  assert.equal(outcome(inForm(genuine.replace('>ada<', '>a<?x y?>da<'))), 'instruction');
});

test('document types, entities, and what takes up memory or time are refused', () => {
  const declare = (dtd: string): string => genuine.replace(/^<\?xml.*\n/, `<!DOCTYPE x [${dtd}]>`);
  const bomb = `<!ENTITY a "root"><!ENTITY b "${'&a;'.repeat(10)}"><!ENTITY c "${'&b;'.repeat(10)}">`;
  const attributes = Array.from({ length: 2_000 }, (_, index) => ` a${index}=''`).join('');
  const prefixes = Array.from({ length: 33 }, (_, index) => `p${index}`);
  const cases: readonly [string, string][] = [
    [declare('<!ENTITY who "root">').replace('>ada<', '>&who;<'), 'document type'],
    [declare('<!ENTITY who SYSTEM "file:///etc/passwd">').replace('>ada<', '>&who;<'), 'document type'],
    [declare(bomb).replace('>ada<', '>&c;<'), 'document type'],
    [genuine.replace('>ada<', '>&who;<'), 'xml'],
    [genuine.slice(0, -3), 'xml'],
    [`${genuine}<x/>`, 'xml'],
    [
      genuine.replace('<samlp:Status>', `<samlp:Status>${'<x>'.repeat(80)}${'</x>'.repeat(80)}`),
      'complexity',
    ],
    [genuine.replace('<samlp:Status>', `<samlp:Status>${'<x/>'.repeat(2_000)}`), 'complexity'],
    [genuine.replace('<samlp:Status>', `<samlp:Status><x ${'xmlns:x="u" '.repeat(1_250)}/>`), 'complexity'],
    [genuine.replace('<samlp:Status>', `<samlp:Status><x${attributes}/>`), 'complexity'],
    [answer(parts, { inclusive: prefixes }), 'complexity'],
  ];
  for (const [index, [xml, check]] of cases.entries())
    assert.equal(outcome(inForm(xml)), check, `case ${index}`);
  assert.equal(outcome('A'.repeat(mostMessage * 2)), 'size');
  assert.equal(outcome('not base64!'), 'encoding');
  assert.equal(outcome(''), 'encoding');
  assert.equal(outcome(Buffer.from([0xff, 0xfe, 0x3c]).toString('base64')), 'encoding');
});

test('base64 of a lenient decoder, other white space and other encodings are refused', () => {
  const field = inForm(genuine);
  const half = field.length >> 1;
  const inside = (text: string): string => `${field.slice(0, half)}${text}${field.slice(half)}`;
  assert.equal(outcome(inside('\r\n \t')), 'ada is let in');
  for (const text of ['!', '-', '_', '=', '\0', '\u00a0', '\ufeff', '\v', '%0A', 'é'])
    assert.equal(outcome(inside(text)), 'encoding', JSON.stringify(text));
  for (const wrong of [`${field}=`, `${field}A`, field.replace(/=*$/, '='), `=${field}`])
    assert.notEqual(outcome(wrong), 'ada is let in');
  const declared = (encoding: string): string => inForm(genuine.replace('UTF-8', encoding));
  assert.equal(outcome(declared('utf-8')), 'ada is let in');
  for (const encoding of ['UTF-16', 'ISO-8859-1', 'UTF-7'])
    assert.equal(outcome(declared(encoding)), 'xml', encoding);
  for (const space of ['\u00a0', '\u2028', '\u0085', ' ', '\n'])
    assert.equal(outcome(inForm(`${space}${genuine}`)), 'instruction', JSON.stringify(space));
  for (const space of ['\u00a0', '\u2028', '\u0085', '\ufeff'])
    assert.equal(outcome(inForm(`${genuine}${space}`)), 'xml');
  assert.equal(outcome(inForm(`\ufeff${genuine}\n`)), 'ada is let in');
});

for (const [form, message] of Object.entries({ genuine, wholeSigned, bothSigned }))
  test(`no change of a message lets another user in: ${form}`, () => changed(message));

function changed(message: string): void {
  const pieces: readonly string[] = message.match(/<[^>]*>|[^<]+/g) ?? [];
  const index = fc.nat({ max: pieces.length - 1 });
  const piece = fc.oneof(
    index.map((at) => pieces[at] ?? ''),
    fc.constantFrom(
      'root',
      forged,
      '<saml:NameID>root</saml:NameID>',
      signatureOf(message),
      '</saml:Assertion>',
    ),
    fc.string({ maxLength: 8, unit: 'grapheme' }),
  );
  // Often the name of the user, for another one.
  const change = fc.record({
    at: fc.oneof(index, fc.constant(pieces.indexOf('ada'))),
    removed: fc.oneof(fc.constant(1), fc.nat({ max: 4 })),
    added: fc.oneof(fc.constant(['root']), fc.array(piece, { maxLength: 3 })),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const edited = [...pieces];
      for (const { at, removed, added } of changes) edited.splice(at, removed, ...added);
      // Throws for any other error than a refusal.
      const result = outcome(inForm(edited.join('')));
      assert.ok(result === 'ada is let in' || !result.endsWith('is let in'), result);
    }),
    { numRuns: 500 },
  );
}

test('a deflated message that grows beyond all bounds is refused', () => {
  const check = (bytes: Buffer): string => {
    try {
      return fromRedirect(bytes.toString('base64')).nodeName;
    } catch (error) {
      return error instanceof LoginFault ? error.check : String(error);
    }
  };
  assert.equal(check(deflateRawSync('<x/>')), 'x');
  assert.equal(check(deflateRawSync(Buffer.alloc(64 * 1024 * 1024, 32))), 'encoding');
  assert.equal(check(Buffer.from('<x/>')), 'encoding');
});
