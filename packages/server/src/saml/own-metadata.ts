/** Metadata of this service for identity providers (saml-metadata-2.0-os, section 2.4.4). */
import type { SamlUrls } from '../core/saml-settings.ts';
import { metadata, postBinding, protocol, redirectBinding, signature } from './names.ts';
import { element, textElement } from './xml-writer.ts';

export interface OwnMetadata extends SamlUrls {
  /** PEM, of the key that requests are signed with. */
  readonly certificate: string;
  readonly nameIdFormat: string;
}

export function ownMetadata({ entity, consumer, logout, certificate, nameIdFormat }: OwnMetadata): string {
  const base64 = certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  const logouts = [redirectBinding, postBinding].map((binding) =>
    element('md:SingleLogoutService', { Binding: binding, Location: logout }),
  );
  const descriptor = element(
    'md:SPSSODescriptor',
    { AuthnRequestsSigned: 'true', WantAssertionsSigned: 'true', protocolSupportEnumeration: protocol },
    [
      element('md:KeyDescriptor', { use: 'signing' }, [
        element('ds:KeyInfo', { 'xmlns:ds': signature }, [
          element('ds:X509Data', {}, [textElement('ds:X509Certificate', {}, base64)]),
        ]),
      ]),
      ...logouts,
      textElement('md:NameIDFormat', {}, nameIdFormat),
      element('md:AssertionConsumerService', {
        ...{ Binding: postBinding, Location: consumer },
        ...{ index: '0', isDefault: 'true' },
      }),
    ],
  );
  return element('md:EntityDescriptor', { 'xmlns:md': metadata, entityID: entity }, [descriptor]);
}
