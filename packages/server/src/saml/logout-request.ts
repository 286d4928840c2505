/**
 * Reads logout requests of identity providers (saml-core-2.0-os, section 3.7).
 * Invariant: requests for another service or outside their time are rejected.
 */
import type { Element } from '@xmldom/xmldom';
import { children, isElement, uriIn } from '../pki/xml.ts';
import { trimXml } from '../pki/xml-types.ts';
import { assertion, protocol } from './names.ts';
import { quoted, refused } from './refused.ts';
import { refuseUnlessNow, skewMs, textOfTime, timeOf } from './times.ts';

export interface LogoutTerms {
  /** The provider that must have sent the request. */
  readonly issuer: string;
  /** URL to which it must be sent. */
  readonly destination: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ReadLogout {
  /** Id of the request. */
  readonly id: string;
  /** Name of the user. */
  readonly name: string;
  /** Indexes of the ended sessions; none: all sessions of the user. */
  readonly sessionIndices: readonly string[];
  /** Time from which the request is rejected as too old. */
  readonly usableUntil: number;
}

/** Milliseconds: upper limit, and default for requests without an end. */
const lifetimeMs = 5 * 60_000;

/** `element` is verified. Throws LoginFault. */
export function readLogout(element: Element, { issuer, destination, now }: LogoutTerms): ReadLogout {
  const id = element.getAttribute('ID') ?? '';
  if (!isElement(element, protocol, 'LogoutRequest') || id === '')
    throw refused('message', 'the message is no LogoutRequest');
  const by = children(element, assertion, 'Issuer').map(textIn).join(' ');
  if (by !== issuer) throw refused('issuer', `the request is by ${quoted(by)}`);
  const sentTo = uriIn(element, 'Destination');
  if (sentTo !== destination) throw refused('destination', `the request is for ${quoted(sentTo)}`);
  refuseUnlessNow(element, 'the request', now);
  const issued = timeOf(element.getAttribute('IssueInstant') ?? '');
  const usableUntil = issued + lifetimeMs + skewMs;
  if (now < issued - skewMs || now >= usableUntil)
    throw refused('expired', `the request is of ${textOfTime(issued)}, and it is ${textOfTime(now)}`);
  const [name, ...others] = children(element, assertion, 'NameID').map(textIn);
  if (name === undefined || others.length > 0)
    throw refused('name', 'the request has not exactly one name of a user in clear');
  return { id, name, sessionIndices: children(element, protocol, 'SessionIndex').map(textIn), usableUntil };
}

function textIn(element: Element): string {
  return trimXml(element.textContent ?? '');
}
