/**
 * Names that someone has and nobody serves: a visitor is told so under a certificate, not turned away as by a stranger.
 * In: reservations, and names that are held for tunnels which were lost. Out: targets that answer 404 (open points, A 11).
 * What may change here: which names count as had; never that one which nobody has gets a target.
 */
import { type Hostname, type HostPattern, parentPatterns } from '../core/hostname.ts';
import type { StoredDocument } from '../documents/index.ts';
import type { OnlineTunnels } from '../tunnels/online.ts';
import type { Target, Termination } from './target.ts';

export class IdleNames {
  readonly #online: Pick<OnlineTunnels, 'heldFor'>;
  readonly #termination: Termination;
  readonly #targets = new Map<HostPattern, Target>();
  readonly #nameOf = new Map<string, HostPattern>();

  constructor(online: Pick<OnlineTunnels, 'heldFor'>, termination: Termination) {
    this.#online = online;
    this.#termination = termination;
  }

  /** Of the reservations that are known. */
  get ids(): Iterable<string> {
    return this.#nameOf.keys();
  }

  /** The name itself, then the longest wildcard, then a name that is held. */
  lookup(hostname: Hostname): Target | undefined {
    const exact = this.#targets.get(hostname);
    if (exact !== undefined) return exact;
    for (const pattern of parentPatterns(hostname)) {
      const target = this.#targets.get(pattern);
      if (target !== undefined) return target;
    }
    const account = this.#online.heldFor(hostname);
    return account === undefined ? undefined : this.#target(hostname, account);
  }

  /** Whether it is news: a reservation keeps its name for life. */
  put({ id, account, body: { domain } }: StoredDocument<'reserved_domain'>): boolean {
    if (this.#nameOf.has(id)) return false;
    this.#nameOf.set(id, domain);
    this.#targets.set(domain, this.#target(id, account));
    return true;
  }

  /** Whether it was there. */
  remove(id: string): boolean {
    const domain = this.#nameOf.get(id);
    if (domain === undefined) return false;
    this.#nameOf.delete(id);
    // Within one batch another reservation may have taken the name already.
    if (this.#targets.get(domain)?.id === id) this.#targets.delete(domain);
    return true;
  }

  #target(id: string, account: string): Target {
    return {
      id,
      account,
      edgeType: '0',
      termination: this.#termination,
      refusal: 'nothingOnline',
      backend: null,
    };
  }
}
