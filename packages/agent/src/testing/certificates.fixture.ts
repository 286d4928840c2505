/** Certificates for tests, made by openssl. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** An authority of its own and a leaf for `host`, made by openssl. */
export function makeCertificate(host: string): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-agent-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  try {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    openssl(
      'req',
      '-x509',
      ...curve,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-subj',
      '/CN=Test CA',
      '-days',
      '2',
    );
    openssl('req', ...curve, '-keyout', 'leaf.key', '-out', 'leaf.csr', '-subj', `/CN=${host}`);
    writeFileSync(file('leaf.ext'), `subjectAltName=DNS:${host}\nextendedKeyUsage=serverAuth\n`);
    openssl(
      ...['x509', '-req', '-in', 'leaf.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-out', 'leaf.pem', '-days', '2', '-extfile', 'leaf.ext'],
    );
    const read = (name: string) => readFileSync(file(name), 'utf8');
    return { ca: read('ca.pem'), cert: read('leaf.pem'), key: read('leaf.key') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
