/** Judges an assertion (saml-core-2.0-os, section 2; saml-profiles-2.0-os, section 4.1.4.3). Never one that was made for another service, another login or another time. */
import type { Element } from '@xmldom/xmldom';
import type { LoginUser } from '../login/session.ts';
import { children, elementsIn, isElement, uriIn } from '../pki/xml.ts';
import { trimXml } from '../pki/xml-types.ts';
import { assertion, bearer, entityFormat, unspecifiedFormat } from './names.ts';
import { quoted, refused } from './refused.ts';
import { refuseUnlessNow, skewMs, timeOf } from './times.ts';
import { controls, type NameId, namesOf, userOf } from './user.ts';

export interface AssertionTerms {
  /** The provider that must have issued the assertion. */
  readonly issuer: string;
  /** Entity id of this service. */
  readonly audience: string;
  /** URL that accepts assertions. */
  readonly consumer: string;
  /** The id of the request that it has to answer; null: it answers none. */
  readonly inResponseTo: string | null;
  /** Format of the name by which the assertion must identify the user. */
  readonly nameIdFormat: string;
  /** Names of the attributes with the user's groups; empty: the usual ones. */
  readonly groupAttributes: readonly string[];
  /** The user has to have proven since then who it is, in milliseconds since 1970; null: whenever. */
  readonly authenticatedSince: number | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface VouchedUser {
  /** Id of the assertion. */
  readonly id: string;
  readonly user: LoginUser;
  readonly name: NameId;
  /** Names of all attributes of the assertion. */
  readonly attributeNames: readonly string[];
  /** Index of the user's session at the provider; '' if it has none. */
  readonly sessionIndex: string;
  /** End of the session; null if the provider sets none. */
  readonly sessionUntil: number | null;
  /** Time from which the assertion is rejected as too old. */
  readonly usableUntil: number;
}

const mostName = 255;
/** Upper limit for all providers, because used assertions have to be remembered. */
const mostAgeMs = 24 * 60 * 60_000;
/** One use is all that each assertion has here, and none is handed on. */
const knownConditions = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'];

/** `element` is verified. Throws LoginFault. */
export function readAssertion(element: Element, terms: AssertionTerms): VouchedUser {
  const id = element.getAttribute('ID') ?? '';
  if (!isElement(element, assertion, 'Assertion') || id === '')
    throw refused('assertion', 'what is signed is no assertion');
  if (element.getAttribute('Version') !== '2.0')
    throw refused('version', 'the assertion is not of version 2.0');
  refuseIssuer(only(element, 'Issuer'), terms);
  const subject = only(element, 'Subject');
  const name = nameIdIn(subject, terms);
  const usableUntil = Math.min(confirmedUntil(subject, terms), agedAt(element, terms));
  refuseConditions(only(element, 'Conditions'), terms);
  const session = sessionIn(element, terms);
  const attributes = children(element, assertion, 'AttributeStatement').flatMap((statement) =>
    children(statement, assertion, 'Attribute'),
  );
  return {
    ...{ id, name, attributeNames: namesOf(attributes), ...session },
    user: userOf(name, attributes, terms.groupAttributes),
    usableUntil: usableUntil + skewMs,
  };
}

function refuseIssuer(issuer: Element, terms: AssertionTerms): void {
  if (textIn(issuer) !== terms.issuer)
    throw refused('issuer', `the assertion is by ${quoted(textIn(issuer))}`);
  const format = uriIn(issuer, 'Format') ?? '';
  if (![entityFormat, unspecifiedFormat, ''].includes(format))
    throw refused('issuer', `the issuer of the assertion is named by ${quoted(format)}, and is no entity`);
}

/** Returns the end of the assertion's greatest age. */
function agedAt(element: Element, { now }: AssertionTerms): number {
  const at = element.getAttribute('IssueInstant') ?? '';
  const issued = timeOf(at);
  // The conditions contain the start of the validity.
  if (now < issued - mostAgeMs)
    throw refused('not yet', `the assertion was made at ${at}, more than a day ahead`);
  const until = issued + mostAgeMs;
  if (now >= until + skewMs) throw refused('expired', `the assertion was made at ${at}, more than a day ago`);
  return until;
}

function nameIdIn(subject: Element, { nameIdFormat }: AssertionTerms): NameId {
  if (children(subject, assertion, 'NameID').length === 0)
    throw refused('name', 'the subject of the assertion has no NameID, or an encrypted one');
  const element = only(subject, 'NameID');
  const value = textIn(element);
  if (value === '' || value.length > mostName || controls.test(value))
    throw refused('name', 'the name of the user is empty, too long, or has control characters');
  const format = uriIn(element, 'Format') ?? unspecifiedFormat;
  if (nameIdFormat !== unspecifiedFormat && format !== nameIdFormat)
    throw refused('name format', `the user is named by ${quoted(format)} instead of ${nameIdFormat}`);
  const names = ['Format', 'NameQualifier', 'SPNameQualifier'];
  const attributes = names.flatMap((one): [string, string][] => {
    const text = element.getAttribute(one);
    return text === null ? [] : [[one, text]];
  });
  return { value, attributes: Object.fromEntries(attributes) };
}

/**
 * Returns the end of the time in which the assertion may be used. Throws the fault of the last confirmation if none
 * is valid.
 */
function confirmedUntil(subject: Element, terms: AssertionTerms): number {
  let fault: unknown = refused('confirmation', 'the assertion has no bearer confirmation');
  for (const confirmation of children(subject, assertion, 'SubjectConfirmation')) {
    if (uriIn(confirmation, 'Method') !== bearer) continue;
    try {
      return bearerUntil(only(confirmation, 'SubjectConfirmationData'), terms);
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

function bearerUntil(data: Element, { consumer, inResponseTo, now }: AssertionTerms): number {
  const recipient = uriIn(data, 'Recipient');
  if (recipient !== consumer) throw refused('recipient', `the assertion is to go to ${quoted(recipient)}`);
  const answered = data.getAttribute('InResponseTo') || null;
  if (answered !== inResponseTo)
    throw refused(
      'in response to',
      answered === null
        ? 'the assertion answers no request, and the login was begun here'
        : `the assertion answers ${quoted(answered)}, which is not a request of this service`,
    );
  const until = refuseUnlessNow(data, 'the confirmation', now);
  if (until === null) throw refused('time', 'the confirmation has no end');
  return until;
}

function refuseConditions(conditions: Element, { audience, now }: AssertionTerms): void {
  refuseUnlessNow(conditions, 'the assertion', now);
  // An unknown condition could be the one that keeps the user out (saml-core-2.0-os, section 2.5.1.1).
  const strange = elementsIn(conditions).find(
    (one) => !knownConditions.some((name) => isElement(one, assertion, name)),
  );
  if (strange !== undefined)
    throw refused('conditions', `the condition ${quoted(strange.nodeName)} is not known here`);
  const restrictions = children(conditions, assertion, 'AudienceRestriction');
  if (restrictions.length === 0) throw refused('audience', 'the assertion is for no service by name');
  for (const restriction of restrictions) {
    const audiences = children(restriction, assertion, 'Audience').map(textIn);
    if (!audiences.includes(audience))
      throw refused('audience', `the assertion is for ${quoted(audiences.join(' '))}`);
  }
}

function sessionIn(
  element: Element,
  { authenticatedSince, now }: AssertionTerms,
): Pick<VouchedUser, 'sessionIndex' | 'sessionUntil'> {
  const statements = children(element, assertion, 'AuthnStatement');
  if (statements.length === 0) throw refused('statement', 'the assertion has no authentication statement');
  for (const statement of statements) {
    const at = statement.getAttribute('AuthnInstant') ?? '';
    // The bearer of the request could have removed the demand for it.
    if (authenticatedSince !== null && timeOf(at) < authenticatedSince - skewMs)
      throw refused(
        'authentication',
        `the provider last authenticated the user at ${at}, and must do so for each login`,
      );
  }
  const ends = statements.flatMap((statement) => statement.getAttribute('SessionNotOnOrAfter') ?? []);
  const sessionUntil = ends.length === 0 ? null : Math.min(...ends.map(timeOf));
  if (sessionUntil !== null && now >= sessionUntil)
    throw refused('expired', 'the session at the provider has ended');
  const [sessionIndex = ''] = statements.flatMap((statement) => statement.getAttribute('SessionIndex') ?? []);
  return { sessionIndex, sessionUntil };
}

function only(parent: Element, name: string): Element {
  const [first, ...others] = children(parent, assertion, name);
  if (first !== undefined && others.length === 0) return first;
  throw refused('assertion', `the assertion has not exactly one ${name} in its ${parent.localName}`);
}

function textIn(element: Element): string {
  return trimXml(element.textContent ?? '');
}
