/** Forms of messages that saml-core allows and that providers send: each of them logs its user in. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { LoginFault } from '../login/login-fault.ts';
import { sourceOfGroups } from './group-source.ts';
import { fromPost } from './message.ts';
import {
  assertionXml,
  inForm,
  provider,
  type ResponseParts,
  responseXml,
  signed,
} from './provider.fixture.ts';
import { type ReadResponse, type ResponseTerms, readResponse } from './response.ts';

const audience = 'https://idp.tunnels.example.com/saml/edghtsrt_1';
const now = Date.parse('2026-01-01');
const parts: ResponseParts = { consumer: `${audience}/acs`, audience, now, inResponseTo: '_q1' };
const keys = [{ publicKey: new X509Certificate(provider.leaf).publicKey }];
type Terms = ResponseTerms<(typeof keys)[number]>;

const terms: Terms = {
  ...{ audience, now, consumer: parts.consumer, inResponseTo: '_q1', authenticatedSince: null },
  issuer: 'https://idp.example.com/metadata',
  nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  ...{ groupAttributes: [], keys },
};

type Read = ReadResponse<(typeof keys)[number]>;

/** Reads a message whose assertion is signed, and one whose response is signed: both must read alike. */
function read(
  changed: Partial<ResponseParts> = {},
  edit = (xml: string) => xml,
  own: Partial<Terms> = {},
): Read {
  const all = { ...parts, ...changed };
  const xml = edit(responseXml(all, assertionXml(all)));
  const [first, second] = ['Assertion', 'Response'].map((name) =>
    readResponse(fromPost(inForm(signed(xml, name))), { ...terms, ...own }),
  );
  assert.deepEqual(first, second);
  return first!;
}

const time = (at: number): string => new Date(at).toISOString();

