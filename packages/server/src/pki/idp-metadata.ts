/**
 * Reads what a SAML identity provider says of itself (SAML 2.0 Metadata, OASIS saml-metadata-2.0-os, section 2.4). Never
 * that a document type or an entity of its own is taken, or that anything is fetched.
 */

import { type KeyObject, X509Certificate } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import type { ErrorNeeding } from '../errors/values.ts';
import { children, isElement, readXml, uriIn, type XmlFault } from './xml.ts';
import { base64Bytes, dateTimeIn, listIn, trimXml } from './xml-types.ts';

/** Bytes of XML. */
export const maxIdpMetadata = 128 * 1024;
/** What real documents stay far below. */
const limits = { tags: 10_000, namespaces: 1_000, attributes: 5_000 };
const faults: { readonly [Fault in XmlFault]: ErrorNeeding } = {
  doctype: 'samlMetadataDoctype',
  complex: 'samlMetadataTooComplex',
  malformed: 'samlMetadataMalformed',
};

/** Shorter ones can be broken. */
const leastModulusBits = 2048;

const declaredEncoding = /^(<\?xml[^<>?]*?)[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*(?:"[\w.-]+"|'[\w.-]+')/;
const metadata = 'urn:oasis:names:tc:SAML:2.0:metadata';
const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
const signature = 'http://www.w3.org/2000/09/xmldsig#';
const bindings = {
  'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect': 'redirect',
  'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST': 'post',
} as const;

export interface ProviderService {
  readonly binding: 'redirect' | 'post';
  /** An http or https URL. */
  readonly location: string;
  /** Where answers go: the location, unless the provider says otherwise. */
  readonly answers: string;
}

export interface IdpMetadata {
  readonly entityId: string;
  /** At least one. */
  readonly signOn: readonly ProviderService[];
  readonly logout: readonly ProviderService[];
  /** With EC keys, or RSA keys that are long enough; at least one. Their dates and issuers say nothing: it is the keys that are trusted. */
  readonly certificates: readonly X509Certificate[];
  /** Milliseconds since 1970; null: it does not say. */
  readonly validUntil: number | null;
}

/** Never throws. `xml` has at most `maxIdpMetadata` bytes. */
export function readIdpMetadata(xml: string): IdpMetadata | ErrorNeeding {
  const root = readXml(xmlTextOf(xml), limits);
  if (typeof root === 'string') return faults[root];
  const entityId = uriIn(root, 'entityID') ?? '';
  if (!isElement(root, metadata, 'EntityDescriptor') || entityId === '') return 'samlMetadataNotEntity';
  const providers = children(root, metadata, 'IDPSSODescriptor').filter(speaksSaml2);
  if (providers.length === 0) return 'samlMetadataNotProvider';
  const signOn = providers.flatMap((provider) => services(provider, 'SingleSignOnService'));
  if (signOn.length === 0) return 'samlMetadataWithoutSignOn';
  const certificates = providers.flatMap(signingCertificates);
  if (certificates.length === 0) return 'samlMetadataWithoutCertificate';
  const logout = providers.flatMap((provider) => services(provider, 'SingleLogoutService'));
  const ends = [root, ...providers].flatMap(endOf);
  if (ends.some(Number.isNaN)) return 'samlMetadataTimeInvalid';
  const validUntil = ends.length === 0 ? null : Math.min(...ends);
  return { entityId, signOn, logout, certificates, validUntil };
}

/** NaN for what is no time. Without a zone it is in UTC, as all times of SAML are. */
function endOf(element: Element): number[] {
  const text = element.getAttribute('validUntil');
  if (text === null) return [];
  return [dateTimeIn(text)?.time ?? Number.NaN];
}

function speaksSaml2(provider: Element): boolean {
  return listIn(provider.getAttribute('protocolSupportEnumeration') ?? '').includes(protocol);
}

function services(provider: Element, kind: 'SingleSignOnService' | 'SingleLogoutService'): ProviderService[] {
  return children(provider, metadata, kind).flatMap((service) => {
    const name = uriIn(service, 'Binding') ?? '';
    const location = uriIn(service, 'Location') ?? '';
    if (!Object.hasOwn(bindings, name) || !isWebAddress(location)) return [];
    const answers = uriIn(service, 'ResponseLocation') || location;
    if (!isWebAddress(answers)) return [];
    return [{ binding: bindings[name as keyof typeof bindings], location, answers }];
  });
}

/** A file may begin with a byte order mark, and a pasted one with white space. Text is in no encoding any more, whatever it declares. */
function xmlTextOf(xml: string): string {
  return trimXml(xml.replace(/^\uFEFF/, '')).replace(declaredEncoding, '$1');
}

/** Word for word it goes into headers, where a line end, which URLs may have anywhere, would begin another one. */
function isWebAddress(text: string): boolean {
  const url = /^[!-~]+$/.test(text) && URL.canParse(text) ? new URL(text) : null;
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}

/** Of keys for signing, and of keys that are for everything because their use is not stated. */
function signingCertificates(provider: Element): X509Certificate[] {
  return children(provider, metadata, 'KeyDescriptor')
    .filter((key) => ['', 'signing'].includes(key.getAttribute('use') ?? ''))
    .flatMap((key) => children(key, signature, 'KeyInfo'))
    .flatMap((info) => children(info, signature, 'X509Data'))
    .flatMap((data) => children(data, signature, 'X509Certificate'))
    .flatMap((element) => parseCertificate(element.textContent ?? '') ?? []);
}

function canBeTrusted({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength = 0 } = asymmetricKeyDetails ?? {};
  return asymmetricKeyType === 'ec' || (asymmetricKeyType === 'rsa' && modulusLength >= leastModulusBits);
}

function parseCertificate(base64: string): X509Certificate | null {
  const der = base64Bytes(base64);
  // The constructor would take PEM as well.
  if (der === null || der[0] !== 0x30) return null;
  try {
    const certificate = new X509Certificate(der);
    return canBeTrusted(certificate.publicKey) ? certificate : null;
  } catch {
    return null;
  }
}
