/** An identity provider for tests. `xml-crypto` signs its messages, independent of our own parser. */
import { createHmac, createSign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { keptChain } from '../pki/kept-chain.fixture.ts';

export const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

export const provider = keptChain('idp.example.com', 'rsa');
export const stranger = keptChain('stranger.example.com', 'rsa');

export interface ResponseParts {
  /** The assertion consumer service that it is for. */
  readonly consumer: string;
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** '' for none. */
  readonly inResponseTo?: string;
  readonly issuer?: string;
  readonly id?: string;
  readonly user?: string;
  readonly format?: string;
  readonly groups?: readonly string[];
  readonly destination?: string;
  readonly status?: string;
  /** Replaces a part of the assertion before it is signed. */
  readonly edit?: (assertion: string) => string;
}

const issuerOf = ({ issuer = 'https://idp.example.com/metadata' }: ResponseParts): string =>
  `<saml:Issuer>${issuer}</saml:Issuer>`;
const timeOf = (time: number): string => new Date(time).toISOString();
const answering = ({ inResponseTo = '' }: ResponseParts): string =>
  inResponseTo === '' ? '' : ` InResponseTo="${inResponseTo}"`;

export function assertionXml(parts: ResponseParts): string {
  const { consumer, audience, now, id = '_a1', user = 'ada', format = persistent, groups = [] } = parts;
  const values = groups.map((group) => `<saml:AttributeValue>${group}</saml:AttributeValue>`).join('');
  const xml = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:xs="http://www.w3.org/2001/XMLSchema" ID="${id}" Version="2.0" IssueInstant="${timeOf(now)}">${issuerOf(parts)}
  <saml:Subject><saml:NameID Format="${format}" SPNameQualifier="${audience}">${user}</saml:NameID>
    <saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${timeOf(now + 300_000)}" Recipient="${consumer}"${answering(parts)}/></saml:SubjectConfirmation></saml:Subject>
  <saml:Conditions NotBefore="${timeOf(now - 5_000)}" NotOnOrAfter="${timeOf(now + 300_000)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>
  <saml:AuthnStatement AuthnInstant="${timeOf(now)}" SessionIndex="_s1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>
  <saml:AttributeStatement>
    <saml:Attribute Name="email"><saml:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">${user}@Example.com</saml:AttributeValue></saml:Attribute>
    <saml:Attribute Name="urn:oid:2.16.840.1.113730.3.1.241" FriendlyName="displayName"><saml:AttributeValue>Ada L&amp;öve</saml:AttributeValue></saml:Attribute>
    <saml:Attribute Name="groups">${values}</saml:Attribute>
  </saml:AttributeStatement>
</saml:Assertion>`;
  return parts.edit?.(xml) ?? xml;
}

export function responseXml(parts: ResponseParts, content: string): string {
  const {
    consumer,
    now,
    destination = consumer,
    status = 'urn:oasis:names:tc:SAML:2.0:status:Success',
  } = parts;
  return `<?xml version="1.0" encoding="UTF-8"?>
<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r1" Version="2.0" IssueInstant="${timeOf(now)}" Destination="${destination}"${answering(parts)}>${issuerOf(parts)}<samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>${content}</samlp:Response>`;
}

export interface SigningOptions {
  readonly key?: string;
  readonly certificate?: string;
  readonly algorithm?: string;
  readonly digest?: string;
  readonly canonical?: string;
  readonly inclusive?: readonly string[];
}

/** Signs the element of this name, which has one Issuer right below it, as `xml-crypto` does it. */
export function signed(xml: string, name: string, options: SigningOptions = {}): string {
  const { key = provider.key, certificate = provider.leaf, canonical = exclusive, inclusive = [] } = options;
  const algorithm = options.algorithm ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
  const signer = new SignedXml({
    privateKey: key,
    publicCert: certificate,
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: canonical,
  });
  Object.assign(signer.SignatureAlgorithms, furtherAlgorithms);
  const element = `//*[local-name(.)='${name}']`;
  signer.addReference({
    xpath: element,
    digestAlgorithm: options.digest ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: [enveloped, canonical],
    inclusiveNamespacesPrefixList: [...inclusive],
  });
  const location = { reference: `${element}/*[local-name(.)='Issuer']`, action: 'after' } as const;
  signer.computeSignature(xml, { prefix: 'ds', location });
  return signer.getSignedXml();
}

export const ecdsa = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256';
export const hmac = 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256';

/** Signature algorithms that `xml-crypto` does not have. */
const furtherAlgorithms = {
  [ecdsa]: class {
    getSignature = (text: string, key: string): string =>
      createSign('sha256').update(text).sign({ key, dsaEncoding: 'ieee-p1363' }, 'base64');
    verifySignature = (): boolean => false;
    getAlgorithmName = (): string => ecdsa;
  },
  [hmac]: class {
    getSignature = (text: string, key: string): string =>
      createHmac('sha256', key).update(text).digest('base64');
    verifySignature = (): boolean => false;
    getAlgorithmName = (): string => hmac;
  },
};

/** Returns a response as common providers send it: the assertion is signed, the response is not. */
export function answer(parts: ResponseParts, options: SigningOptions = {}): string {
  return signed(responseXml(parts, assertionXml(parts)), 'Assertion', options);
}

export interface LogoutParts {
  /** Assertion consumer URL of the module. */
  readonly destination: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly issuer?: string;
  readonly id?: string;
  readonly user?: string;
  readonly sessions?: readonly string[];
}

/** Returns an unsigned notice that a user has logged out. */
export function logoutXml({
  destination,
  now,
  id = '_l1',
  user = 'ada',
  sessions = [],
  ...parts
}: LogoutParts): string {
  const { issuer = 'https://idp.example.com/metadata' } = parts;
  const indices = sessions.map((index) => `<samlp:SessionIndex>${index}</samlp:SessionIndex>`).join('');
  return `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${timeOf(now)}" Destination="${destination}"><saml:Issuer>${issuer}</saml:Issuer><saml:NameID Format="${persistent}">${user}</saml:NameID>${indices}</samlp:LogoutRequest>`;
}

/** A message in a query, signed there: in lower-case escapes, as some providers write them. */
export function signedQuery(xml: string, relayState: string, key = provider.key): string {
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());
  const text = [
    `SAMLRequest=${encode(deflateRawSync(xml).toString('base64'))}`,
    `RelayState=${encode(relayState)}`,
    `SigAlg=${encode('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')}`,
  ].join('&');
  return `${text}&Signature=${encode(createSign('sha256').update(text).sign(key, 'base64'))}`;
}

export function inForm(xml: string): string {
  return Buffer.from(xml).toString('base64');
}
