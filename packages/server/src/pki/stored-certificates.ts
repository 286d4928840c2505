/**
 * Certificates of the store, read and opened at their first use.
 * Invariant: the cache is bounded, and certificates of one account do not evict those of another.
 */
import { X509Certificate } from 'node:crypto';
import type { Logger } from 'pino';
import { FairLruMap } from '../core/limits/fair-lru.ts';
import type { Hostname } from '../core/names/hostname.ts';
import { parsePem } from '../core/pem.ts';
import type { DocumentFeed, StoredDocument } from '../documents/index.ts';
import type { ServerCertificate } from './certificate-source.ts';
import { isRsaTooLarge, maxRsaBits } from './rsa-limit.ts';
import type { Sealer } from './seal.ts';
import { keyContext } from './uploaded-certificate.ts';

/** Some 10 KB each. */
const defaultLimit = 4096;

export interface StoredCertificatesOptions {
  readonly store: Pick<DocumentFeed, 'get' | 'scan'>;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly log?: Pick<Logger, 'error'>;
  /** Certificates kept in memory; default 4,096. */
  readonly limit?: number;
}

export interface StoredCertificate {
  /** Milliseconds since 1970. */
  readonly notAfterMs: number;
  /** Throws for a certificate that is never served, and SealError. */
  servedAt(hostname: Hostname): ServerCertificate | null;
}

export class StoredCertificates {
  readonly #options: StoredCertificatesOptions;
  readonly #limit: number;
  /** A stored certificate never changes, except for its description and metadata. */
  readonly #kept: FairLruMap<StoredCertificate>;
  readonly #reading = new Map<string, Promise<StoredCertificate | null>>();

  constructor(options: StoredCertificatesOptions) {
    this.#options = options;
    this.#limit = options.limit ?? defaultLimit;
    this.#kept = new FairLruMap(this.#limit);
  }

  /**
   * Looks through those that are there, a slice at a time, and keeps some while there is room: nothing goes for it that a visitor needed
   * meanwhile. Answers when each of them expires, by its id; of some, when `signal` aborts. Rejects when the store is away.
   */
  async load(signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const expiries = new Map<string, number>();
    for await (const { documents } of this.#options.store.scan(['tls_certificate'])) {
      if (signal.aborted) break;
      for (const document of documents) {
        expiries.set(document.id, expiryOf(document.body));
        this.#keepIfRoom(document);
      }
    }
    return expiries;
  }

  /** Returns null if there is none. Concurrent callers share one read. Rejects if the store is unavailable. */
  async get(account: string, id: string): Promise<StoredCertificate | null> {
    const kept = this.#kept.get(account, id);
    if (kept !== undefined) return kept;
    const underway = this.#reading.get(id);
    if (underway !== undefined) return underway;
    const reading = this.#read(id).finally(() => this.#reading.delete(id));
    this.#reading.set(id, reading);
    return reading;
  }

  async #read(id: string): Promise<StoredCertificate | null> {
    const document = await this.#options.store.get(id);
    return document?.kind === 'tls_certificate' ? this.#keep(document) : null;
  }

  #keepIfRoom(document: StoredDocument<'tls_certificate'>): void {
    const { id, account } = document;
    if (this.#kept.size < this.#limit && this.#kept.get(account, id) === undefined) this.#keep(document);
  }

  #keep(document: StoredDocument<'tls_certificate'>): StoredCertificate {
    const { id, account, body } = document;
    const certificate = new LazyCertificate(id, body, this.#options);
    this.#kept.set(account, id, certificate);
    return certificate;
  }
}

/** Parsed and opened when it is first served: both cost, and most certificates wait. */
class LazyCertificate implements StoredCertificate {
  readonly notAfterMs: number;
  readonly #id: string;
  readonly #body: { readonly certificate_pem: string; readonly private_key_sealed: string };
  readonly #options: Pick<StoredCertificatesOptions, 'sealer' | 'log'>;
  #leaf: X509Certificate | null = null;
  #served: ServerCertificate | null = null;
  #isTooLarge = false;

  constructor(
    id: string,
    body: StoredDocument<'tls_certificate'>['body'],
    options: Pick<StoredCertificatesOptions, 'sealer' | 'log'>,
  ) {
    const { certificate_pem, private_key_sealed } = body;
    this.notAfterMs = expiryOf(body);
    this.#id = id;
    this.#body = { certificate_pem, private_key_sealed };
    this.#options = options;
  }

  /** A wildcard certificate is valid for one label, a wildcard reservation for any number of them. */
  servedAt(hostname: Hostname): ServerCertificate | null {
    this.#leaf ??= this.#parse();
    if (this.#leaf.checkHost(hostname) === undefined) return null;
    if (this.#isTooLarge) throw new Error(`the RSA key of ${this.#id} is larger than is served`);
    this.#served ??= this.#open();
    return this.#served;
  }

  #parse(): X509Certificate {
    const [first] = parsePem(this.#body.certificate_pem) ?? [];
    if (first === undefined) throw new Error(`the certificate ${this.#id} is none`);
    const leaf = new X509Certificate(first.der);
    // It was uploaded before such keys were refused.
    this.#isTooLarge = isRsaTooLarge(leaf.publicKey);
    if (this.#isTooLarge)
      this.#options.log?.error(
        { certificate: this.#id },
        `not served: its RSA key has more than ${maxRsaBits} bits`,
      );
    return leaf;
  }

  #open(): ServerCertificate {
    const { certificate_pem, private_key_sealed } = this.#body;
    const cert = (parsePem(certificate_pem) ?? []).map(({ text }) => text).join('');
    return { name: this.#id, cert, key: this.#options.sealer.open(private_key_sealed, keyContext(this.#id)) };
  }
}

function expiryOf({ not_after }: StoredDocument<'tls_certificate'>['body']): number {
  return Date.parse(not_after);
}
