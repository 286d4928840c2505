/**
 * Keys that daemons on one database share: for MACs, and the SSH host keys.
 * Invariant: a key stays as long as its signatures are in use. It is stored sealed, and outlives the master key at
 * its creation.
 */
import type { DocumentStore, MacKeyDocument, StoredDocument } from '../documents/index.ts';
import { ConflictError } from '../store/store.ts';
import type { Sealer } from './seal.ts';

export interface MacKeyOptions {
  readonly store: DocumentStore;
  readonly sealer: Sealer;
  readonly purpose: MacKeyDocument['purpose'];
}

/** The key that the store has, or the one that the master key makes. Of two daemons that start at once both have the first. */
export async function loadMacKey(options: MacKeyOptions): Promise<Buffer> {
  const { body } = (await find(options)) ?? (await create(options));
  return Buffer.from(options.sealer.open(body.key_sealed, macKeyContext(body.purpose)), 'base64');
}

export function macKeyContext(purpose: MacKeyDocument['purpose']): string {
  return `mac_key/${purpose}`;
}

function claimOf(purpose: MacKeyDocument['purpose']): { readonly kind: string; readonly value: string } {
  return { kind: 'system', value: macKeyContext(purpose) };
}

async function find({ store, purpose }: MacKeyOptions): Promise<StoredDocument<'mac_key'> | null> {
  const holder = await store.findName(claimOf(purpose));
  const document = holder === null ? null : await store.get(holder.id);
  return document?.kind === 'mac_key' ? document : null;
}

async function create(options: MacKeyOptions): Promise<StoredDocument<'mac_key'>> {
  const { store, sealer, purpose } = options;
  // Not random: what was signed before the key was kept was signed with this one.
  const key_sealed = sealer.seal(sealer.derive(purpose).toString('base64'), macKeyContext(purpose));
  const body: MacKeyDocument = { purpose, key_sealed };
  const names = [claimOf(purpose)];
  try {
    await store.write((newId) => [
      {
        op: 'insert',
        id: newId('mk'),
        account: 'system',
        kind: 'mac_key',
        parent: null,
        body,
        links: [],
        names,
      },
    ]);
  } catch (error) {
    if (!(error instanceof ConflictError && error.conflict.reason === 'name-taken')) throw error;
  }
  const document = await find(options);
  if (document === null) throw new Error(`the key for ${purpose} is not in the store after it was written`);
  return document;
}
