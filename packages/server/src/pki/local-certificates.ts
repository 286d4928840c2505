/**
 * Server certificates of the local CA, created at their first use.
 * Invariant: a name has one creation at a time. Invariant: certificates of one account do not evict those of another,
 * or take all the time.
 */
import { FairLruMap } from '../core/limits/fair-lru.ts';
import { type Rate, TokenBuckets } from '../core/limits/token-buckets.ts';
import type { HostPattern } from '../core/names/hostname.ts';
import { CertificateBudgetError, type ServerCertificate } from './certificate-source.ts';
import { type Leaf, serviceAccount } from './leaf.ts';
import { backdateMs, type IssuedCertificate } from './local-authority.ts';

/** Replaced this long before it expires. */
const renewBeforeMs = 30 * 24 * 60 * 60_000;
const defaultLimit = 10_000;

/** One takes some 5 ms of the thread that serves all: an account has no more than two percent of it, a reservation half of that. */
const budgets = {
  account: { burst: 512, perSecond: 4 },
  reservation: { burst: 128, perSecond: 2 },
} as const satisfies Record<string, Rate>;

export interface LocalCertificatesOptions {
  readonly authority: { issue(name: HostPattern): Promise<IssuedCertificate> };
  /** PEM of the authority, which names of the service send behind their certificate. Left out: they do not. */
  readonly authorityPem?: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Certificates kept in memory; default 10,000. */
  readonly limit?: number;
}

interface Kept {
  readonly certificate: Promise<ServerCertificate>;
  /** Start of the validity, by a clock that may have been ahead for a moment. The certificate is then not valid yet. */
  readonly validFrom: number;
  /** Time of the renewal; unknown until the certificate is made. */
  renewAt: number;
}

export class LocalCertificates {
  readonly #options: LocalCertificatesOptions;
  readonly #kept: FairLruMap<Kept>;
  readonly #ofAccounts = new TokenBuckets(budgets.account);
  readonly #ofReservations = new TokenBuckets(budgets.reservation);

  constructor(options: LocalCertificatesOptions) {
    this.#options = options;
    this.#kept = new FairLruMap(options.limit ?? defaultLimit);
  }

  /** The same object until it is replaced. Rejects with CertificateBudgetError when too many were made for whom is charged. */
  certificateOf(leaf: Leaf): Promise<ServerCertificate> {
    const kept = this.#kept.get(leaf.owner, leaf.name);
    const now = this.#options.now();
    if (kept !== undefined && now >= kept.validFrom && now < kept.renewAt) return kept.certificate;
    if (kept === undefined && !this.#charge(leaf)) {
      return Promise.reject(
        new CertificateBudgetError(`too many certificates like ${leaf.name} were made of late`),
      );
    }
    return this.#make(leaf);
  }

  #charge({ charged }: Leaf): boolean {
    if (charged === null) return true;
    const { account, reservation } = charged;
    const now = this.#options.now();
    const [accounts, reservations] = [this.#ofAccounts, this.#ofReservations];
    if (!accounts.has(account, now) || (reservation !== null && !reservations.has(reservation, now)))
      return false;
    accounts.take(account, now);
    if (reservation !== null) reservations.take(reservation, now);
    return true;
  }

  /** Concurrent callers get the same one; a failure is not kept. */
  #make({ name, owner }: Leaf): Promise<ServerCertificate> {
    const { authority, authorityPem = '' } = this.#options;
    const issued = authority.issue(name);
    // Agents take the authority out of the handshake, and pin it by its fingerprint. Sites of accounts send less.
    const rest = owner === serviceAccount ? authorityPem : '';
    const made: Kept = {
      certificate: issued.then(({ certificatePem, privateKeyPem }) => ({
        name,
        cert: joinPem(certificatePem, rest),
        key: privateKeyPem,
      })),
      validFrom: this.#options.now() - backdateMs,
      renewAt: Number.POSITIVE_INFINITY,
    };
    this.#kept.set(owner, name, made);
    issued.then(
      ({ notAfter }) => {
        // Never at once, so that a CA in its last month does not sign for each connection.
        made.renewAt = Math.max(notAfter.getTime() - renewBeforeMs, this.#options.now() + 60_000);
      },
      () => {
        if (this.#kept.get(owner, name) === made) this.#kept.delete(owner, name);
      },
    );
    return made.certificate;
  }
}

/** Each block begins a line of its own. */
function joinPem(first: string, second: string): string {
  return second === '' || first.endsWith('\n') ? `${first}${second}` : `${first}\n${second}`;
}
