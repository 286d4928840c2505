import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readServedCertificates } from './certificate-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'underpass-certificates-'));
after(() => rmSync(folder, { recursive: true }));

function read(text: string): string {
  const path = join(folder, 'file');
  writeFileSync(path, text);
  return readServedCertificates(path, 'The certificate file', 'certificate');
}

test('forms of certificates that the service reads are left for it to judge', () => {
  for (const label of ['PKCS7', 'CMS', 'TRUSTED CERTIFICATE', 'X509 CERTIFICATE', 'CERTIFICATE']) {
    const text = `  -----BEGIN ${label}-----\r\n  QUJD\r\n  -----END ${label}-----`;
    assert.equal(read(text), text);
  }
});

test('a file without certificates is refused', () => {
  for (const text of ['', 'text', '-----BEGIN PRIVATE KEY-----\nQUJD\n-----END PRIVATE KEY-----\n'])
    assert.throws(() => read(text), /holds no certificate/);
});
