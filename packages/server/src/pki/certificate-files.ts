/**
 * A certificate of the operator in two PEM files: the leaf first, then its intermediates; and the key.
 * Invariant: a pair that no handshake could use is rejected.
 */
import { X509Certificate } from 'node:crypto';
import { ForOperator } from '../core/for-operator.ts';
import { parsePem } from '../core/pem.ts';
import { Problem } from '../errors/problem.ts';
import { readRegularFile, UnreadableFile } from '../system/named-file.ts';
import type { ServerCertificate } from './certificate-source.ts';
import { maxRsaBits } from './rsa-limit.ts';
import { isCertificateFault, keyTypes, maxCertificatePem, readCertificate } from './uploaded-certificate.ts';

/** Absolute paths. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Texts of the two files. */
export interface FileTexts {
  readonly cert: string;
  readonly key: string;
}

export interface FiledCertificate {
  readonly texts: FileTexts;
  /** The leaf first. */
  readonly chain: readonly X509Certificate[];
  readonly leaf: X509Certificate;
  /** Host names and wildcards that the leaf is valid for. */
  readonly names: readonly string[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly served: ServerCertificate;
}

/** The files cannot be read, or their content cannot be served. */
export class CertificateFileError extends ForOperator {
  override readonly name = 'CertificateFileError';
}

/** Rejects with CertificateFileError. */
export async function readFiles({ cert, key }: CertificateFiles): Promise<FileTexts> {
  return { cert: await readText('tls-cert', cert), key: await readText('tls-key', key) };
}

/** Throws CertificateFileError, for all but its dates. */
export function parseFiles(files: CertificateFiles, texts: FileTexts): FiledCertificate {
  const read = readCertificate(texts.cert, texts.key);
  if (isCertificateFault(read)) {
    const values = { value: read.value ?? '', allowed: [...keyTypes.values()].join(', '), limit: maxRsaBits };
    const path = read.field === '/private_key_pem' ? files.key : files.cert;
    // The texts are those of an upload through the API, which calls its fields by these names.
    const message = Problem.named(read.error, values)
      .message.replaceAll('certificate_pem', '--tls-cert')
      .replaceAll('private_key_pem', '--tls-key');
    throw new CertificateFileError(`${path}: ${message}`);
  }
  const blocks = parsePem(read.certificatePem) ?? [];
  const chain = blocks.map(({ der }) => new X509Certificate(der));
  const [leaf] = chain;
  if (leaf === undefined) throw new CertificateFileError(`${files.cert}: there is no certificate in it`);
  const names = read.facts.subject_alternative_names.dns_names.map((name) => name.toLowerCase());
  return {
    texts,
    chain,
    leaf,
    names,
    notBeforeMs: Date.parse(read.facts.not_before),
    notAfterMs: Date.parse(read.facts.not_after),
    served: {
      // A renewed certificate has the same names, also on other daemons: sessions of before are resumed with it.
      name: `service:${[...names].sort().join()}`,
      cert: blocks.map(({ text }) => text).join(''),
      key: read.privateKeyPem,
    },
  };
}

async function readText(flag: string, path: string): Promise<string> {
  const fault = (reason: string) => new CertificateFileError(`--${flag} ${path}: ${reason}`);
  const cannotBeRead = (error: Error): never => {
    throw fault(error instanceof UnreadableFile ? error.reason : `cannot be read (${error.message})`);
  };
  return await readRegularFile(path, maxCertificatePem).catch(cannotBeRead);
}
