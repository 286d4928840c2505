/** The TCP ports that have a site: those of edges and of tunnels. */
import type { TunnelsWithoutTls } from '../../online/online.ts';
import type { DocumentIndex } from './document-index.ts';

export class ServedPorts {
  readonly #documents: DocumentIndex;
  readonly #tunnels: Pick<TunnelsWithoutTls, 'ports'> | null;
  readonly #listeners: (() => void)[] = [];
  readonly #ofEdges = new Set<number>();
  /** Ports that were returned last; null if they have changed since. */
  #now: ReadonlySet<number> | null = null;

  /** `tunnels`: null if none is on a port. */
  constructor(documents: DocumentIndex, tunnels: Pick<TunnelsWithoutTls, 'ports' | 'onPorts'> | null) {
    this.#documents = documents;
    this.#tunnels = tunnels;
    tunnels?.onPorts(() => this.#report());
  }

  /** A new set after each change. */
  get now(): ReadonlySet<number> {
    this.#now ??= new Set([...this.#ofEdges, ...(this.#tunnels?.ports ?? [])]);
    return this.#now;
  }

  /** `listener` is called after each change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Reads whether an edge has the port. Listeners are called by `announce` only. */
  update(port: number): void {
    const isServed = this.#documents.groups.edgeOn.at(port).length > 0;
    if (isServed === this.#ofEdges.has(port)) return;
    if (isServed) this.#ofEdges.add(port);
    else this.#ofEdges.delete(port);
    this.#now = null;
  }

  /** Calls the listeners if the ports have changed since they were read. */
  announce(): void {
    if (this.#now === null) this.#report();
  }

  #report(): void {
    this.#now = null;
    for (const listener of this.#listeners) listener();
  }
}
