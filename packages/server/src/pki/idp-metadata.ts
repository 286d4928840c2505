/**
 * Reads what a SAML identity provider says of itself (SAML 2.0 Metadata, OASIS saml-metadata-2.0-os, section 2.4). Never
 * that a document type or an entity of its own is taken, or that anything is fetched.
 */

import { X509Certificate } from 'node:crypto';
import { DOMParser, type Element, onWarningStopParsing } from '@xmldom/xmldom';
import type { ErrorNeeding } from '../errors/values.ts';

/** Bytes of XML. */
export const maxIdpMetadata = 128 * 1024;
/** What real documents stay far below; the parser's time grows with the product of nesting and namespaces. */
const maxTags = 10_000;
const maxNamespaces = 1_000;

const metadata = 'urn:oasis:names:tc:SAML:2.0:metadata';
const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
const signature = 'http://www.w3.org/2000/09/xmldsig#';
const bindings = {
  'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect': 'redirect',
  'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST': 'post',
} as const;

export interface SignOnService {
  readonly binding: 'redirect' | 'post';
  /** An http or https URL. */
  readonly location: string;
}

export interface IdpMetadata {
  readonly entityId: string;
  /** At least one. */
  readonly signOn: readonly SignOnService[];
  /** With RSA or EC keys; at least one. */
  readonly certificates: readonly X509Certificate[];
}

/** Never throws. `xml` has at most `maxIdpMetadata` bytes. */
export function readIdpMetadata(xml: string): IdpMetadata | ErrorNeeding {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) return 'samlMetadataDoctype';
  if (count(xml, '<') > maxTags || count(xml, 'xmlns') > maxNamespaces) return 'samlMetadataTooComplex';
  const root = parseRoot(xml);
  if (root === null) return 'samlMetadataMalformed';
  const entityId = root.getAttribute('entityID') ?? '';
  if (!is(root, metadata, 'EntityDescriptor') || entityId === '') return 'samlMetadataNotEntity';
  const providers = children(root, metadata, 'IDPSSODescriptor').filter(speaksSaml2);
  if (providers.length === 0) return 'samlMetadataNotProvider';
  const signOn = providers.flatMap(signOnServices);
  if (signOn.length === 0) return 'samlMetadataWithoutSignOn';
  const certificates = providers.flatMap(signingCertificates);
  if (certificates.length === 0) return 'samlMetadataWithoutCertificate';
  return { entityId, signOn, certificates };
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Null for what is not well-formed. */
function parseRoot(xml: string): Element | null {
  try {
    const parser = new DOMParser({ locator: false, onError: onWarningStopParsing });
    return parser.parseFromString(xml.trim(), 'text/xml').documentElement;
  } catch {
    return null;
  }
}

function speaksSaml2(provider: Element): boolean {
  return (provider.getAttribute('protocolSupportEnumeration') ?? '').split(/\s+/).includes(protocol);
}

function signOnServices(provider: Element): SignOnService[] {
  return children(provider, metadata, 'SingleSignOnService').flatMap((service) => {
    const name = service.getAttribute('Binding') ?? '';
    const location = service.getAttribute('Location') ?? '';
    if (!Object.hasOwn(bindings, name) || !isWebAddress(location)) return [];
    return [{ binding: bindings[name as keyof typeof bindings], location }];
  });
}

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
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

function parseCertificate(base64: string): X509Certificate | null {
  const text = base64.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  const der = Buffer.from(text, 'base64');
  // The constructor would take PEM as well.
  if (der[0] !== 0x30) return null;
  try {
    const certificate = new X509Certificate(der);
    return ['rsa', 'ec'].includes(certificate.publicKey.asymmetricKeyType ?? '') ? certificate : null;
  } catch {
    return null;
  }
}

function is(element: Element, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

function children(parent: Element, namespace: string, name: string): Element[] {
  return Array.from(parent.childNodes).filter(
    (node): node is Element => node.nodeType === node.ELEMENT_NODE && is(node as Element, namespace, name),
  );
}
