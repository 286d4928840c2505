/** Server certificates of the local CA, made when a name is first asked for. Never two at a time for one name. */
import type { Hostname } from '../core/hostname.ts';
import { LruMap } from '../core/lru.ts';
import type { CertificateSource, ServerCertificate } from './certificate-source.ts';
import type { IssuedCertificate } from './local-authority.ts';

/** Replaced this long before it expires. */
const renewBeforeMs = 30 * 24 * 60 * 60_000;
const defaultLimit = 10_000;

export interface LocalCertificatesOptions {
  readonly authority: { issue(hostname: Hostname): Promise<IssuedCertificate> };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Certificates kept in memory; default 10,000. */
  readonly limit?: number;
}

interface Kept {
  readonly certificate: Promise<ServerCertificate>;
  /** When it must be replaced; unknown while it is being made. */
  renewAt: number;
}

export class LocalCertificates implements CertificateSource {
  readonly #options: LocalCertificatesOptions;
  readonly #kept: LruMap<Hostname, Kept>;

  constructor(options: LocalCertificatesOptions) {
    this.#options = options;
    this.#kept = new LruMap(options.limit ?? defaultLimit);
  }

  certificateFor(hostname: Hostname): Promise<ServerCertificate> {
    const kept = this.#kept.get(hostname);
    if (kept !== undefined && this.#options.now() < kept.renewAt) return kept.certificate;
    return this.#make(hostname);
  }

  /** Those who ask while it is made wait for the same one; a failure is not kept. */
  #make(hostname: Hostname): Promise<ServerCertificate> {
    const issued = this.#options.authority.issue(hostname);
    const made: Kept = {
      certificate: issued.then(({ certificatePem, privateKeyPem }) => ({
        cert: certificatePem,
        key: privateKeyPem,
      })),
      renewAt: Number.POSITIVE_INFINITY,
    };
    this.#kept.set(hostname, made);
    issued.then(
      ({ notAfter }) => {
        // Never at once, so that a CA in its last month is not asked anew for each connection.
        made.renewAt = Math.max(notAfter.getTime() - renewBeforeMs, this.#options.now() + 60_000);
      },
      () => {
        if (this.#kept.get(hostname) === made) this.#kept.delete(hostname);
      },
    );
    return made.certificate;
  }
}
