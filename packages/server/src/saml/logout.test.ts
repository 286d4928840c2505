import assert from 'node:assert/strict';
import { createSign, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { LoginFault } from '../login/login-fault.ts';
import { keptChain } from '../pki/kept-chain.fixture.ts';
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

test('queries of providers that encode and order them in other ways are verified', () => {
  const ec = keptChain('ec.example.com', 'ec');
  const both = [{ publicKey: new X509Certificate(ec.leaf).publicKey }, ...keys];
  const message = deflateRawSync(logoutXml(parts)).toString('base64');
  const lower = (text: string): string =>
    encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());
  const every = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const lines = (text: string): string => encodeURIComponent(text.replace(/.{76}/g, '$&\r\n'));
  const algorithm = (name: string): string => `http://www.w3.org/2001/04/xmldsig-more#${name}`;
  const kinds = [
    { algorithm: algorithm('rsa-sha256'), hash: 'sha256', key: { key: provider.key } },
    { algorithm: algorithm('rsa-sha512'), hash: 'sha512', key: { key: provider.key } },
    { algorithm: algorithm('ecdsa-sha256'), hash: 'sha256', key: { key: ec.key, dsaEncoding: 'ieee-p1363' } },
    { algorithm: algorithm('ecdsa-sha256'), hash: 'sha256', key: { key: ec.key, dsaEncoding: 'der' } },
  ] as const;
  const idOf = (query: string): string | null => requestInQuery(query, both).getAttribute('ID');
  for (const kind of kinds)
    for (const encode of [encodeURIComponent, lower, every, lines]) {
      const sent = `SAMLRequest=${encode(message)}`;
      const signedBy = (text: string): string =>
        encode(createSign(kind.hash).update(text).sign(kind.key, 'base64'));
      const rest = `SigAlg=${encodeURIComponent(kind.algorithm)}`;
      const plain = signedBy(`${sent}&${rest}`);
      assert.equal(idOf(`${sent}&${rest}&Signature=${plain}`), '_l1');
      assert.equal(idOf(`Signature=${plain}&${rest}&x=y&${sent}`), '_l1', 'in another order');
      assert.equal(
        idOf(`${sent}&RelayState=&${rest}&Signature=${plain}`),
        '_l1',
        'an empty RelayState, unsigned',
      );
      const empty = signedBy(`${sent}&RelayState=&${rest}`);
      assert.equal(
        idOf(`${sent}&RelayState=&${rest}&Signature=${empty}`),
        '_l1',
        'an empty RelayState, signed',
      );
      assert.equal(
        checkOf(() => idOf(`${sent}&RelayState=x&${rest}&Signature=${plain}`)),
        'signature',
      );
      assert.equal(
        checkOf(() => idOf(`${sent}&${rest}&Signature=${empty}`)),
        'signature',
      );
    }
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
