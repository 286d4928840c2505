/** Makes a throw-away certificate for the peers, of the kind that Underpass issues (ECDSA P-256). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { selfSigned } from '@underpass/test';

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export function makeCertificate(dir: string, name = 'bench.localhost'): Certificate {
  const certFile = join(dir, 'bench.pem');
  const keyFile = join(dir, 'bench.key');
  const { pem, key } = selfSigned(name);
  writeFileSync(certFile, pem);
  writeFileSync(keyFile, key, { mode: 0o600 });
  return { certFile, keyFile };
}
