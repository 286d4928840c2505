/** Authorities and client certificates, in a folder of their own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAuthority, makeCertificate } from './make-certificate.ts';
import type { KeyKind } from './make-key.ts';

export interface CertificateOptions {
  /** Default: `/CN=` and the name. */
  readonly subject?: string;
  /** Lines of openssl's extensions; default: none, which is a client certificate. */
  readonly extensions?: readonly string[];
  readonly key?: KeyKind;
  readonly days?: number;
  /** Default: true. */
  readonly hasIdentifiers?: boolean;
}

export interface Identity {
  readonly pem: string;
  readonly key: string;
  readonly pemFile: string;
  readonly keyFile: string;
}

export class ClientCertificates {
  readonly #folder = mkdtempSync(join(tmpdir(), 'underpass-clients-'));
  #count = 0;

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  authority(name: string, signer?: Identity, options: CertificateOptions = {}): Identity {
    return this.make(name, signer, { extensions: isAuthority, ...options });
  }

  /** Signed by itself if there is no signer. */
  make(name: string, signer?: Identity, options: CertificateOptions = {}): Identity {
    this.#count += 1;
    const base = join(this.#folder, String(this.#count));
    const serial = `ab${this.#count}`.padEnd(6, '0');
    const made = makeCertificate({ subject: `/CN=${name}`, serial, signer, ...options });
    const files = { pemFile: `${base}.pem`, keyFile: `${base}.key` };
    writeFileSync(files.pemFile, made.pem);
    writeFileSync(files.keyFile, made.key, { mode: 0o600 });
    return { ...made, ...files };
  }

  /** The leaf's with those of others behind it, as a client sends them. */
  chain(leaf: Identity, ...others: readonly Identity[]): Identity {
    this.#count += 1;
    const pemFile = join(this.#folder, `${this.#count}.chain.pem`);
    const pem = [leaf, ...others].map((one) => one.pem).join('');
    writeFileSync(pemFile, pem);
    return { ...leaf, pem, pemFile };
  }
}
