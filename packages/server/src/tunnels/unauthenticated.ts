/**
 * Connections before their authentication.
 * Invariant: they never cause the refusal of a new connection. Honest agents send their Auth at once, so in a flood
 * the longest waiting ones are closed.
 */
export class Unauthenticated<Member> {
  readonly #inAll: number;
  readonly #perSource: number;
  /** Oldest first. */
  readonly #sources = new Map<Member, string>();
  readonly #bySource = new Map<string, Set<Member>>();

  constructor(limits: { readonly inAll: number; readonly perSource: number }) {
    this.#inAll = limits.inAll;
    this.#perSource = limits.perSource;
  }

  get size(): number {
    return this.#sources.size;
  }

  /** Addresses that have any. */
  get sources(): number {
    return this.#bySource.size;
  }

  /** Answers who has to go for it; null: there is room. Who goes is forgotten. */
  add(member: Member, source: string): Member | null {
    const siblings = this.#bySource.get(source) ?? new Set();
    this.#bySource.set(source, siblings.add(member));
    this.#sources.set(member, source);
    const crowd = siblings.size > this.#perSource ? siblings : this.#sources.keys();
    if (crowd !== siblings && this.#sources.size <= this.#inAll) return null;
    const [oldest] = crowd;
    if (oldest !== undefined) this.delete(oldest);
    return oldest ?? null;
  }

  delete(member: Member): void {
    const source = this.#sources.get(member);
    if (source === undefined) return;
    this.#sources.delete(member);
    const siblings = this.#bySource.get(source);
    siblings?.delete(member);
    if (siblings?.size === 0) this.#bySource.delete(source);
  }
}
