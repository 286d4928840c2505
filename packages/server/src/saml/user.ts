/** Who a user is by the attributes of an assertion. Never longer than what has room in a cookie and in headers. */
import type { Element } from '@xmldom/xmldom';
import { asciiLower, isEmailAddress } from '../core/email-address.ts';
import type { LoginUser } from '../login/session.ts';
import { children } from '../pki/xml.ts';
import { trimXml } from '../pki/xml-types.ts';
import { assertion, emailFormat } from './names.ts';

/** How the provider calls a user, word for word: it is to know the name again. */
export interface NameId {
  readonly value: string;
  /** Those of Format, NameQualifier and SPNameQualifier that it had. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Characters that could end a header; those from U+0080 on are text of XML. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const controls = /[\0-\x1f\x7f]/;
const mostText = 255;
const mostGroups = 500;

/** By what the usual providers call them: short names, claims of Microsoft's, and object identifiers of X.500. */
const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const emailNames = ['email', 'mail', `${claims}/emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3'];
const fullNames = ['name', 'displayName', `${claims}/name`, 'urn:oid:2.16.840.1.113730.3.1.241'];
const groupNames = ['groups', 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups'];

/** `attributes` are verified. */
export function userOf(name: NameId, attributes: readonly Element[]): LoginUser {
  const valuesOf = (names: readonly string[]): string[] =>
    names.flatMap((wanted) => attributes.filter((one) => isCalled(one, wanted)).flatMap(valuesIn));
  const isEmail = name.attributes.Format === emailFormat;
  const [email = isEmail ? name.value : ''] = valuesOf(emailNames);
  const [fullName = ''] = valuesOf(fullNames);
  const groups = [...new Set(valuesOf(groupNames))].slice(0, mostGroups);
  const address = isEmailAddress(email) ? asciiLower(email) : '';
  return { id: name.value, email: address, isEmailVerified: false, name: fullName, groups };
}

function isCalled(attribute: Element, wanted: string): boolean {
  return attribute.getAttribute('Name') === wanted || attribute.getAttribute('FriendlyName') === wanted;
}

/** Those that can stand in a header, whole: half of a group's name could be another group. */
function valuesIn(attribute: Element): string[] {
  return children(attribute, assertion, 'AttributeValue')
    .map((value) => trimXml(value.textContent ?? ''))
    .filter((text) => text !== '' && text.length <= mostText && !controls.test(text));
}
