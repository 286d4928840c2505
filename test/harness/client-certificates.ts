/** Authorities and client certificates, made by the real openssl, in a folder of their own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const keys = {
  ec: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  // With four primes, which are found much sooner than two.
  rsa: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'too large rsa': [
    ...['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:4104'],
    ...['-pkeyopt', 'rsa_keygen_primes:4'],
  ],
} as const;

export interface CertificateOptions {
  /** Default: `/CN=` and the name. */
  readonly subject?: string;
  /** Lines of openssl's extensions; default: none, which is a client certificate. */
  readonly extensions?: readonly string[];
  readonly key?: keyof typeof keys;
  readonly days?: number;
}

export interface Identity {
  readonly pem: string;
  readonly key: string;
  readonly pemFile: string;
  readonly keyFile: string;
}

export const isAuthority = ['basicConstraints=critical,CA:TRUE', 'keyUsage=keyCertSign,cRLSign'] as const;

export class ClientCertificates {
  readonly #folder = mkdtempSync(join(tmpdir(), 'underpass-clients-'));
  #count = 0;

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  authority(name: string, signer?: Identity, options: CertificateOptions = {}): Identity {
    return this.make(name, signer, { extensions: isAuthority, ...options });
  }

  /** Signed by itself when there is no signer. */
  make(name: string, signer?: Identity, options: CertificateOptions = {}): Identity {
    const { subject = `/CN=${name}`, extensions = [], key = 'ec', days = 2 } = options;
    this.#count += 1;
    const base = join(this.#folder, String(this.#count));
    const made = { pemFile: `${base}.pem`, keyFile: `${base}.key` };
    writeFileSync(`${base}.ext`, extensions.map((line) => `${line}\n`).join(''));
    openssl('genpkey', ...keys[key], '-out', made.keyFile);
    openssl('req', '-new', '-utf8', '-key', made.keyFile, '-subj', subject, '-out', `${base}.csr`);
    const signed =
      signer === undefined ? ['-signkey', made.keyFile] : ['-CA', signer.pemFile, '-CAkey', signer.keyFile];
    openssl(
      ...['x509', '-req', '-in', `${base}.csr`, '-out', made.pemFile, '-extfile', `${base}.ext`],
      ...['-days', String(days), '-set_serial', `0xab${this.#count}`.padEnd(8, '0'), ...signed],
    );
    return { ...made, pem: readFileSync(made.pemFile, 'utf8'), key: readFileSync(made.keyFile, 'utf8') };
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

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
