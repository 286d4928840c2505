/** Reads from the attributes of an assertion who a user is. */
import type { Element } from '@xmldom/xmldom';
import { asciiLower, isEmailAddress } from '../core/modules/email-address.ts';
import type { LoginUser } from '../login/session.ts';
import { children, elementsIn } from '../pki/xml.ts';
import { trimXml } from '../pki/xml-types.ts';
import { assertion, emailFormat } from './names.ts';

/** A provider's name for a user, unchanged, because the provider must recognise it. */
export interface NameId {
  readonly value: string;
  /** Format, NameQualifier and SPNameQualifier, if the provider sent them. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Characters that could end a header; those from U+0080 on are text of XML. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const controls = /[\0-\x1f\x7f]/;
const mostText = 255;

/** Names of attributes at common providers: short names, Microsoft's claims, and X.500 object identifiers. */
const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const emailNames = ['email', 'mail', `${claims}/emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3'];
const fullNames = ['name', 'displayName', `${claims}/name`, 'urn:oid:2.16.840.1.113730.3.1.241'];

/** The attributes with groups of the usual providers, compared in lower case: short names, claims of Microsoft and ADFS, and eduPerson. */
const groupNames: ReadonlySet<string> = new Set([
  ...['groups', 'memberof', 'member', 'role', 'roles', 'group'],
  'http://schemas.xmlsoap.org/claims/group',
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/role',
  'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
  'urn:oid:1.3.6.1.4.1.5923.1.1.1.7',
]);

/** `attributes` are verified. `groupAttributes`: names of those with groups; empty for the usual ones. */
export function userOf(
  name: NameId,
  attributes: readonly Element[],
  groupAttributes: readonly string[],
): LoginUser {
  const valuesOf = (names: readonly string[]): string[] =>
    names.flatMap((wanted) => attributes.filter((one) => isCalled(one, wanted)).flatMap(valuesIn));
  const isEmail = name.attributes.Format === emailFormat;
  const [email = isEmail ? name.value : ''] = valuesOf(emailNames);
  const [fullName = ''] = valuesOf(fullNames);
  const hasGroups = groupAttributes.length === 0 ? isUsual : isListed(groupAttributes);
  // All of them: the module's list is compared before a cookie has room for some only. The message is bounded.
  const groups = [...new Set(attributes.filter(hasGroups).flatMap(valuesIn))];
  const address = isEmailAddress(email) ? asciiLower(email) : '';
  return { id: name.value, email: address, isEmailVerified: false, name: fullName, groups };
}

/** Names of attributes in their order, each once. */
export function namesOf(attributes: readonly Element[]): readonly string[] {
  return [...new Set(attributes.map((one) => trimXml(one.getAttribute('Name') ?? '')))];
}

/** The name and the friendly name of an attribute. */
function namesIn(attribute: Element): readonly string[] {
  return ['Name', 'FriendlyName'].map((one) => trimXml(attribute.getAttribute(one) ?? ''));
}

function isCalled(attribute: Element, wanted: string): boolean {
  return namesIn(attribute).includes(wanted);
}

function isUsual(attribute: Element): boolean {
  return namesIn(attribute).some((one) => groupNames.has(asciiLower(one)));
}

function isListed(names: readonly string[]): (attribute: Element) => boolean {
  return (attribute) => namesIn(attribute).some((one) => names.includes(one));
}

/** Values that can be in a header, whole: half of a group's name could be another group. */
function valuesIn(attribute: Element): string[] {
  return children(attribute, assertion, 'AttributeValue')
    .flatMap(textsIn)
    .map(trimXml)
    .filter((text) => text !== '' && text.length <= mostText && !controls.test(text));
}

/** The text of a value, or of each element in it: texts of two elements are two values. */
function textsIn(element: Element): string[] {
  const inner = elementsIn(element);
  return inner.length === 0 ? [element.textContent ?? ''] : inner.flatMap(textsIn);
}
