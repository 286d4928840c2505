/** The connections that carry bytes: each lives as long as its name leads to what it was opened for. */
import { covers, type HostPattern } from '../../core/names/hostname.ts';
import { SilentVisitors } from '../../system/silent-visitors.ts';
import type { Opener } from '../sites/site.ts';
import { Pipe, type PipeContext, type PipedConnection } from './pipe.ts';

export class Pipes {
  readonly #context: PipeContext;
  readonly #pipes = new Set<Pipe>();
  readonly #watched = new WeakSet<Opener>();
  #emptied: (() => void) | null = null;

  constructor(context: Omit<PipeContext, 'opened' | 'left' | 'silentVisitors'>) {
    const left = (pipe: Pipe): void => {
      this.#pipes.delete(pipe);
      if (this.#pipes.size === 0) this.#emptied?.();
    };
    const silentVisitors = new SilentVisitors();
    this.#context = { ...context, silentVisitors, opened: (opener) => this.#watch(opener), left };
  }

  get size(): number {
    return this.#pipes.size;
  }

  /** It goes on by itself, and ends where no place takes it. */
  serve(connection: PipedConnection): void {
    const pipe = new Pipe(connection, this.#context);
    if (pipe.start()) this.#pipes.add(pipe);
  }

  /**
   * Checks connections again after sites changed. `pattern` covers the names that changed; null for all names and
   * ports.
   */
  recheck(pattern: HostPattern | null): void {
    for (const pipe of this.#pipes) {
      const { facts, siteNow } = pipe.connection;
      const isConcerned =
        pattern === null || (facts.serverName !== null && covers(pattern, facts.serverName));
      if (isConcerned && !pipe.moveTo(siteNow())) pipe.destroy();
    }
  }

  /** Resolves when the last one has ended by itself, or was ended at the deadline. */
  async drain(deadlineMs: number): Promise<void> {
    if (this.#pipes.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#emptied = resolve;
    const deadline = setTimeout(() => {
      for (const pipe of this.#pipes) pipe.destroy();
      resolve();
    }, deadlineMs);
    await promise;
    clearTimeout(deadline);
  }

  /** One listener for each place, not for each connection: it may carry thousands. */
  #watch(opener: Opener): void {
    if (this.#watched.has(opener)) return;
    this.#watched.add(opener);
    const gone = (): void => {
      for (const pipe of this.#pipes) if (pipe.opener === opener) pipe.destroy();
    };
    opener.closed.addEventListener('abort', gone, { once: true });
  }
}
