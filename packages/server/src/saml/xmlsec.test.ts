/** Responses that xmlsec1 has signed: an implementation of XML Signature that knows nothing of ours. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingPrograms } from '../../../../test/harness/missing.ts';
import { LoginFault } from '../login/login-fault.ts';
import { fromPost } from './message.ts';
import {
  assertionXml,
  exclusive,
  inForm,
  provider,
  type ResponseParts,
  responseXml,
} from './provider.fixture.ts';
import { readResponse } from './response.ts';

const audience = 'https://idp.tunnels.example.com/saml/edghtsrt_1';
const now = Date.parse('2026-01-01');
const parts: ResponseParts = {
  consumer: `${audience}/acs`,
  audience,
  now,
  inResponseTo: '_q1',
  groups: ['staff'],
};
const namespaces = {
  Response: 'urn:oasis:names:tc:SAML:2.0:protocol',
  Assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
} as const;

interface Options {
  readonly hash?: string;
  readonly canonical?: string;
  /** Prefix list of InclusiveNamespaces. */
  readonly prefixes?: string;
}

/** A signature for xmlsec1 to fill in. */
function template(id: string, { hash = 'sha256', canonical = exclusive, prefixes = '' }: Options): string {
  const more = 'http://www.w3.org/2001/04/xmldsig-more#';
  const digest = hash === 'sha384' ? `${more}sha384` : `http://www.w3.org/2001/04/xmlenc#${hash}`;
  const list =
    prefixes === '' ? '' : `<ec:InclusiveNamespaces xmlns:ec="${exclusive}" PrefixList="${prefixes}"/>`;
  return `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${canonical}"/><ds:SignatureMethod Algorithm="${more}rsa-${hash}"/><ds:Reference URI="#${id}"><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><ds:Transform Algorithm="${canonical}">${list}</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="${digest}"/><ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/><ds:KeyInfo><ds:X509Data><ds:X509Certificate/></ds:X509Data></ds:KeyInfo></ds:Signature>`;
}

function signedByXmlsec(xml: string, name: keyof typeof namespaces, options: Options = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-xmlsec-'));
  try {
    const [key, certificate, message] = ['key', 'certificate', 'message'].map((file) => join(folder, file));
    writeFileSync(key!, provider.key, { mode: 0o600 });
    writeFileSync(certificate!, provider.leaf);
    const [, id = ''] = new RegExp(`:${name} [^>]*ID="([^"]*)"`).exec(xml) ?? [];
    const element = xml.indexOf(`:${name} `);
    const at = xml.indexOf('</saml:Issuer>', element) + '</saml:Issuer>'.length;
    writeFileSync(message!, xml.slice(0, at) + template(id, options) + xml.slice(at));
    const ids = Object.entries(namespaces).flatMap(([one, uri]) => ['--id-attr:ID', `${uri}:${one}`]);
    const args = ['--sign', '--privkey-pem', `${key},${certificate}`, ...ids, '--node-xpath'];
    const path = `/*[local-name()='Response']${name === 'Response' ? '' : "/*[local-name()='Assertion']"}/*[local-name()='Signature']`;
    return execFileSync('xmlsec1', [...args, path, message!], { encoding: 'utf8', stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The name and groups of the user who is let in, or the check that refuses the message. */
function outcome(xml: string): string {
  try {
    const { user } = readResponse(fromPost(inForm(xml)), {
      ...{ audience, now, consumer: parts.consumer, inResponseTo: '_q1', authenticatedSince: null },
      issuer: 'https://idp.example.com/metadata',
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      groupAttributes: [],
      keys: [{ publicKey: new X509Certificate(provider.leaf).publicKey }],
    });
    return `${user.id} of ${user.groups}`;
  } catch (error) {
    assert.ok(error instanceof LoginFault, String(error));
    return error.check;
  }
}

test('responses and assertions that xmlsec1 has signed log their user in', {
  skip: missingPrograms('xmlsec1'),
}, () => {
  const plain = responseXml(parts, assertionXml(parts));
  const options: readonly Options[] = [
    {},
    { hash: 'sha384' },
    { hash: 'sha512' },
    { canonical: `${exclusive}WithComments` },
    { prefixes: 'xs saml' },
    { prefixes: '#default xs samlp nobody' },
  ];
  for (const one of options) {
    const told = JSON.stringify(one);
    const assertion = signedByXmlsec(plain, 'Assertion', one);
    assert.equal(outcome(assertion), 'ada of staff', told);
    assert.equal(outcome(signedByXmlsec(plain, 'Response', one)), 'ada of staff', told);
    assert.equal(outcome(signedByXmlsec(assertion, 'Response', one)), 'ada of staff', `both, ${told}`);
  }
  const whole = signedByXmlsec(plain, 'Response');
  assert.equal(outcome(whole.replace('>ada<', '>root<')), 'digest');
  assert.equal(outcome(whole.replace('>staff<', '>admin<')), 'digest');
});
