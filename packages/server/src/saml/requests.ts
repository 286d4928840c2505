/** The messages that this service sends to an identity provider (saml-core-2.0-os, section 3). Each has an Issuer right at its beginning, behind which a signature goes. */
import type { ProviderSession } from './handles.ts';
import { assertion, postBinding, protocol, success } from './names.ts';
import { textOfTime } from './times.ts';
import { type Attributes, element, textElement } from './xml-writer.ts';

export interface Envelope {
  readonly id: string;
  /** Entity id of this service. */
  readonly issuer: string;
  /** URL that receives the request. */
  readonly destination: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface LoginWish {
  /** URL that receives the response. */
  readonly consumer: string;
  readonly nameIdFormat: string;
  /** The provider must authenticate the user again, even with a session. */
  readonly isForced: boolean;
}

export function loginRequest(envelope: Envelope, { consumer, nameIdFormat, isForced }: LoginWish): string {
  const attributes = {
    AssertionConsumerServiceURL: consumer,
    ForceAuthn: isForced ? 'true' : undefined,
    ProtocolBinding: postBinding,
  };
  const policy = { AllowCreate: 'true', Format: nameIdFormat };
  return message('AuthnRequest', envelope, attributes, [element('samlp:NameIDPolicy', policy)]);
}

export interface LogoutWish {
  readonly session: ProviderSession;
  /** End of the time in which the provider may accept it, in milliseconds since 1970. */
  readonly until: number;
}

export function logoutRequest(envelope: Envelope, { session, until }: LogoutWish): string {
  const { name, sessionIndex } = session;
  const nameId = textElement('saml:NameID', { 'xmlns:saml': assertion, ...name.attributes }, name.value);
  const index = sessionIndex === '' ? [] : [textElement('samlp:SessionIndex', {}, sessionIndex)];
  return message('LogoutRequest', envelope, { NotOnOrAfter: textOfTime(until) }, [nameId, ...index]);
}

/** Returns a logout response; `request` is the id of the request. */
export function logoutResponse(envelope: Envelope, request: string): string {
  const status = element('samlp:Status', {}, [element('samlp:StatusCode', { Value: success })]);
  return message('LogoutResponse', envelope, { InResponseTo: request }, [status]);
}

/** `content` is XML behind the Issuer. */
function message(
  name: string,
  { id, issuer, destination, now }: Envelope,
  attributes: Attributes,
  content: readonly string[],
): string {
  const common = {
    'xmlns:samlp': protocol,
    Destination: destination,
    ID: id,
    IssueInstant: textOfTime(now),
    Version: '2.0',
  };
  return element(`samlp:${name}`, { ...common, ...attributes }, [
    textElement('saml:Issuer', { 'xmlns:saml': assertion }, issuer),
    ...content,
  ]);
}
