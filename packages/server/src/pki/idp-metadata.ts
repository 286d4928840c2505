/**
 * Reads the metadata of a SAML identity provider (OASIS saml-metadata-2.0-os, section 2.4).
 * Invariant: a document type or an entity declaration is refused, and nothing is fetched.
 */
import type { X509Certificate } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import type { ErrorName } from '../errors/catalogue.ts';
import type { ErrorNeeding, ProblemValues } from '../errors/values.ts';
import { readCertificates } from './certificate-text.ts';
import { children, elementsIn, isElement, readXml, uriIn, type XmlFault } from './xml.ts';
import { dateTimeIn, listIn, trimXml } from './xml-types.ts';

/** Bytes of XML. */
export const maxIdpMetadata = 128 * 1024;
/** Limits far above real documents. */
const limits = { tags: 10_000, namespaces: 1_000, attributes: 5_000 };
const faults: { readonly [Fault in XmlFault]: ErrorNeeding } = {
  doctype: 'samlMetadataDoctype',
  complex: 'samlMetadataTooComplex',
  malformed: 'samlMetadataMalformed',
};

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
  /** Location for responses: the location of requests, unless the provider names another one. */
  readonly answers: string;
}

export interface IdpMetadata {
  readonly entityId: string;
  /** One or more services. */
  readonly signOn: readonly ProviderService[];
  readonly logout: readonly ProviderService[];
  /**
   * Certificates with EC keys, or with long enough RSA keys; at least one. Their dates and issuers do not count,
   * because the keys are trusted.
   */
  readonly certificates: readonly X509Certificate[];
  /** Milliseconds since 1970; null if the metadata has no end. */
  readonly validUntil: number | null;
}

/** Reason why metadata cannot be used, as a condition of the catalogue with its values. */
export interface MetadataFault {
  readonly fault: ErrorName;
  readonly values: ProblemValues;
}

/** Entities in entities, of which real documents have one level. */
const mostNesting = 8;

/** Never throws. `xml` has at most `maxIdpMetadata` bytes. */
export function readIdpMetadata(xml: string): IdpMetadata | MetadataFault {
  const root = readXml(xmlTextOf(xml), limits);
  if (typeof root === 'string') return because(faults[root]);
  const entities = entitiesIn(root);
  if (entities.length === 0) return because('samlMetadataNotEntity');
  const identityProviders = entities.filter(({ entity }) => rolesOf(entity).length > 0);
  const [only, ...others] = identityProviders;
  if (only === undefined) return because('samlMetadataNotProvider');
  if (others.length > 0)
    return { fault: 'samlMetadataSeveralProviders', values: { count: identityProviders.length } };
  return readEntity(only);
}

function because(fault: ErrorNeeding): MetadataFault {
  return { fault, values: {} };
}

/** An EntityDescriptor with an entityID, and the EntitiesDescriptors around it. */
interface Found {
  readonly entity: Element;
  readonly around: readonly Element[];
}

function entitiesIn(element: Element, around: readonly Element[] = []): Found[] {
  if (isElement(element, metadata, 'EntityDescriptor'))
    return entityIdOf(element) === '' ? [] : [{ entity: element, around }];
  if (!isElement(element, metadata, 'EntitiesDescriptor') || around.length >= mostNesting) return [];
  const outer = [...around, element];
  return elementsIn(element).flatMap((one) => entitiesIn(one, outer));
}

function entityIdOf(entity: Element): string {
  return uriIn(entity, 'entityID') ?? '';
}

function rolesOf(entity: Element): Element[] {
  return children(entity, metadata, 'IDPSSODescriptor').filter(speaksSaml2);
}

function readEntity({ entity, around }: Found): IdpMetadata | MetadataFault {
  const roles = rolesOf(entity);
  const signOn = roles.flatMap((role) => services(role, 'SingleSignOnService'));
  if (signOn.length === 0) return because('samlMetadataWithoutSignOn');
  const found = roles.flatMap(signingCertificates).map(readCertificates);
  const certificates = found.flatMap(({ usable }) => usable);
  if (certificates.length === 0) {
    const [reason = 'no KeyDescriptor for signing has an X509Certificate'] = found.flatMap(
      (one) => one.faults,
    );
    return { fault: 'samlMetadataWithoutCertificate', values: { reason } };
  }
  const logout = roles.flatMap((role) => services(role, 'SingleLogoutService'));
  const ends = [...around, entity, ...roles].flatMap(endOf);
  if (ends.some(Number.isNaN)) return because('samlMetadataTimeInvalid');
  const validUntil = ends.length === 0 ? null : Math.min(...ends);
  return { entityId: entityIdOf(entity), signOn, logout, certificates, validUntil };
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

/** Texts of certificates for signing, and of those for everything because their use is not stated. */
function signingCertificates(provider: Element): string[] {
  return children(provider, metadata, 'KeyDescriptor')
    .filter((key) => ['', 'signing'].includes(trimXml(key.getAttribute('use') ?? '')))
    .flatMap((key) => children(key, signature, 'KeyInfo'))
    .flatMap((info) => children(info, signature, 'X509Data'))
    .flatMap((data) => children(data, signature, 'X509Certificate'))
    .map((element) => element.textContent ?? '');
}
