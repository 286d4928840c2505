/** Serves calls of other daemons about the sessions and tunnels of this one. */

import { Problem } from '../../errors/problem.ts';
import { LinkStream, type Peers } from '../../link/peers.ts';
import type { TunnelHandle } from '../../online/online.ts';
import type { Refusal } from '../../online/refusal.ts';
import { type SessionHandle, type SessionRequest, sessionRequests } from '../../online/session.ts';
import type { Visit, Visits } from '../../online/visits.ts';
import type { Incarnation } from '../directory/row.ts';
import type { Report } from './reports.ts';

export interface OwnTunnels {
  /** The online tunnel of a number in the directory; undefined: this daemon has none. */
  tunnelOf(number: number): TunnelHandle | undefined;
  session(id: string, account: string): SessionHandle | undefined;
  /** Ends tunnels, by their numbers, that claims of other daemons have replaced. */
  endReplaced(numbers: readonly number[]): void;
}

/** Has other daemons end tunnels that claims of this one have replaced. Resolves when all have answered. */
export async function endReplaced(
  peers: Pick<Peers, 'get'>,
  replaced: ReadonlyMap<Incarnation, readonly number[]>,
): Promise<void> {
  const calls = Array.from(replaced, ([incarnation, numbers]) =>
    // A daemon that cannot be reached follows the directory, or is fenced.
    peers.get(incarnation)?.call(LinkStream.replaced, { numbers }),
  );
  await Promise.allSettled(calls);
}

/** A request to an agent. */
export interface Asked {
  readonly session: string;
  readonly account: string;
  readonly request: SessionRequest;
}

/** The answer: null, or the problem that the agent's daemon raised. */
export type AskAnswer = Pick<Problem, 'code' | 'values' | 'retryAfter'> | null;

/** Serves all calls but those of the edge. */
export function servePeers(peers: Peers, own: OwnTunnels, visits: Pick<Visits, 'observe'>): void {
  peers.answer(LinkStream.modules, (body) => {
    const { numbers } = body as { readonly numbers: readonly number[] };
    return numbers.map((number) => {
      const tunnel = own.tunnelOf(number);
      return tunnel === undefined ? null : { modules: tunnel.modules, termination: tunnel.termination };
    });
  });
  peers.answer(LinkStream.replaced, (body) => {
    own.endReplaced((body as { readonly numbers: readonly number[] }).numbers);
    return {};
  });
  peers.answer(LinkStream.ask, (body) => ask(own, body as Asked));
  peers.answer(LinkStream.refused, (body) => {
    for (const { number, about } of body as readonly Report<Refusal>[])
      own.tunnelOf(number)?.refused?.(() => about);
    return {};
  });
  peers.answer(LinkStream.visits, (body) => {
    for (const { number, about } of body as readonly Report<Omit<Visit, 'servedBy'>>[]) {
      const servedBy = own.tunnelOf(number)?.id;
      if (servedBy !== undefined) visits.observe({ ...about, servedBy });
    }
    return {};
  });
}

async function ask(own: OwnTunnels, { session, account, request }: Asked): Promise<AskAnswer> {
  try {
    // The other daemon may be of a newer version.
    if (!sessionRequests.includes(request)) throw new Problem('sessionNodeOlder');
    const handle = own.session(session, account);
    if (handle === undefined) throw new Problem('resourceNotFound');
    await handle.ask(request);
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, values, retryAfter } = error;
    return { code, values, retryAfter };
  }
}
