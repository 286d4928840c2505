/**
 * The local CA, which signs names without another certificate, and the daemons of one database.
 * Invariant: its private key is stored sealed, and it signs no further CA. Certificates of daemons have no host name.
 */
import { X509Certificate } from 'node:crypto';
import type { HostPattern } from '../core/names/hostname.ts';
import type { DocumentStore, LocalCaDocument, StoredDocument } from '../documents/index.ts';
import { ConflictError } from '../store/store.ts';
import type { CertificateExpiry } from './certificate-expiry.ts';
import type { Sealer } from './seal.ts';
import {
  exportPrivateKey,
  generateKeys,
  makeAuthorityCertificate,
  makeNodeCertificate,
  makeServerCertificate,
  openSigner,
  type Signer,
  type Validity,
} from './x509.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const authorityDays = 3650;
/** Days of validity that browsers accept. */
const serverDays = 397;
/** Days of validity of a daemon's certificate, which is in memory only. */
const nodeDays = 30;
/** Milliseconds by which certificates are backdated, because clients' clocks may be slow. */
export const backdateMs = 60 * minute;

const claim = { kind: 'system', value: 'local_ca' } as const;
export const localCaContext = 'local_ca';

export interface AuthorityOptions {
  readonly store: DocumentStore;
  readonly sealer: Sealer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The common name of the CA, as people see it in their trust store. */
  readonly name: string;
}

export interface IssuedCertificate {
  /** The leaf alone. */
  readonly certificatePem: string;
  /** PKCS#8. */
  readonly privateKeyPem: string;
  readonly notAfter: Date;
}

export class LocalAuthority {
  readonly certificatePem: string;
  readonly #notAfterMs: number;
  readonly #privateKeyPem: string;
  readonly #now: () => number;
  #opened: Promise<Signer> | null = null;

  private constructor(certificatePem: string, privateKeyPem: string, now: () => number) {
    this.certificatePem = certificatePem;
    this.#notAfterMs = new X509Certificate(certificatePem).validToDate.getTime();
    this.#privateKeyPem = privateKeyPem;
    this.#now = now;
  }

  get expiry(): CertificateExpiry {
    return { name: 'local_authority', notAfterMs: this.#notAfterMs };
  }

  /** Opens the CA that the store has, or makes it. Of two daemons that start at once one makes it and both open that one. */
  static async load(options: AuthorityOptions): Promise<LocalAuthority> {
    const document = (await find(options.store)) ?? (await create(options));
    const { body } = document;
    const privateKeyPem = options.sealer.open(body.private_key_sealed, localCaContext);
    return new LocalAuthority(body.certificate_pem, privateKeyPem, options.now);
  }

  /** Signs a server certificate for one name or wildcard, with a key of its own. */
  issue(name: HostPattern): Promise<IssuedCertificate> {
    return this.#issue(serverDays, (...parts) => makeServerCertificate(name, ...parts));
  }

  /** Signs a certificate for both ends of links of the daemon that the URI names, with a key of its own. */
  issueNode(uri: string): Promise<IssuedCertificate> {
    return this.#issue(nodeDays, (...parts) => makeNodeCertificate(uri, ...parts));
  }

  async #issue(
    days: number,
    make: (publicKey: CryptoKey, validity: Validity, signer: Signer) => Promise<string>,
  ): Promise<IssuedCertificate> {
    const signer = await this.#signer();
    const keys = await generateKeys();
    const notBefore = new Date(this.#now() - backdateMs);
    // Clients reject a leaf after the end of its CA, on an unexpected day.
    const notAfter = new Date(Math.min(notBefore.getTime() + days * day, this.#notAfterMs));
    return {
      certificatePem: await make(keys.publicKey, { notBefore, notAfter }, signer),
      privateKeyPem: await exportPrivateKey(keys.privateKey),
      notAfter,
    };
  }

  /** Loaded with the first certificate, because it is half of what a start would load. */
  #signer(): Promise<Signer> {
    this.#opened ??= openSigner(this.certificatePem, this.#privateKeyPem);
    return this.#opened;
  }
}

async function find(store: DocumentStore): Promise<StoredDocument<'local_ca'> | null> {
  const holder = await store.findName(claim);
  const document = holder === null ? null : await store.get(holder.id);
  return document?.kind === 'local_ca' ? document : null;
}

async function create({ store, sealer, now, name }: AuthorityOptions): Promise<StoredDocument<'local_ca'>> {
  const body = await makeDocument(sealer, now(), name);
  try {
    await store.write((newId) => [
      {
        op: 'insert',
        id: newId('lca'),
        account: 'system',
        kind: 'local_ca',
        parent: null,
        body,
        links: [],
        names: [claim],
      },
    ]);
  } catch (error) {
    if (!(error instanceof ConflictError && error.conflict.reason === 'name-taken')) throw error;
  }
  const document = await find(store);
  if (document === null) throw new Error('the local CA is not in the store after it was written');
  return document;
}

async function makeDocument(sealer: Sealer, nowMs: number, name: string): Promise<LocalCaDocument> {
  const keys = await generateKeys();
  const notBefore = new Date(nowMs - backdateMs);
  const notAfter = new Date(notBefore.getTime() + authorityDays * day);
  return {
    certificate_pem: await makeAuthorityCertificate(name, keys, { notBefore, notAfter }),
    private_key_sealed: sealer.seal(await exportPrivateKey(keys.privateKey), localCaContext),
  };
}
