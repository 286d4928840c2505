/** The messages that this service sends to an identity provider (saml-core-2.0-os, section 3). Each has an Issuer right at its beginning, behind which a signature goes. */
import { assertion, postBinding, protocol } from './names.ts';
import { textOfTime } from './times.ts';
import { type Attributes, element, textElement } from './xml-writer.ts';

export interface Envelope {
  readonly id: string;
  /** What this service is called. */
  readonly issuer: string;
  /** Where it goes. */
  readonly destination: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface LoginWish {
  /** Where the answer goes. */
  readonly consumer: string;
  readonly nameIdFormat: string;
  /** The provider is to ask even those whom it knows. */
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
