/** Codes of OpenSSL's chain verification as Node spells them, Node's own for a name that does not match, and those of a fingerprint. */
const CERTIFICATE_ERROR =
  /^(UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_|CRL_|ERROR_IN_CERT|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH|ERR_TLS_CERT_ALTNAME|ERR_CA_FINGERPRINT)/;

/** Returns true if a connection failed because the peer's certificate is not trusted: trying again cannot help. */
export function isCertificateError(code: string): boolean {
  return CERTIFICATE_ERROR.test(code);
}
