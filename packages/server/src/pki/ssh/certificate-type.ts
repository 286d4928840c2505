/** Names of types of certificates (PROTOCOL.certkeys), such as `ssh-ed25519-cert-v01@openssh.com`, and of the keys in them. */

const suffix = '-cert-v01@openssh.com';
const vendor = '@openssh.com';

/** The algorithm of the key in a certificate of such a type; null for what is no type of certificate. */
export function certifiedAlgorithm(type: string): string | null {
  if (!type.endsWith(suffix)) return null;
  const algorithm = type.slice(0, -suffix.length);
  return algorithm.startsWith('sk-') ? `${algorithm}${vendor}` : algorithm;
}

/** Returns the certificate type of such a key: the type of the key with a vendor suffix. */
export function certificateType(algorithm: string): string {
  return `${algorithm.endsWith(vendor) ? algorithm.slice(0, -vendor.length) : algorithm}${suffix}`;
}
