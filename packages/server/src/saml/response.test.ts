import assert from 'node:assert/strict';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { LoginFault } from '../login/login-fault.ts';
import { keptChain } from '../pki/kept-chain.fixture.ts';
import { fromPost } from './message.ts';
import {
  answer,
  assertionXml,
  ecdsa,
  exclusive,
  hmac,
  inForm,
  provider,
  type ResponseParts,
  responseXml,
  type SigningOptions,
  signed,
  stranger,
} from './provider.fixture.ts';
import { type ReadResponse, type ResponseTerms, readResponse } from './response.ts';
import { certificateDigestOf } from './signed.ts';

const audience = 'https://idp.tunnels.example.com/saml/edghtsrt_1';
const now = Date.parse('2026-01-01');
const parts: ResponseParts = { consumer: `${audience}/acs`, audience, now, inResponseTo: '_q1' };

interface Key {
  readonly publicKey: ReturnType<typeof createPublicKey>;
  readonly certificateDigest?: string;
}

function keyOf(certificate: string): Key {
  return { publicKey: new X509Certificate(certificate).publicKey };
}

const terms: ResponseTerms<Key> = {
  issuer: 'https://idp.example.com/metadata',
  audience,
  consumer: parts.consumer,
  inResponseTo: '_q1',
  authenticatedSince: null,
  groupAttributes: [],
  nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  now,
  keys: [keyOf(provider.leaf)],
};

function read(xml: string, changed: Partial<ResponseTerms<Key>> = {}): ReadResponse<Key> {
  return readResponse(fromPost(inForm(xml)), { ...terms, ...changed });
}

/** Returns the check that refuses the response. */
function fault(xml: string, changed: Partial<ResponseTerms<Key>> = {}): string {
  try {
    read(xml, changed);
  } catch (error) {
    assert.ok(error instanceof LoginFault, String(error));
    assert.equal(error.code, error.check === 'status' ? 'loginDeclined' : 'loginRefused');
    return error.check;
  }
  return 'it was taken';
}

test('who the provider vouches for is read from what it has signed', () => {
  const { user, name, sessionIndex, sessionUntil, usableUntil, id } = read(
    answer({ ...parts, groups: ['staff', 'Ärzte &amp; Pfleger'] }),
  );
  assert.deepEqual(user, {
    id: 'ada',
    email: 'ada@example.com',
    isEmailVerified: false,
    name: 'Ada L&öve',
    groups: ['staff', 'Ärzte & Pfleger'],
  });
  assert.deepEqual(name, {
    value: 'ada',
    attributes: { Format: terms.nameIdFormat, SPNameQualifier: audience },
  });
  assert.deepEqual([id, sessionIndex, sessionUntil], ['_a1', '_s1', null]);
  assert.equal(usableUntil, now + 480_000);
});

test('an assertion is good for a day at most, whatever its provider says', () => {
  const distant = (xml: string) =>
    xml.replace(/NotOnOrAfter="[^"]*"/g, 'NotOnOrAfter="9999-12-31T00:00:00Z"');
  const day = 24 * 60 * 60_000;
  const xml = answer({ ...parts, edit: distant });
  const at = (later: number) => ({ now: now + later });
  assert.equal(read(xml, at(day + 179_999)).usableUntil, now + day + 180_000);
  assert.equal(fault(xml, at(day + 180_000)), 'expired');
  const made = (time: string) => (one: string) =>
    one.replace(/IssueInstant="[^"]*"/, `IssueInstant="${time}"`);
  assert.equal(fault(answer({ ...parts, edit: made('2026-01-02T00:00:01Z') })), 'not yet');
  assert.equal(fault(answer({ ...parts, edit: made('') })), 'time');
});

test('signatures of each kind that providers make are verified', () => {
  const more = 'http://www.w3.org/2001/04/xmldsig-more#';
  const ec = keptChain('ec.example.com', 'ec');
  const kinds: readonly SigningOptions[] = [
    { algorithm: `${more}rsa-sha512`, digest: 'http://www.w3.org/2001/04/xmlenc#sha512' },
    { canonical: `${exclusive}WithComments` },
    { inclusive: ['xs'] },
    { inclusive: ['xs', 'samlp', 'nobody'] },
    { algorithm: ecdsa, key: ec.key, certificate: ec.leaf },
  ];
  const keys = [keyOf(ec.leaf), ...terms.keys];
  for (const options of kinds)
    assert.equal(read(answer(parts, options), { keys }).user.id, 'ada', JSON.stringify(options));
  assert.equal(read(signed(answer(parts), 'Response')).user.id, 'ada', 'with the response signed, too');
});

