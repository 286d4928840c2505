/** The root certificates that Node trusts, with those of NODE_EXTRA_CA_CERTS: by which clients know a chain that does not end in its own root. */
import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { parsePem } from '../core/pem.ts';
import { readNamedFile } from '../system/named-file.ts';

/** The roots that signed something of these chains, in PEM, each once. A chain may bring its own. */
export function rootsOf(
  chains: readonly (readonly X509Certificate[])[],
  known = knownRoots(),
): readonly string[] {
  const roots = chains.flatMap((chain) => {
    const own = chain.filter((certificate) => isIssuer(certificate, certificate));
    return [...own, ...known.filter((root) => chain.some((issued) => isIssuer(root, issued)))];
  });
  return [...new Set(roots.map((root) => root.toString()))];
}

/** Read at the start of the process by Node itself, so what is in the file later does not count there either. */
export function knownRoots(extraFile = process.env.NODE_EXTRA_CA_CERTS): readonly X509Certificate[] {
  return [...rootCertificates.map((pem) => new X509Certificate(pem)), ...extraRoots(extraFile)];
}

/** Node warns of a file that it cannot read, and goes on without. */
function extraRoots(file: string | undefined): readonly X509Certificate[] {
  if (file === undefined || file === '') return [];
  try {
    const blocks = parsePem(readNamedFile(file)) ?? [];
    return blocks.map(({ der }) => new X509Certificate(der));
  } catch {
    return [];
  }
}

function isIssuer(issuer: X509Certificate, issued: X509Certificate): boolean {
  return issued.checkIssued(issuer) && issued.verify(issuer.publicKey);
}
