/** A throw-away certificate for the peers, of the kind that Underpass issues (ECDSA P-256). */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export function makeCertificate(dir: string, name = 'bench.localhost'): Certificate {
  const certFile = join(dir, 'bench.pem');
  const keyFile = join(dir, 'bench.key');
  const { status, stderr } = spawnSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...[
        '-subj',
        '/CN=bench',
        '-addext',
        `subjectAltName=DNS:${name}`,
        '-keyout',
        keyFile,
        '-out',
        certFile,
      ],
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl could not make a certificate: ${stderr}`);
  return { certFile, keyFile };
}
