/** The wait of a request for the agent of its name, which was lost a moment ago. */
import { isServed } from '../sites/is-served.ts';
import { type HttpConnection, siteOf } from './http-connection.ts';
import type { Shared } from './shared.ts';

/** Made once per connection, used for one request after another. */
export class ExpectedAgent {
  readonly #shared: Shared;
  readonly #connection: HttpConnection;
  /** A request that was sent before waits. */
  isAwaited = false;

  constructor(shared: Shared, connection: HttpConnection) {
    this.#shared = shared;
    this.#connection = connection;
  }

  /** True if an agent of the name was lost a moment ago. */
  get isExpected(): boolean {
    const { serverName } = this.#connection.facts;
    if (this.#shared.streams.isIsolated()) return false;
    return serverName !== null && this.#shared.expected?.isExpected({ name: serverName }) === true;
  }

  /** Resolves when the name is served, or no agent is expected any more. The request is judged anew then. */
  comes(): Promise<null> {
    const { promise, resolve } = Promise.withResolvers<null>();
    this.#whenServed(
      () => false,
      () => resolve(null),
    );
    return promise;
  }

  /** Calls `goOn` when the name is served, or no agent is expected any more. Returns null if none is expected now. */
  whenServed(goOn: () => void): { cancel(): void } | null {
    if (!this.isExpected) return null;
    let isOver = false;
    this.isAwaited = true;
    this.#whenServed(
      () => isOver,
      () => {
        if (isOver) return;
        this.isAwaited = false;
        goOn();
      },
    );
    return {
      cancel: () => {
        isOver = true;
        this.isAwaited = false;
      },
    };
  }

  #whenServed(isOver: () => boolean, goOn: () => void): void {
    const { facts, source } = this.#connection;
    this.#shared.expected?.whenServed({
      ...{ source, name: facts.serverName!, goOn },
      isServed: () => isOver() || isServed(siteOf(this.#connection, this.#shared)),
    });
  }
}
