/** Namespaces and identifiers of SAML 2.0 (OASIS saml-core-2.0-os, saml-bindings-2.0-os) and XML Signature that messages are made of. */

export const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const assertion = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const metadata = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const signature = 'http://www.w3.org/2000/09/xmldsig#';
export const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const enveloped = `${signature}enveloped-signature`;

export const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
export const postBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

export const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
export const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
export const entityFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity';
export const unspecifiedFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
export const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

export const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
