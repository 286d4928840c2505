/**
 * Reads the response of an identity provider to a login (saml-profiles-2.0-os, section 4.1.4). A signature of the assertion counts, or one of the
 * response around it; if both have one, both are verified.
 * Invariant: the user is read from verified bytes alone, and unverified parts can only lead to a refusal.
 */
import type { Element } from '@xmldom/xmldom';
import { LoginFault } from '../login/login-fault.ts';
import { children, isElement, uriIn } from '../pki/xml.ts';
import { trimXml } from '../pki/xml-types.ts';
import { type AssertionTerms, readAssertion, type VouchedUser } from './assertion.ts';
import { allIn } from './message.ts';
import { assertion, protocol, signature, success } from './names.ts';
import { quoted, refused } from './refused.ts';
import { type Opened, open, type VerificationKey } from './signed.ts';

export interface ResponseTerms<Key> extends AssertionTerms {
  /** Keys of the provider, from its metadata. */
  readonly keys: readonly Key[];
}

export interface ReadResponse<Key> extends VouchedUser {
  /** The one that verified the assertion, or the response around it. */
  readonly key: Key;
}

/** Throws LoginFault. */
export function readResponse<Key extends VerificationKey>(
  response: Element,
  terms: ResponseTerms<Key>,
): ReadResponse<Key> {
  refuseAround(response, terms);
  const only = onlyAssertion(response);
  const whole = isSigned(response) ? verified(response, terms) : null;
  const own = isSigned(only) ? open(only, terms.keys) : null;
  const opened = own ?? (whole && { key: whole.key, element: onlyAssertion(whole.element) });
  if (opened === null)
    throw refused('unsigned', 'neither the response nor its assertion has a signature of its own');
  return { ...readAssertion(opened.element, terms), key: opened.key };
}

function isSigned(element: Element): boolean {
  return children(element, signature, 'Signature').length > 0;
}

/** The response as its own signature covers it. */
function verified<Key extends VerificationKey>(response: Element, terms: ResponseTerms<Key>): Opened<Key> {
  const opened = open(response, terms.keys);
  refuseAround(opened.element, terms);
  const [issuer] = children(opened.element, assertion, 'Issuer').map(textIn);
  if (issuer !== undefined && issuer !== terms.issuer)
    throw refused('issuer', `the response is by ${quoted(issuer)}`);
  return opened;
}

/** Checks parts of the response that may be unsigned: an unsigned part proves nothing. */
function refuseAround(response: Element, { consumer, inResponseTo }: AssertionTerms): void {
  if (!isElement(response, protocol, 'Response')) throw refused('message', 'the message is no Response');
  const destination = uriIn(response, 'Destination') ?? '';
  // The assertion has the same address as its Recipient, which is compared in any case.
  if (destination !== '' && destination !== consumer)
    throw refused('destination', `the response is for ${quoted(destination)}`);
  const answered = response.getAttribute('InResponseTo') ?? '';
  if (answered !== '' && answered !== inResponseTo)
    throw refused(
      'in response to',
      `the response answers ${quoted(answered)}, which is not a request of this service`,
    );
  refuseUnlessSuccess(response);
}

/**
 * Nested codes are more precise than the outermost one, and so may be a message of the provider (saml-core-2.0-os,
 * section 3.2.2).
 */
function refuseUnlessSuccess(response: Element): void {
  const [status] = children(response, protocol, 'Status');
  const [code] = status === undefined ? [] : children(status, protocol, 'StatusCode');
  if (status === undefined || code === undefined)
    throw refused('status', 'the response has no Status with a StatusCode');
  if (uriIn(code, 'Value') === success) return;
  const codes = allIn(status).flatMap((element) => uriIn(element, 'Value') || []);
  const words = children(status, protocol, 'StatusMessage').map(textIn).filter(Boolean).join(' ');
  const said = words === '' ? '' : `, and says ${quoted(words)}`;
  const reason = `the provider answers with ${quoted(codes.join(' '))}${said}`;
  throw new LoginFault('loginDeclined', 'status', reason);
}

function textIn(element: Element): string {
  return trimXml(element.textContent ?? '');
}

/** There is no other one anywhere, nor a signature in a place where it would be of something else. */
function onlyAssertion(response: Element): Element {
  const all = allIn(response);
  if (all.some((element) => isElement(element, assertion, 'EncryptedAssertion')))
    throw refused('encrypted', 'the assertion is encrypted, for which this service has given no key');
  const assertions = all.filter((element) => isElement(element, assertion, 'Assertion'));
  const [only] = assertions;
  if (only === undefined || assertions.length > 1)
    throw refused('assertions', `the response has ${assertions.length} assertions`);
  if (only.parentNode !== response)
    throw refused('assertion place', 'the assertion is not a child of the response');
  const signatures = all.filter((element) => isElement(element, signature, 'Signature'));
  if (signatures.some(({ parentNode }) => parentNode !== only && parentNode !== response))
    throw refused('signature place', 'there is a signature elsewhere than in the response and the assertion');
  return only;
}