test('forms of the response', () => {
  const forms: Readonly<Record<string, (xml: string) => string>> = {
    'no Destination': (xml) => xml.replace(/ Destination="[^"]*"/, ''),
    'an empty Destination': (xml) => xml.replace(/ Destination="[^"]*"/, ' Destination=""'),
    'no InResponseTo on the response': (xml) =>
      xml.replace(/( Destination="[^"]*") InResponseTo="[^"]*"/, '$1'),
    'Consent and Extensions': (xml) =>
      xml.replace('<samlp:Status>', '<samlp:Extensions><x xmlns="urn:x"/></samlp:Extensions><samlp:Status>'),
    'a success with a nested code, a message and details': (xml) =>
      xml.replace(
        /<samlp:StatusCode ([^>]*)\/>/,
        '<samlp:StatusCode $1><samlp:StatusCode Value="urn:x"/></samlp:StatusCode><samlp:StatusMessage>ok</samlp:StatusMessage><samlp:StatusDetail/>',
      ),
    'the default namespace': (xml) => xml.replaceAll('samlp:', '').replace('xmlns:samlp', 'xmlns'),
    'other prefixes': (xml) =>
      xml
        .replaceAll('samlp:', 'ns2.p:')
        .replace('xmlns:samlp', 'xmlns:ns2.p')
        .replaceAll('saml:', '_a-1:')
        .replaceAll('xmlns:saml=', 'xmlns:_a-1='),
  };
  for (const [form, edit] of Object.entries(forms)) assert.equal(read({}, edit).user.id, 'ada', form);
});

test('forms of the assertion', () => {
  const restriction = `<saml:AudienceRestriction><saml:Audience>urn:other</saml:Audience><saml:Audience> ${audience}\n</saml:Audience></saml:AudienceRestriction>`;
  const confirmation = (method: string, data: string): string =>
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${method}">${data}</saml:SubjectConfirmation>`;
  const forms: Readonly<Record<string, (xml: string) => string>> = {
    'several AudienceRestrictions': (xml) =>
      xml.replace('</saml:Conditions>', `${restriction}</saml:Conditions>`),
    'OneTimeUse and ProxyRestriction': (xml) =>
      xml.replace(
        '</saml:Conditions>',
        '<saml:OneTimeUse/><saml:ProxyRestriction Count="0"/></saml:Conditions>',
      ),
    'Conditions with NotBefore alone': (xml) =>
      xml.replace(/<saml:Conditions [^>]*>/, `<saml:Conditions NotBefore="${time(now)}">`),
    'Conditions without times': (xml) => xml.replace(/<saml:Conditions [^>]*>/, '<saml:Conditions>'),
    'other confirmations before the one that counts': (xml) =>
      xml.replace(
        '<saml:SubjectConfirmation ',
        `${confirmation('holder-of-key', '')}${confirmation('bearer', '')}${confirmation('bearer', `<saml:SubjectConfirmationData Recipient="https://x.example/" NotOnOrAfter="${time(now + 1)}"/>`)}<saml:SubjectConfirmation `,
      ),
    'a confirmation with an address and a NotBefore': (xml) =>
      xml.replace(
        '<saml:SubjectConfirmationData ',
        `<saml:SubjectConfirmationData Address="192.0.2.1" NotBefore="${time(now)}" `,
      ),
    'times without a zone': (xml) => xml.replaceAll(/(\d\d:\d\d:\d\d)\.\d+Z"/g, '$1"'),
    'times of another zone': (xml) => xml.replaceAll(/(T00:\d\d:\d\d)\.\d+Z"/g, '$1+00:00"'),
    'times with seven digits': (xml) => xml.replaceAll(/\.000Z"/g, '.0000000Z"'),
    'no SessionIndex': (xml) => xml.replace(' SessionIndex="_s1"', ''),
    'an issuer with the format entity': (xml) =>
      xml.replaceAll(
        '<saml:Issuer>',
        '<saml:Issuer Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity">',
      ),
    'Advice and an AuthzDecisionStatement': (xml) =>
      xml
        .replace(
          '<saml:AuthnStatement ',
          '<saml:Advice><saml:AssertionIDRef>x</saml:AssertionIDRef></saml:Advice>$&',
        )
        .replace(
          '<saml:AttributeStatement>',
          '<saml:AuthzDecisionStatement Resource="x" Decision="Permit"/>$&',
        ),
    'two AuthnStatements': (xml) => xml.replace(/<saml:AuthnStatement .*<\/saml:AuthnStatement>/s, '$&$&'),
    'no attributes at all': (xml) =>
      xml.replace(/<saml:AttributeStatement>.*<\/saml:AttributeStatement>/s, ''),
    'namespaces that the assertion only inherits': (xml) =>
      xml
        .replace('xmlns:xs="http://www.w3.org/2001/XMLSchema" ', '')
        .replace('ID="_r1"', 'xmlns:xs="http://www.w3.org/2001/XMLSchema" ID="_r1"'),
  };
  for (const [form, edit] of Object.entries(forms)) assert.equal(read({}, edit).user.id, 'ada', form);
  assert.equal(read({}, forms['no SessionIndex']).sessionIndex, '');
  const until = read({}, (xml) =>
    xml.replace(' SessionIndex', ` SessionNotOnOrAfter="${time(now + 1000)}" SessionIndex`),
  );
  assert.equal(until.sessionUntil, now + 1000);
  const unsolicited = { inResponseTo: null };
  assert.equal(read({ inResponseTo: '' }, undefined, unsolicited).user.id, 'ada', 'begun at the provider');
  const empty = (xml: string): string =>
    xml
      .replaceAll(' Destination', ' InResponseTo="" Destination')
      .replace('<saml:SubjectConfirmationData ', '$&InResponseTo="" ');
  assert.equal(read({ inResponseTo: '' }, empty, unsolicited).user.id, 'ada');
  for (const later of [-184_000, 479_000])
    assert.equal(read({}, undefined, { now: now + later }).user.id, 'ada');
});

test('values of attributes are read in every form, and texts of two elements are two values', () => {
  const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  const groupsOf = (values: string): readonly string[] =>
    read({}, (xml) => xml.replace('<saml:Attribute Name="groups">', `$&${values}`)).user.groups;
  const value = (content: string, attributes = ''): string =>
    `<saml:AttributeValue ${attributes}>${content}</saml:AttributeValue>`;
  for (const [values, expected] of [
    [value('a') + value('b') + value('a'), ['a', 'b']],
    [value('a', `${xsi} xsi:type="xs:anyType"`), ['a']],
    [value('a', `${xsi} xsi:type="xs:string"`), ['a']],
    [value('', `${xsi} xsi:nil="true"`) + value('a'), ['a']],
    [value('<x:g xmlns:x="urn:x"><x:n>a</x:n></x:g>'), ['a']],
    [value('<g xmlns="">st</g><g xmlns="">aff</g>'), ['st', 'aff']],
    [value('<saml:NameID Format="urn:x">a</saml:NameID>'), ['a']],
    [value('\n  a\n') + value(' ') + value('&#228;'), ['a', 'ä']],
    ['', []],
  ] as const)
    assert.deepEqual(groupsOf(values), expected, values);
  const many = Array.from({ length: 700 }, (_, at) => `group-${at}`);
  assert.deepEqual(
    groupsOf(many.map((group) => value(group)).join('')),
    many,
    'all are there to be compared',
  );
});

const claims = 'http://schemas.microsoft.com/ws/2008/06/identity/claims';

test('groups are read under the names that providers give them, or under those of the module', () => {
  const groupsAs = (attribute: string, own: Partial<Terms> = {}): readonly string[] =>
    read({ groups: ['staff'] }, (xml) => xml.replace('Name="groups"', attribute), own).user.groups;
  for (const name of [
    ...['groups', 'Groups', 'memberOf', 'MEMBEROF', 'member', 'role', 'Role', 'roles', 'group', 'Group'],
    ...['http://schemas.xmlsoap.org/claims/Group', `${claims}/groups`, `${claims}/role`],
    ...['urn:oid:1.3.6.1.4.1.5923.1.5.1.1', 'urn:oid:1.3.6.1.4.1.5923.1.1.1.7', ' groups '],
  ]) {
    assert.deepEqual(groupsAs(`Name="${name}"`), ['staff'], name);
    assert.deepEqual(groupsAs(`Name="urn:x" FriendlyName="${name}"`), ['staff'], name);
  }
  for (const name of ['groupz', 'department', 'x-groups', ''])
    assert.deepEqual(groupsAs(`Name="${name}"`), [], name);
  const own = { groupAttributes: ['department', 'Team'] };
  assert.deepEqual(groupsAs('Name="department"', own), ['staff']);
  assert.deepEqual(groupsAs('Name="urn:x" FriendlyName="Team"', own), ['staff']);
  for (const name of ['groups', 'memberOf', 'team'])
    assert.deepEqual(groupsAs(`Name="${name}"`, own), [], name);
});

test('the log names the attributes that came, and explains a link in the place of groups', () => {
  const { attributeNames } = read({ groups: ['staff'] });
  assert.deepEqual(attributeNames, ['email', 'urn:oid:2.16.840.1.113730.3.1.241', 'groups']);
  assert.equal(
    sourceOfGroups(attributeNames, ['team']),
    'groups are read from the attributes "team", and the assertion has the attributes "email", "urn:oid:2.16.840.1.113730.3.1.241", "groups"',
  );
  assert.match(sourceOfGroups([], []), /^groups are read from the usual attributes, .* has no attributes$/);
  assert.match(sourceOfGroups(['http://schemas.microsoft.com/claims/groups.link'], []), /too many to send/);
  const many = Array.from({ length: 100 }, (_, index) => `${'x'.repeat(200)}${index}\n`);
  assert.match(sourceOfGroups(many, many), /and 84 more$/);
  assert.ok(sourceOfGroups(many, many).length < 3_200);
});

test('a response without success says what the provider answered, in its own condition', () => {
  const status = 'urn:oasis:names:tc:SAML:2.0:status';
  const refusal = (content: string): LoginFault => {
    const xml = responseXml(parts, '').replace(/<samlp:Status>.*<\/samlp:Status>/, content);
    try {
      readResponse(fromPost(inForm(xml)), terms);
    } catch (error) {
      assert.ok(error instanceof LoginFault, String(error));
      return error;
    }
    return assert.fail('it was taken');
  };
  const nested = (inner: string, message = ''): LoginFault =>
    refusal(
      `<samlp:Status><samlp:StatusCode Value="${status}:Responder"><samlp:StatusCode Value="${status}:${inner}"/></samlp:StatusCode>${message}</samlp:Status>`,
    );
  for (const inner of ['AuthnFailed', 'NoPassive', 'RequestDenied', 'UnknownPrincipal']) {
    const { code, check, message } = nested(inner);
    assert.deepEqual([code, check], ['loginDeclined', 'status']);
    assert.match(message, new RegExp(`Responder .*:${inner}"$`));
  }
  const said = nested('AuthnFailed', '<samlp:StatusMessage> no\nentry </samlp:StatusMessage>');
  assert.match(said.message, /, and says "no\\nentry"$/);
  assert.equal(refusal('').code, 'loginRefused');
});
