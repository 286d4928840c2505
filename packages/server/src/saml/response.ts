/**
 * Reads what an identity provider answers to a login (saml-profiles-2.0-os, section 4.1.4). Never that something of the response is believed but the one assertion
 * in it: what stands around that can only have it refused.
 */
import type { Element } from '@xmldom/xmldom';
import { children, isElement, uriIn } from '../pki/xml.ts';
import { type AssertionTerms, readAssertion, type VouchedUser } from './assertion.ts';
import { allIn } from './message.ts';
import { assertion, protocol, signature, success } from './names.ts';
import { quoted, refused } from './refused.ts';
import { open, type VerificationKey } from './signed.ts';

export interface ResponseTerms<Key> extends AssertionTerms {
  /** Of the provider, by its metadata. */
  readonly keys: readonly Key[];
}

export interface ReadResponse<Key> extends VouchedUser {
  /** By which the assertion was verified. */
  readonly key: Key;
}

/** Throws LoginFault. */
export function readResponse<Key extends VerificationKey>(
  response: Element,
  terms: ResponseTerms<Key>,
): ReadResponse<Key> {
  refuseAround(response, terms);
  const { element, key } = open(onlyAssertion(response), terms.keys);
  return { ...readAssertion(element, terms), key };
}

/** Of what nobody may have signed: what is wrong here is wrong, what is right proves nothing. */
function refuseAround(response: Element, { consumer, inResponseTo }: AssertionTerms): void {
  if (!isElement(response, protocol, 'Response')) throw refused('message', 'the message is no Response');
  const destination = uriIn(response, 'Destination');
  if (destination !== null && destination !== consumer)
    throw refused('destination', `the response is for ${quoted(destination)}`);
  const answered = response.getAttribute('InResponseTo');
  if (answered !== null && answered !== inResponseTo)
    throw refused('in response to', `the response answers ${quoted(answered)}, which was not asked here`);
  const [status] = children(response, protocol, 'Status');
  const codes = status === undefined ? [] : allIn(status).map((element) => uriIn(element, 'Value'));
  const [code] = status === undefined ? [] : children(status, protocol, 'StatusCode');
  if (code === undefined || uriIn(code, 'Value') !== success)
    throw refused('status', `the provider answers with ${quoted(codes.filter(Boolean).join(' '))}`);
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
    throw refused('assertion place', 'the assertion does not stand right in the response');
  const signatures = all.filter((element) => isElement(element, signature, 'Signature'));
  if (signatures.some(({ parentNode }) => parentNode !== only && parentNode !== response))
    throw refused('signature place', 'there is a signature elsewhere than in the response and the assertion');
  return only;
}
