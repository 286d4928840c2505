/** Metadata of an identity provider for tests, as a real one writes it; each part can be replaced. */
import { keptChain } from './kept-chain.fixture.ts';

export const certificate = keptChain('idp.example.com', 'rsa').leaf;

export const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
export const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

export function base64Of(pem: string): string {
  return pem.replace(/-----[A-Z ]+-----/g, '').trim();
}

export function keyDescriptor(content = base64Of(certificate), use = ' use="signing"'): string {
  return `<md:KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
    <ds:X509Certificate>${content}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
}

export function signOn(location = 'https://idp.example.com/sso', binding = redirect): string {
  return `<md:SingleSignOnService Binding="${binding}" Location="${location}"/>`;
}

export function logout(location = 'https://idp.example.com/slo', binding = redirect, answers = ''): string {
  const more = answers === '' ? '' : ` ResponseLocation="${answers}"`;
  return `<md:SingleLogoutService Binding="${binding}" Location="${location}"${more}/>`;
}

export interface MetadataParts {
  readonly before?: string;
  readonly entity?: string;
  readonly provider?: string;
  readonly keys?: string;
  readonly services?: string;
}

export function idpMetadata({
  before = '<?xml version="1.0" encoding="UTF-8"?>\n',
  entity = 'entityID="https://idp.example.com/metadata"',
  provider = 'protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"',
  keys = keyDescriptor(),
  services = signOn(),
}: MetadataParts = {}): string {
  return `${before}<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ${entity}>
  <md:IDPSSODescriptor ${provider}>
    ${keys}
    <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
    ${services}
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`;
}
