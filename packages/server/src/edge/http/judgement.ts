/**
 * The verdicts of a route's guards on the requests of one connection.
 * Invariant: a guard that decides once does not decide again about a running request.
 */
import type { ConnectionFacts, Guard, RequestFacts, RequestVerdict, Route, Verdict } from '../sites/site.ts';

export class Judgement {
  readonly #connection: ConnectionFacts;
  readonly #decided: (guard: string, decision: string) => void;
  /** The route that the connection was last judged by, and the verdict. */
  #judgedBy: Route | null = null;
  #verdict: Verdict = null;
  #decisions: readonly (readonly [guard: string, decision: string])[] = [];

  constructor(connection: ConnectionFacts, decided: (guard: string, decision: string) => void) {
    this.#connection = connection;
    this.#decided = decided;
  }

  /**
   * `facts` is null if the route does not read the request. Each route checks the connection's address once, because it
   * never changes.
   */
  of(
    route: Route,
    facts: RequestFacts | null,
    isUnderWay: boolean,
  ): RequestVerdict | Promise<RequestVerdict> {
    if (route.guards.length === 0) return null;
    if (this.#judgedBy !== route) {
      this.#verdict = this.#ofConnection(route);
      this.#judgedBy = route;
    }
    for (const [guard, decision] of this.#decisions) this.#decided(guard, decision);
    if (this.#verdict !== null || facts === null) return this.#verdict;
    const { guards } = route;
    return this.#ofRequest(isUnderWay ? guards.filter(asksAgain) : guards, facts, 0);
  }

  #ofConnection({ guards }: Route): Verdict {
    const decisions: [string, string][] = [];
    this.#decisions = decisions;
    for (const guard of guards) {
      if (guard.reads !== 'connection') continue;
      const verdict = guard.check(this.#connection);
      decisions.push([guard.name, verdict === null ? 'allow' : 'block']);
      if (verdict !== null) return verdict;
    }
    return null;
  }

  #ofRequest(
    guards: readonly Guard[],
    facts: RequestFacts,
    from: number,
  ): RequestVerdict | Promise<RequestVerdict> {
    for (let at = from; at < guards.length; at += 1) {
      const guard = guards[at]!;
      if (guard.reads !== 'request') continue;
      const verdict = guard.check(facts);
      if (verdict instanceof Promise) {
        return verdict.then((later) => this.#note(guard, later) ?? this.#ofRequest(guards, facts, at + 1));
      }
      if (this.#note(guard, verdict) !== null) return verdict;
    }
    return null;
  }

  #note(guard: RequestGuard, verdict: RequestVerdict): RequestVerdict {
    this.#decided(guard.name, verdict === null ? (guard.allowed?.() ?? 'allow') : 'block');
    return verdict;
  }

  /** Checks a complete body. */
  ofBody({ bodyGuards }: Route, facts: RequestFacts, body: Buffer): Verdict {
    for (const { name, check } of bodyGuards) {
      const verdict = check(facts, body);
      this.#decided(name, verdict === null ? 'allow' : 'block');
      if (verdict !== null) return verdict;
    }
    return null;
  }
}

type RequestGuard = Extract<Guard, { readonly reads: 'request' }>;

/**
 * Returns true if a route does to a running request what the route that decided it (`before`) did. `isCopied`: the facts
 * of the request are known.
 */
export function followsRoute(route: Route, before: Route, isCopied: boolean): boolean {
  if (route.refusal !== null || route.converter?.name !== before.converter?.name) return false;
  if (!isCopied && route.guards.some(asksAgain)) return false;
  // The body was sent on, and is not kept.
  const judged = new Set(before.bodyGuards.map(({ terms }) => terms));
  return route.bodyGuards.every(({ terms }) => judged.has(terms));
}

/** Returns true if it decides again of a request that is under way. */
function asksAgain(guard: Guard): boolean {
  return guard.reads === 'request' && guard.isOnce !== true;
}
