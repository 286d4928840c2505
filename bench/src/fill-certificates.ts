/**
 * Writes certificates and reserved domains into the store of a stopped daemon, in a process of its own. The API would
 * take minutes for as many. Argument: JSON of a `CertificateFill`. All certificates share one key, because only their
 * number matters.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hostname } from '../../packages/server/src/core/names/hostname.ts';
import { documentsIn } from '../../packages/server/src/documents/store.ts';
import { loadMasterKeys } from '../../packages/server/src/pki/master-key.ts';
import { Sealer } from '../../packages/server/src/pki/seal.ts';
import {
  isCertificateFault,
  keyContext,
  readCertificate,
} from '../../packages/server/src/pki/uploaded-certificate.ts';
import { domainClaims } from '../../packages/server/src/resources/domain-owners.ts';
import { openStore } from '../../packages/server/src/store/databases/open.ts';
import type { WriteOperation } from '../../packages/server/src/store/store.ts';
import type { Certificate } from './certificate.ts';

export interface CertificateFill {
  readonly dataDir: string;
  readonly account: string;
  /** Valid for all names that are directly below `domain`. */
  readonly certificate: Certificate;
  /** The names are `n0`, `n1` and so on below it. */
  readonly domain: string;
  readonly count: number;
}

/** Written at once, with as many domains. */
const BATCH = 500;

const { dataDir, account, certificate, domain, count }: CertificateFill = JSON.parse(process.argv[2] ?? '');
const certificatePem = readFileSync(certificate.certFile, 'utf8');
const read = readCertificate(certificatePem, readFileSync(certificate.keyFile, 'utf8'));
if (isCertificateFault(read)) throw new Error(`the certificate of the bench cannot be served: ${read.error}`);
const { facts, keyType, privateKeyPem } = read;
const sealer = new Sealer(...(await loadMasterKeys({ dataDir, env: {}, inUse: true })));
const store = documentsIn(await openStore({ kind: 'sqlite', path: join(dataDir, 'underpass.db') }));
for (let first = 0; first < count; first += BATCH) {
  const numbers = Array.from({ length: Math.min(BATCH, count - first) }, (_, at) => first + at);
  await store.write((newId) => numbers.flatMap((n) => served(newId, `n${n}.${domain}` as Hostname)));
}
await store.close();

function served(newId: (prefix: string) => string, name: Hostname): readonly WriteOperation[] {
  const own = { op: 'insert', account, parent: null } as const;
  const texts = { description: '', metadata: '' };
  const id = newId('cert');
  const body = {
    ...{ ...texts, ...facts, certificate_pem: certificatePem, private_key_type: keyType },
    private_key_sealed: sealer.seal(privateKeyPem, keyContext(id)),
  };
  const reserved = { ...texts, domain: name, region: 'us', cname_target: '', certificate_id: id };
  const links = [{ field: 'certificate_id', to: id, binding: true }];
  return [
    { ...own, id, kind: 'tls_certificate', links: [], names: [], body },
    { ...own, id: newId('rd'), kind: 'reserved_domain', links, names: domainClaims(name), body: reserved },
  ];
}
