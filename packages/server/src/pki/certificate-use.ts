/** Reads from a certificate if it may prove a client of TLS, or sign other certificates for that (RFC 5280, section 6; OpenSSL's purpose `sslclient`). */
import type { X509Certificate as NodeCertificate } from 'node:crypto';
import type { X509Certificate } from '@peculiar/x509';
import { x509 } from './on-demand.ts';
import { isRsaTooLarge } from './rsa-limit.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const netscapeType = '2.16.840.1.113730.1.1';
/** Key usage, alternative names, basic constraints, extended key usage. */
const understood = new Set(['2.5.29.15', '2.5.29.17', '2.5.29.19', '2.5.29.37']);
/** Constraints on names and policies: a certificate with one is left to OpenSSL. */
const constraints = new Set(['2.5.29.30', '2.5.29.36', '2.5.29.54']);
const strongHashes = ['SHA-256', 'SHA-384', 'SHA-512'];
const edwardsCurves = ['Ed25519', 'Ed448', 'EdDSA'];
const leastRsaBits = 2048;

interface SignatureAlgorithm {
  readonly name?: string;
  /** Absent for curves that hash by themselves. */
  readonly hash?: { readonly name: string };
}

export class CertificateUse {
  readonly #node: NodeCertificate;
  readonly #read: X509Certificate;
  readonly #nowMs: number;

  /** Throws if the certificate cannot be read. `nowMs`: since 1970. */
  constructor(certificate: NodeCertificate, nowMs: number) {
    this.#node = certificate;
    this.#read = new (x509().X509Certificate)(certificate.raw);
    this.#nowMs = nowMs;
  }

  /** Throws if an extension cannot be read. */
  get isClient(): boolean {
    const { KeyUsageFlags, KeyUsagesExtension } = x509();
    const usages = this.#read.getExtension(KeyUsagesExtension)?.usages;
    const proves = KeyUsageFlags.digitalSignature | KeyUsageFlags.keyAgreement;
    if (usages !== undefined && (usages & proves) === 0) return false;
    return this.#isSound() && this.#isNetscapeClient();
  }

  /** `below`: authorities between this one and the client. Throws if an extension cannot be read. */
  isAuthorityAbove(below: number): boolean {
    const basic = this.#read.getExtension(x509().BasicConstraintsExtension);
    if (!this.#node.ca || basic?.ca !== true) return false;
    return below <= (basic.pathLength ?? Number.POSITIVE_INFINITY) && this.#isSound();
  }

  #isSound(): boolean {
    const { notBefore, notAfter, extensions } = this.#read;
    if (this.#nowMs < notBefore.getTime() || this.#nowMs > notAfter.getTime()) return false;
    if (extensions.some(({ type, critical }) => constraints.has(type) || (critical && !understood.has(type))))
      return false;
    const purposes = this.#read.getExtension(x509().ExtendedKeyUsageExtension)?.usages;
    if (purposes !== undefined && !Array.from(purposes, String).includes(clientAuth)) return false;
    return this.#isStrong();
  }

  #isStrong(): boolean {
    const { publicKey } = this.#node;
    const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? leastRsaBits;
    if (bits < leastRsaBits || isRsaTooLarge(publicKey)) return false;
    const { name, hash }: SignatureAlgorithm = this.#read.signatureAlgorithm;
    return edwardsCurves.includes(name ?? '') || strongHashes.includes(hash?.name ?? '');
  }

  /** An extension from before RFC 3280: the first bit of a bit string marks the key of a client. */
  #isNetscapeClient(): boolean {
    const extension = this.#read.getExtension(netscapeType);
    if (extension === null) return true;
    const [tag, , , bits = 0] = new Uint8Array(extension.value);
    return tag === 3 && (bits & 0x80) !== 0;
  }
}
