/** A stored certificate for the service's own names, and an order of one. Their keys are placeholder text. */
import { randomBytes } from 'node:crypto';
import { OrderMemory } from '../acme/order-memory.ts';
import type { ManagedCertificate } from '../documents/index.ts';
import { keyContext } from '../pki/uploaded-certificate.ts';
import type { Platform } from '../resources/engine.fixture.ts';

const managed: ManagedCertificate = {
  ...{ authority: 'public_ca', private_key_type: 'ecdsa', set_at: 0, renews_at: 0 },
  job: null,
};

export async function addServiceCertificate({
  store,
  sealer,
  settings: { domain },
}: Pick<Platform, 'store' | 'sealer' | 'settings'>): Promise<void> {
  const row = { account: 'system', kind: 'service_certificate', parent: null, links: [], names: [] } as const;
  await store.write((newId) => {
    const id = newId('sc');
    const private_key_sealed = sealer.seal(randomBytes(20).toString('hex'), keyContext(id));
    return [
      { op: 'insert', id, ...row, body: { domain, managed, certificate_pem: 'pem', private_key_sealed } },
    ];
  });
}

/** An order of the first account's user, in place of one that needs a certificate. */
export async function addOrder({
  store,
  sealer,
  admin,
}: Pick<Platform, 'store' | 'sealer' | 'admin'>): Promise<void> {
  const directory = 'https://acme.example.net/';
  const memory = new OrderMemory({ store, sealer, directory, now: Date.now });
  const order = { url: `${directory}1`, request: 'pem', privateKeyPem: randomBytes(20).toString('hex') };
  await memory.keep({ id: admin.owner, account: admin.account, managed }, order);
}
