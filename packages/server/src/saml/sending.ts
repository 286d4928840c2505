/** Sends signed messages to an identity provider through the user's browser (saml-bindings-2.0-os, sections 3.4 and 3.5). */
import { createHash, type KeyObject, sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { ProviderService } from '../pki/idp-metadata.ts';
import { enveloped, exclusive, rsaSha256, sha256, signature } from './names.ts';
import { element, textElement } from './xml-writer.ts';

/** A message, and how it goes where. */
export interface Outgoing extends Pick<ProviderService, 'binding' | 'location'> {
  readonly kind: 'SAMLRequest' | 'SAMLResponse';
  /** The message as `requests.ts` writes it. */
  readonly xml: string;
  /** '' for none. */
  readonly relayState: string;
}

/** Returns the location with the message in its query, which the signature covers. */
export function redirectUrl({ location, kind, xml, relayState }: Outgoing, key: KeyObject): string {
  const query = [
    [kind, deflateRawSync(xml).toString('base64')],
    ...(relayState === '' ? [] : [['RelayState', relayState]]),
    ['SigAlg', rsaSha256],
  ]
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
  const value = sign('sha256', Buffer.from(query), key).toString('base64');
  const separator = location.includes('?') ? '&' : '?';
  return `${location}${separator}${query}&Signature=${encodeURIComponent(value)}`;
}

/** The fields of a form, with the signature in the message. */
export function formFields(
  { kind, xml, relayState }: Outgoing,
  key: KeyObject,
): readonly (readonly [name: string, value: string])[] {
  const message = Buffer.from(signedMessage(xml, key)).toString('base64');
  return relayState === ''
    ? [[kind, message]]
    : [
        [kind, message],
        ['RelayState', relayState],
      ];
}

/** Returns the message with an enveloped signature after its Issuer. */
export function signedMessage(xml: string, key: KeyObject): string {
  const [, id = ''] = / ID="([^"]*)"/.exec(xml) ?? [];
  const digest = createHash('sha256').update(xml).digest('base64');
  const info = (attributes: Readonly<Record<string, string>>): string =>
    element('ds:SignedInfo', attributes, [
      element('ds:CanonicalizationMethod', { Algorithm: exclusive }),
      element('ds:SignatureMethod', { Algorithm: rsaSha256 }),
      element('ds:Reference', { URI: `#${id}` }, [
        element('ds:Transforms', {}, [
          element('ds:Transform', { Algorithm: enveloped }),
          element('ds:Transform', { Algorithm: exclusive }),
        ]),
        element('ds:DigestMethod', { Algorithm: sha256 }),
        textElement('ds:DigestValue', {}, digest),
      ]),
    ]);
  // By itself it declares the namespace that it has from around it in the message.
  const value = sign('sha256', Buffer.from(info({ 'xmlns:ds': signature })), key).toString('base64');
  const whole = element('ds:Signature', { 'xmlns:ds': signature }, [
    info({}),
    textElement('ds:SignatureValue', {}, value),
  ]);
  return xml.replace('</saml:Issuer>', () => `</saml:Issuer>${whole}`);
}