test('what the canonical form writes otherwise than the message is signed all the same', () => {
  const edit = (xml: string): string =>
    xml
      .replace('<saml:Subject>', '<saml:Subject\n >')
      .replace('ID="_a1" Version="2.0"', "Version='2.0'   ID='_a1'")
      .replace(
        '<saml:Attribute Name="groups">',
        '<saml:Attribute Name="a&#10;&quot;&lt;&#x9;>" xmlns:z="urn:z" xmlns:b="urn:b" z:y="1" b:z="2" a="3"><saml:AttributeValue xmlns="urn:d"><in>&gt;&#13;\u{1F600}<out xmlns=""/></in></saml:AttributeValue></saml:Attribute><saml:Attribute Name="groups">',
      );
  assert.equal(read(answer({ ...parts, edit, groups: ['staff'] })).user.groups[0], 'staff');
});

test('U+0085, U+2028 and U+FFFD are text like any other, also where they are signed', () => {
  const user = 'ada\u0085\u2028\ufffd\u00a0';
  // The signer would take the raw characters for line ends.
  const edit = (xml: string): string =>
    xml
      .replace('>ada<', '>ada&#x85;&#x2028;&#xFFFD;&#xA0;<')
      .replace('SessionIndex="_s1"', 'SessionIndex="&#x85;"');
  const message = answer({ ...parts, edit, groups: ['\u00a0staff&#x2028;', ' \t\n staff\r '] });
  assert.ok(message.includes(`>${user}<`));
  const found = read(message);
  assert.equal(found.user.id, user);
  assert.equal(found.sessionIndex, '\u0085');
  assert.deepEqual(found.user.groups, ['\u00a0staff\u2028', 'staff'], 'only white space of XML is left off');
});

test('addresses may have white space of XML around them, and no other', () => {
  const padded = (space: string): string =>
    answer({
      ...parts,
      destination: `${space}${parts.consumer}${space}`,
      edit: (xml) => xml.replace(/ Recipient="([^"]*)"/, ` Recipient="${space}$1${space}"`),
    });
  assert.equal(read(padded(' \n')).user.id, 'ada');
  assert.equal(fault(padded('\u00a0')), 'destination');
});

test('an assertion that is not the one which was signed is refused', () => {
  const plain = responseXml(parts, assertionXml(parts));
  const genuine = answer(parts);
  const cases: readonly [string, string, Partial<ResponseTerms<Key>>?][] = [
    [plain, 'unsigned'],
    [genuine.replace('>ada<', '>root<'), 'digest'],
    [genuine.replace('Example.com', 'example.com'), 'digest'],
    [genuine.replace(/(<ds:SignatureValue>)....../, '$1AAAAAA'), 'signature'],
    [genuine.replace(/(<ds:DigestValue>)....../, '$1AAAAAA'), 'digest'],
    [answer(parts, { key: stranger.key, certificate: stranger.leaf }), 'signature'],
    [genuine, 'signature', { keys: [keyOf(stranger.leaf)] }],
    [genuine.replace(/<ds:SignedInfo>/, '<ds:SignedInfo Id="x">'), 'signature'],
    [genuine.replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/s, '$&<ds:Object/>'), 'signature form'],
  ];
  for (const [index, [xml, check, changed]] of cases.entries())
    assert.equal(fault(xml, changed), check, `case ${index}`);
});

/** A public key that counts the attempts of a verification by reads of its type. */
function counted(keys: readonly Key[]): { readonly keys: readonly Key[]; tried: () => number } {
  let tries = 0;
  const watched = keys.map((key) => ({
    ...key,
    get publicKey() {
      tries += 1;
      return key.publicKey;
    },
  }));
  return { keys: watched, tried: () => tries };
}

test('a digest is compared before any key, and keys are tried as the KeyInfo names them, to the last', () => {
  const digestOf = (pem: string): string => certificateDigestOf(new X509Certificate(pem).raw);
  const others = (count: number): Key[] => Array.from({ length: count }, () => keyOf(stranger.leaf));
  const named = { ...keyOf(provider.leaf), certificateDigest: digestOf(provider.leaf) };
  const genuine = answer(parts);
  const changed = counted(others(100));
  assert.equal(fault(genuine.replace('>ada<', '>root<'), { keys: changed.keys }), 'digest');
  assert.equal(changed.tried(), 0);
  // Each key is read for its type, and once more if it is tried.
  const first = counted([...others(100), named]);
  assert.equal(read(genuine, { keys: first.keys }).key.certificateDigest, named.certificateDigest);
  assert.equal(first.tried(), 101 + 1);
  const unnamed = genuine.replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/s, '');
  assert.equal(read(unnamed, { keys: [...others(100), named] }).user.id, 'ada');
  const all = counted(others(100));
  assert.equal(fault(genuine, { keys: all.keys }), 'signature');
  assert.equal(all.tried(), 100 + 100);
  // A KeyInfo is not signed: another certificate in it changes nothing but the order.
  const stranger64 = new X509Certificate(stranger.leaf).raw.toString('base64');
  const other = genuine.replace(/(<ds:X509Certificate>)[^<]*/, `$1${stranger64}`);
  const both = [{ ...keyOf(stranger.leaf), certificateDigest: digestOf(stranger.leaf) }, named];
  assert.equal(read(other, { keys: both }).user.id, 'ada');
});

