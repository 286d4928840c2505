import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { LoginFault } from '../login/login-fault.ts';
import { readLogout } from './logout-request.ts';
import { fromPost, readMessage } from './message.ts';
import {
  inForm,
  type LogoutParts,
  logoutXml,
  provider,
  signed,
  signedQuery,
  stranger,
} from './provider.fixture.ts';
import { open } from './signed.ts';
import { requestInQuery } from './signed-query.ts';

const destination = 'https://idp.tunnels.example.com/saml/edghtsrt_1/slo';
const now = Date.parse('2026-01-01');
const parts: LogoutParts = { destination, now, sessions: ['_s1', '_s2'] };
const keys = [{ publicKey: new X509Certificate(provider.leaf).publicKey }];
const terms = { issuer: 'https://idp.example.com/metadata', destination, now };

function checkOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof LoginFault, String(error));
    return error.check;
  }
  return 'it was taken';
}

test('a request in a query is read where its signature is over all of it, as it was sent', () => {
  const query = signedQuery(logoutXml(parts), 'where');
  assert.equal(requestInQuery(query, keys).getAttribute('ID'), '_l1');
  const other = signedQuery(logoutXml({ ...parts, user: 'bob' }), 'where');
  const [message = ''] = other.split('&');
  const cases: readonly [string, string][] = [
    [query.replace(/&Signature=.*/, ''), 'unsigned'],
    [signedQuery(logoutXml(parts), 'where', stranger.key), 'signature'],
    [query.replace('RelayState=where', 'RelayState=there'), 'signature'],
    [query.replace('RelayState=where&', ''), 'signature'],
    [query.replace(/^[^&]*/, message), 'signature'],
    [`${query}&${message}`, 'query'],
    [`${message.replace('S', '%53')}&${query}`, 'query'],
    [query.replace(/rsa-sha256/, 'hmac-sha256'), 'signature algorithm'],
    [
      query.replace(
        /SigAlg=[^&]*/,
        `SigAlg=${encodeURIComponent('http://www.w3.org/2000/09/xmldsig#rsa-sha1')}`,
      ),
      'signature algorithm',
    ],
  ];
  for (const [index, [changed, check]] of cases.entries())
    assert.equal(
      checkOf(() => requestInQuery(changed, keys)),
      check,
      `case ${index}`,
    );
});

test('a request in a form is read where it is signed itself', () => {
  const read = (xml: string) => open(fromPost(inForm(xml)), keys).element;
  const request = readLogout(read(signed(logoutXml(parts), 'LogoutRequest')), terms);
  assert.deepEqual(request, {
    id: '_l1',
    name: 'ada',
    sessionIndices: ['_s1', '_s2'],
    usableUntil: now + 480_000,
  });
  assert.equal(
    checkOf(() => read(logoutXml(parts))),
    'unsigned',
  );
  const changed = signed(logoutXml(parts), 'LogoutRequest').replace('>ada<', '>bob<');
  assert.equal(
    checkOf(() => read(changed)),
    'digest',
  );
});

test('a request of another provider, for another service, or of another time is refused', () => {
  const check = (changed: Partial<LogoutParts>, at = now, edit = (xml: string) => xml) =>
    checkOf(() => readLogout(readMessage(edit(logoutXml({ ...parts, ...changed }))), { ...terms, now: at }));
  assert.equal(check({ sessions: [] }), 'it was taken');
  assert.equal(check({ issuer: 'https://evil.example.com' }), 'issuer');
  assert.equal(check({ destination: `${destination}x` }), 'destination');
  assert.equal(check({}, now + 480_000), 'expired');
  assert.equal(check({}, now - 180_001), 'expired');
  const until = (xml: string) =>
    xml.replace('ID=', `NotOnOrAfter="${new Date(now - 180_000).toISOString()}" ID=`);
  assert.equal(check({}, now, until), 'expired');
  assert.equal(
    check({}, now, (xml) => xml.replaceAll('LogoutRequest', 'LogoutResponse')),
    'message',
  );
  assert.equal(
    check({}, now, (xml) => xml.replaceAll('saml:NameID', 'saml:EncryptedID')),
    'name',
  );
  assert.equal(
    check({}, now, (xml) => xml.replace(/ Destination="[^"]*"/, '')),
    'destination',
  );
});
