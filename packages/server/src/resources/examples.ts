/**
 * Certificates, keys and documents for the examples of the reference: generated once, for names under example.com,
 * valid for a hundred years. They are public.
 * Invariant: they are used in examples only.
 */

/** A certificate authority. */
export const authorityPem = `-----BEGIN CERTIFICATE-----
MIIBSzCB8qADAgECAgEBMAoGCCqGSM49BAMCMBwxGjAYBgNVBAMTEUV4YW1wbGUg
YXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMTkxMjMxMjM1OTU5WjAcMRow
GAYDVQQDExFFeGFtcGxlIGF1dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABFvmMoGz0qAI2Uqr4CuSPz33UgFfLW/w5GBUVRaE6/gSUyDyJOm3Fh1p1qtR
FM5NY8F9Yuwy8iXfYHZqR+BeWsKjIzAhMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0P
AQH/BAQDAgIEMAoGCCqGSM49BAMCA0gAMEUCIQCrHaJZpGLzFtfEXV9pbyvV7bJO
x744ImhrwcayN0Yc7QIgTmeS28+ZXwCET0MUGUlIwMWwgvT6nWQsHB0cGp+M0OU=
-----END CERTIFICATE-----
`;

/** A certificate for example.com. */
export const certificatePem = `-----BEGIN CERTIFICATE-----
MIIBWTCCAQCgAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDEwtleGFtcGxl
LmNvbTAgFw0yMDAxMDEwMDAwMDBaGA8yMTE5MTIzMTIzNTk1OVowFjEUMBIGA1UE
AxMLZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASSHFUA+/GT
u2sHJmPczrJCL3KJ+FVrWxRB/qavqzEe4Nfq8Jl2D9RQA93DYdSma11KcOfRJKlk
NLVkygu3/B05oz0wOzAMBgNVHRMBAf8EAjAAMBYGA1UdEQQPMA2CC2V4YW1wbGUu
Y29tMBMGA1UdJQQMMAoGCCsGAQUFBwMBMAoGCCqGSM49BAMCA0cAMEQCIGgPNq9Y
uEbdOP4jVvRV9nQ6FB1BADsHlrlkh3jzaPnAAiAbIDR73rDbfrUMzBP6Qxnn+bKD
qW6ZL//qDS35bvSbPw==
-----END CERTIFICATE-----
`;

/** The private key of that certificate, which is no secret. */
export const certificateKeyPem = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1vVr057YVE0Ja7rG
8m2S2iz7MLOAZrhvlHYlB9+u6gahRANCAASSHFUA+/GTu2sHJmPczrJCL3KJ+FVr
WxRB/qavqzEe4Nfq8Jl2D9RQA93DYdSma11KcOfRJKlkNLVkygu3/B05
-----END PRIVATE KEY-----
`;

/** A key of a person. */
export const sshPublicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILpTrN723jy7zkcFl3cZxdxg6kGfhp4mNd+REKj6/W/2 somebody@example.com';

/** A key of a server. */
export const sshHostPublicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIm/ugJNB+eXa1SosLd2rGQTh/o9TP+P0fIeO01Q6QGp server.example.com';

/** An identity provider as SAML describes it. */
export const idpMetadata = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com/metadata">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>
MIIBOTCB4aADAgECAgEBMAoGCCqGSM49BAMCMCQxIjAgBgNVBAMTGUV4YW1wbGUgaWRlbnRpdHkg
cHJvdmlkZXIwIBcNMjAwMTAxMDAwMDAwWhgPMjExOTEyMzEyMzU5NTlaMCQxIjAgBgNVBAMTGUV4
YW1wbGUgaWRlbnRpdHkgcHJvdmlkZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS1pa8bIhEB
ZNSVWcTysLiz9oPq9GjyCzxaX0+RA85P9Y1g4P4P4vOi73zvtuKzJMA9PDb2T09LB12FDbxERrgF
owIwADAKBggqhkjOPQQDAgNHADBEAiBM4rzd27RtN62uJFiIWbh+1y9hwqwU6fShOAgsBO8nBAIg
ZnK8j6EblayAsefgko7KNpQyYF9MI4q5dxHWrfSd5bQ=
      </ds:X509Certificate></ds:X509Data></ds:KeyInfo>
    </md:KeyDescriptor>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>
`;
