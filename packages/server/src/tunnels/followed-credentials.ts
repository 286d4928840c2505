/**
 * All credentials with their owners, in the last known state of the store. Agents log in with them while the store is
 * unavailable.
 * Invariant: the data is a state that the store had.
 */

import { ownerOf } from '../access/owners.ts';
import type { Change, DocumentStore, KindName, StoredDocument } from '../documents/index.ts';
import type { NameClaim } from '../store/store.ts';

/** Kinds that authentication reads. */
export const credentialKinds = [
  'credential',
  'ssh_credential',
  'ssh_certificate_authority',
  'ssh_user_certificate',
  'user',
  'bot_user',
  'account',
] as const satisfies KindName[];
type Followed = StoredDocument<(typeof credentialKinds)[number]>;
/** A document that entitles an agent to start tunnels. */
export type CredentialDocument = StoredDocument<'credential' | 'ssh_credential'>;

export class FollowedCredentials implements Pick<DocumentStore, 'get' | 'findName'> {
  readonly #documents = new Map<string, Followed>();
  /** SSH credentials by the fingerprint, and SSH authorities by the line, of their public key: these never change. */
  readonly #byKey = new Map<string, string>();

  async get(id: string): Promise<Followed | null> {
    return this.#documents.get(id) ?? null;
  }

  /** Finds credentials by their names, such as SSH keys. */
  async findName({ kind, value }: NameClaim): Promise<Pick<Followed, 'id' | 'account'> | null> {
    const id = kind === 'ssh_key' ? this.#byKey.get(value) : undefined;
    return id === undefined ? null : this.get(id);
  }

  /** The authority whose public key is written like that; null: there is none. */
  sshAuthority(publicKey: string): StoredDocument<'ssh_certificate_authority'> | null {
    const document = this.#documents.get(this.#byKey.get(publicKey) ?? '');
    return document?.kind === 'ssh_certificate_authority' ? document : null;
  }

  reset(documents: readonly StoredDocument[]): void {
    this.#documents.clear();
    this.#byKey.clear();
    for (const document of documents) if (isFollowed(document)) this.#put(document);
  }

  /** False for a change of something else. */
  apply({ id, kind, document }: Change): boolean {
    if (document !== null && isFollowed(document)) this.#put(document);
    else if (!isFollowed({ kind })) return false;
    else this.#delete(id);
    return true;
  }

  /** False also for an unknown credential: its session began with a newer read. */
  isInactive(id: string): boolean {
    const credential = this.#documents.get(id);
    if (credential === undefined || !isCredential(credential)) return false;
    const owner = this.#documents.get(credential.body.owner_id);
    return owner === undefined || ownerOf(owner)?.active !== true;
  }

  /** A credential has up to 4 KiB of its owner's notes, which authentication does not need. */
  #put(document: Followed): void {
    const key = keyOf(document);
    if (key !== null) this.#byKey.set(key, document.id);
    this.#documents.set(document.id, withoutNotes(document));
  }

  #delete(id: string): void {
    const document = this.#documents.get(id);
    const key = document === undefined ? null : keyOf(document);
    // The key may have a new credential already.
    if (key !== null && this.#byKey.get(key) === id) this.#byKey.delete(key);
    this.#documents.delete(id);
  }
}

export function isCredential(document: StoredDocument): document is CredentialDocument {
  return document.kind === 'credential' || document.kind === 'ssh_credential';
}

function keyOf({ kind, body }: Followed): string | null {
  switch (kind) {
    case 'ssh_credential':
      return body.fingerprint;
    case 'ssh_certificate_authority':
      return body.public_key;
    default:
      return null;
  }
}

function withoutNotes(document: Followed): Followed {
  const notes = { description: '', metadata: '' };
  switch (document.kind) {
    case 'credential':
      return { ...document, body: { ...document.body, ...notes } };
    case 'ssh_credential':
      return { ...document, body: { ...document.body, ...notes } };
    // Nothing is signed here.
    case 'ssh_certificate_authority':
      return { ...document, body: { ...document.body, ...notes, private_key_sealed: '' } };
    // It is shown by who has it.
    case 'ssh_user_certificate':
      return { ...document, body: { ...document.body, ...notes, certificate: '', public_key: '' } };
    default:
      return document;
  }
}

function isFollowed<D extends { readonly kind: KindName }>(
  document: D,
): document is D & Pick<Followed, 'kind'> {
  return credentialKinds.some((kind) => kind === document.kind);
}