test('weak algorithms are refused, and so is a certificate used as the secret of an HMAC', () => {
  const old = 'http://www.w3.org/2000/09/xmldsig#';
  const asSecret = createPublicKey(provider.leaf).export({ type: 'spki', format: 'pem' }).toString();
  assert.equal(fault(answer(parts, { algorithm: `${old}rsa-sha1` })), 'signature algorithm');
  assert.equal(fault(answer(parts, { digest: `${old}sha1` })), 'digest algorithm');
  for (const key of [provider.leaf, asSecret])
    assert.equal(fault(answer(parts, { algorithm: hmac, key })), 'signature algorithm');
  const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
  assert.equal(fault(answer(parts, { canonical: inclusive })), 'signature transform');
});

test('an assertion for another service, another login or another time is refused', () => {
  const cases: readonly [Partial<ResponseParts>, string, Partial<ResponseTerms<Key>>?][] = [
    [{ audience: 'https://other.example.com' }, 'audience'],
    [{ issuer: 'https://evil.example.com' }, 'issuer'],
    [{ destination: 'https://other.example.com/acs' }, 'destination'],
    [{ consumer: 'https://other.example.com/acs', destination: parts.consumer }, 'recipient'],
    [{ inResponseTo: '_q2' }, 'in response to'],
    [{ inResponseTo: '' }, 'in response to'],
    [{}, 'in response to', { inResponseTo: null }],
    [{}, 'not yet', { now: now - 185_001 }],
    [{}, 'expired', { now: now + 480_000 }],
    [{ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, 'status'],
    [{ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }, 'name format'],
    [{ user: '' }, 'name'],
    [{ user: 'ada&#10;underpass-auth-user-id: root' }, 'name'],
    [{ user: 'a'.repeat(256) }, 'name'],
  ];
  for (const [changed, check, otherTerms] of cases)
    assert.equal(fault(answer({ ...parts, ...changed }), otherTerms), check, JSON.stringify(changed));
  const edits: readonly [RegExp, string, string][] = [
    [/cm:bearer/, 'cm:holder-of-key', 'confirmation'],
    [/ Recipient="[^"]*"/, '', 'recipient'],
    [/(Data) NotOnOrAfter="[^"]*"/, '$1', 'time'],
    [/(NotOnOrAfter=")[^"]*/, '$1tomorrow', 'time'],
    [/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '', 'audience'],
    [/<saml:AudienceRestriction>/, '<saml:Condition/>$&', 'conditions'],
    [/<saml:Conditions .*<\/saml:Conditions>/, '', 'assertion'],
    [/<saml:AuthnStatement .*<\/saml:AuthnStatement>/, '', 'statement'],
    [/SessionIndex="_s1"/, `SessionNotOnOrAfter="${new Date(now).toISOString()}"`, 'expired'],
    [/<saml:NameID.*<\/saml:NameID>/, '', 'name'],
    [/Version="2.0"/, 'Version="1.1"', 'version'],
    [/<saml:Issuer>/, '<saml:Issuer Format="urn:x">', 'issuer'],
  ];
  for (const [from, to, check] of edits) {
    const edit = (xml: string): string => xml.replace(from, to);
    assert.notEqual(edit(assertionXml(parts)), assertionXml(parts), String(from));
    assert.equal(fault(answer({ ...parts, edit })), check, String(from));
  }
});

test('clocks may differ by three minutes, and users are named as the provider likes where nothing else is asked for', () => {
  assert.equal(read(answer(parts), { now: now - 185_000 }).user.id, 'ada');
  assert.equal(read(answer(parts), { now: now + 479_999 }).user.id, 'ada');
  const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
  const transient = { ...parts, format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' };
  assert.equal(read(answer(transient), { nameIdFormat: unspecified }).user.id, 'ada');
  const email = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
  const edit = (xml: string): string => xml.replace(/Name="email"/, 'Name="other"');
  const named = answer({ ...parts, format: email, user: 'Ada@Example.com', edit });
  assert.equal(read(named, { nameIdFormat: email }).user.email, 'ada@example.com');
});

test('where users are to be asked each time, one who was not asked since then is refused', () => {
  assert.equal(read(answer(parts), { authenticatedSince: now + 180_000 }).user.id, 'ada');
  assert.equal(fault(answer(parts), { authenticatedSince: now + 180_001 }), 'authentication');
  const edit = (xml: string): string => xml.replace(/ AuthnInstant="[^"]*"/, '');
  assert.equal(fault(answer({ ...parts, edit }), { authenticatedSince: now }), 'time');
});

test('a login that began at the provider is taken where that is expected', () => {
  assert.equal(read(answer({ ...parts, inResponseTo: '' }), { inResponseTo: null }).user.id, 'ada');
});
