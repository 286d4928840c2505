/** What visitors asked of tunnels, for those who watch one. Never that the edge knows who watches. */

/** Of a request or connection that is over; `method` and `path` are '' for bytes. */
export interface Visit {
  /** The tunnel that served it; '' when none did. */
  readonly servedBy: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** Of the visitor, as `ip:port`. */
  readonly connection: { readonly clientAddr: string };
}

export class Visits {
  readonly #watchers = new Map<string, (visit: Visit) => void>();

  /** Whether anybody wants to know what is asked. Called for each request: cheap. */
  get areWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /** A tunnel has one watcher; the function that comes back ends it. */
  watch(tunnel: string, watcher: (visit: Visit) => void): () => void {
    this.#watchers.set(tunnel, watcher);
    return () => this.#watchers.delete(tunnel);
  }

  observe(visit: Visit): void {
    this.#watchers.get(visit.servedBy)?.(visit);
  }
}
