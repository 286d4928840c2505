/**
 * Visits of tunnels, for observers of one tunnel.
 * Invariant: the edge does not know the observers, and only the observed account pays for them.
 */

/** A request or connection that has ended; `method` and `path` are '' for bytes. */
export interface Visit {
  /** The tunnel that served it; '' when none did. */
  readonly servedBy: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** Address of the visitor, as `ip:port`. */
  readonly connection: { readonly clientAddr: string };
}

interface Watcher {
  readonly account: string;
  readonly visit: (visit: Visit) => void;
}

export class Visits {
  readonly #watchers = new Map<string, Watcher>();
  /** Number of watchers of each account. */
  readonly #counts = new Map<string, number>();

  /** Returns true if an account's tunnels have observers. Called for each request: cheap. */
  areWatched(account: string): boolean {
    return this.#counts.has(account);
  }

  /** A tunnel of an account has one watcher; the function that comes back ends it. */
  watch(tunnel: string, account: string, visit: (visit: Visit) => void): () => void {
    const watcher = { account, visit };
    this.#unwatch(tunnel, this.#watchers.get(tunnel));
    this.#watchers.set(tunnel, watcher);
    this.#counts.set(account, (this.#counts.get(account) ?? 0) + 1);
    return () => this.#unwatch(tunnel, watcher);
  }

  observe(visit: Visit): void {
    this.#watchers.get(visit.servedBy)?.visit(visit);
  }

  #unwatch(tunnel: string, watcher: Watcher | undefined): void {
    if (watcher === undefined || this.#watchers.get(tunnel) !== watcher) return;
    this.#watchers.delete(tunnel);
    const { account } = watcher;
    const left = (this.#counts.get(account) ?? 0) - 1;
    if (left > 0) this.#counts.set(account, left);
    else this.#counts.delete(account);
  }
}
