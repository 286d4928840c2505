/**
 * Moves renewals into the window that the certificate authority suggests. One daemon sends the requests for all.
 * Invariant: an unreachable authority does not delay a renewal.
 */
import type { Logger } from 'pino';
import type { DocumentStore } from '../documents/index.ts';
import type { WorkLease } from '../documents/work-lease.ts';
import type { After } from '../events/resting.ts';
import { isOutage } from '../store/outage-log.ts';
import { AcmeFailure } from './acme-failure.ts';
import type { ManagedDomain, ManagedDomains } from './managed-domains.ts';
import { type RenewalInfoSource, renewalWithin } from './renewal-info.ts';

export interface RenewalWatchOptions {
  readonly store: Pick<DocumentStore, 'get'>;
  readonly domains: Pick<ManagedDomains, 'keep'>;
  readonly source: Pick<RenewalInfoSource, 'read' | 'isOffered'>;
  /** Domains that want certificates now. */
  readonly all: () => Iterable<ManagedDomain>;
  readonly lease: Pick<WorkLease, 'holds' | 'release'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: After;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/** Milliseconds between two checks. */
export const LOOK_MS = 10 * 60_000;
const AGAIN_MS = 6 * 60 * 60_000;

export class RenewalWatch {
  readonly #options: RenewalWatchOptions;
  readonly #stopped = new AbortController();
  /** The time of the next request for each certificate. */
  #next = new Map<string, number>();
  #cancel: () => void;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: RenewalWatchOptions) {
    this.#options = options;
    this.#cancel = options.after(LOOK_MS, () => this.#look());
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#cancel();
    await this.#looking;
    await this.#options.lease.release();
  }

  #look(): void {
    const { log, after } = this.#options;
    this.#looking = this.#askAll()
      .catch((error: unknown) => {
        // The next check retries. Due renewals happen anyway.
        if (!(error instanceof AcmeFailure) && !isOutage(error))
          log.error({ err: error }, 'renewals cannot be checked');
      })
      .then(() => {
        if (!this.#stopped.signal.aborted) this.#cancel = after(LOOK_MS, () => this.#look());
      });
  }

  async #askAll(): Promise<void> {
    const { source, all, now, lease } = this.#options;
    if (!(await lease.holds())) return;
    if (!(await source.isOffered(this.#stopped.signal))) return;
    const next = new Map<string, number>();
    for (const domain of [...all()]) {
      const id = domain.body.certificate_id ?? null;
      if (id === null || domain.managed.job !== null || domain.managed.renews_at === null) continue;
      const at = this.#next.get(id) ?? 0;
      next.set(id, at);
      if (at > now() || this.#stopped.signal.aborted) continue;
      next.set(id, now() + (await this.#ask(domain, id).catch(afterFailure)));
    }
    // Entries of renewed and removed certificates are dropped.
    this.#next = next;
  }

  /** Returns milliseconds until the next request for this certificate. */
  async #ask(domain: ManagedDomain, id: string): Promise<number> {
    const { store, domains, source, random, log } = this.#options;
    const certificate = await store.get(id);
    const issuedAt = certificate?.kind === 'tls_certificate' ? certificate.body.issued_at : undefined;
    if (certificate?.kind !== 'tls_certificate' || issuedAt === undefined) return AGAIN_MS;
    const info = await source.read(certificate.body.certificate_pem, this.#stopped.signal);
    if (info === null) return AGAIN_MS;
    const { renews_at: renewsAt } = domain.managed;
    if (renewsAt === null) return AGAIN_MS;
    const notAfter = Date.parse(certificate.body.not_after);
    const renews_at = renewalWithin(info, { issuedAt, renewsAt, notAfter }, random());
    if (renews_at === renewsAt) return info.askAfterMs;
    // Only if the domain is unchanged, because it may have been renewed meanwhile.
    await domains.keep(domain, (managed) =>
      managed.job === null && managed.renews_at === renewsAt ? { ...managed, renews_at } : managed,
    );
    const facts = { domain: domain.body.domain, renews_at: new Date(renews_at).toISOString() };
    log.info(facts, 'the authority wants a certificate renewed then');
    return info.askAfterMs;
  }
}

/** A malformed response for one certificate must not stop requests for others. */
function afterFailure(error: unknown): number {
  if (error instanceof AcmeFailure) return AGAIN_MS;
  throw error;
}
