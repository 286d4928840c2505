/** The certificate of the service's own names, as one that was issued stands in the store; its key is some text. */
import { randomBytes } from 'node:crypto';
import type { ManagedCertificate } from '../documents/index.ts';
import { keyContext } from '../pki/uploaded-certificate.ts';
import type { Platform } from '../resources/engine.fixture.ts';

export async function addServiceCertificate({
  store,
  sealer,
  settings: { domain },
}: Pick<Platform, 'store' | 'sealer' | 'settings'>): Promise<void> {
  const managed: ManagedCertificate = {
    ...{ authority: 'public_ca', private_key_type: 'ecdsa', set_at: 0, renews_at: 0 },
    job: null,
  };
  const row = { account: 'system', kind: 'service_certificate', parent: null, links: [], names: [] } as const;
  await store.write((newId) => {
    const id = newId('sc');
    const private_key_sealed = sealer.seal(randomBytes(20).toString('hex'), keyContext(id));
    return [
      { op: 'insert', id, ...row, body: { domain, managed, certificate_pem: 'pem', private_key_sealed } },
    ];
  });
}
