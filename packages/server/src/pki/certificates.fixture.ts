/** Certificates for tests, made by openssl: a root, an intermediate below it, and a leaf. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** With four primes, which are found much sooner than two. */
function rsaOfFour(bits: number): readonly string[] {
  return ['-algorithm', 'RSA', '-pkeyopt', `rsa_keygen_bits:${bits}`, '-pkeyopt', 'rsa_keygen_primes:4'];
}

const newKey = {
  ec: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  rsa: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'small rsa': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:512'],
  'largest rsa': rsaOfFour(4096),
  'too large rsa': rsaOfFour(4104),
  ed25519: ['-algorithm', 'ED25519'],
  ed448: ['-algorithm', 'ED448'],
} as const;

export interface ChainOptions {
  readonly key?: keyof typeof newKey;
  readonly subject?: string;
  /** What subjectAltName says; default the name of the leaf. */
  readonly names?: string;
  readonly isExpired?: boolean;
  /** Of the root and the intermediate; default ec. */
  readonly authorityKey?: keyof typeof newKey;
}

export interface TestChain {
  readonly root: string;
  readonly intermediate: string;
  readonly leaf: string;
  /** PKCS#8. */
  readonly key: string;
}

export function makeChain(host: string, options: ChainOptions = {}): TestChain {
  const {
    key = 'ec',
    subject = `/CN=${host}`,
    names = `DNS:${host}`,
    isExpired = false,
    authorityKey = 'ec',
  } = options;
  return inFolder((openssl, read, write) => {
    const ca = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n';
    write('ca.ext', ca);
    write(
      'leaf.ext',
      `keyUsage=digitalSignature\nextendedKeyUsage=serverAuth,1.2.3.4\nsubjectAltName=${names}\n`,
    );
    const make = (
      name: string,
      keyOf: keyof typeof newKey,
      subj: string,
      signer: readonly string[],
    ): void => {
      openssl('genpkey', ...newKey[keyOf], '-out', `${name}.key`);
      openssl('req', '-new', '-key', `${name}.key`, '-subj', subj, '-out', `${name}.csr`);
      const until = ['-days', name === 'leaf' && isExpired ? '-1' : '2'];
      const extensions = ['-extfile', name === 'leaf' ? 'leaf.ext' : 'ca.ext'];
      openssl(
        'x509',
        '-req',
        '-in',
        `${name}.csr`,
        ...signer,
        ...until,
        ...extensions,
        '-out',
        `${name}.pem`,
      );
    };
    make('root', authorityKey, '/CN=Test Root', ['-signkey', 'root.key']);
    make('intermediate', authorityKey, '/CN=Test Intermediate', ['-CA', 'root.pem', '-CAkey', 'root.key']);
    make('leaf', key, subject, [
      '-CA',
      'intermediate.pem',
      '-CAkey',
      'intermediate.key',
      '-set_serial',
      '0x0a0b',
    ]);
    return {
      root: read('root.pem'),
      intermediate: read('intermediate.pem'),
      leaf: read('leaf.pem'),
      key: read('leaf.key'),
    };
  });
}

/** The key in another form; `args` are openssl's, which reads it from `-in key.pem` and writes to stdout. */
export function convertKey(key: string, ...args: readonly string[]): string {
  return inFolder((openssl, _read, write) => {
    write('key.pem', key);
    return openssl(...args, '-in', 'key.pem');
  });
}

type Tools = [(...args: string[]) => string, (name: string) => string, (name: string, text: string) => void];

function inFolder<T>(work: (...tools: Tools) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-chain-'));
  try {
    return work(
      (...args) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe', encoding: 'utf8' }),
      (name) => readFileSync(join(folder, name), 'utf8'),
      (name, text) => writeFileSync(join(folder, name), text),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
