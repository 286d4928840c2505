/**
 * Isolation over the links: reports about renewals, and the end of an isolated daemon by another one. See
 * tunnels/directory/isolation.ts for the rule.
 * Invariant: a daemon is declared dead here only on its own word, which its link proves.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { LinkStream, type Peer, type Peers } from '../link/peers.ts';
import type { RenewalReport } from '../tunnels/directory/isolation.ts';
import type { IsolationOptions } from '../tunnels/directory/isolation-watch.ts';
import type { RemoteTunnels } from '../tunnels/remote/remote-tunnels.ts';
import type { SharedDirectory } from '../tunnels/shared-directory.ts';
import type { Foundation } from './foundation.ts';

/** The body of the call. */
interface Asked {
  /** The caller is isolated, has ended everything, and is to be declared dead. False: it requests a report. */
  readonly isOver: boolean;
}

const report: Asked = { isOver: false };
const end: Asked = { isOver: true };

/** Milliseconds for another daemon to declare this one dead. */
const LEAVE_MS = 5_000;
/** The longest wait for links after a return, and milliseconds between two looks. */
const LINKED_MS = 2_000;
const LOOK_MS = 50;

/** Returns the part of the rule that needs other daemons. `afterMs`: see `IsolationOptions`. */
export function isolationOver(peers: Pick<Peers, 'all'>, afterMs: number): IsolationOptions {
  const linked = (): readonly Peer[] => [...peers.all()].filter(({ isUp }) => isUp);
  return {
    afterMs,
    ask: async (heard, timeoutMs) => {
      const calls = linked().map(async (peer) => {
        heard(reportOf(await peer.call(LinkStream.isolation, report, timeoutMs)));
      });
      // A daemon of an older version does not know the call.
      await Promise.allSettled(calls);
    },
    linked: async () => {
      const until = performance.now() + LINKED_MS;
      // Links are made anew with the new incarnation.
      do await pause(LOOK_MS);
      while (performance.now() < until && linked().length < [...peers.all()].length);
    },
    leave: async () => {
      const calls = linked().map((peer) => peer.call(LinkStream.isolation, end, LEAVE_MS));
      return await Promise.any(calls).then(
        () => true,
        () => false,
      );
    },
  };
}

/** Answers other daemons. */
export function serveIsolation(
  peers: Pick<Peers, 'answer'>,
  directory: Pick<SharedDirectory, 'renewals' | 'bury'>,
): void {
  peers.answer(LinkStream.isolation, async (body, from) => {
    if (!(body as Asked).isOver) return directory.renewals ?? {};
    await directory.bury(from);
    return {};
  });
}

/** Ends what leads to other daemons, and shows isolation to operators: in readiness and in the log. */
export function followIsolation(
  { readiness, log }: Pick<Foundation, 'readiness' | 'log'>,
  { isolated }: Pick<SharedDirectory, 'isolated'>,
  others: Pick<RemoteTunnels, 'leaveAll'> | null,
): void {
  readiness.register('isolated', () =>
    isolated.is
      ? 'this daemon does not reach the database, and another one does: its agents and visitors go to other daemons'
      : null,
  );
  isolated.onChange((is) => {
    if (is) others?.leaveAll();
    if (is) log.error('isolated: this daemon alone does not reach the database, so it serves nothing');
    else log.info('no longer isolated: this daemon reaches the database and serves again');
  });
}

/** Returns null for anything else than a report: a daemon that cannot renew sends none. */
function reportOf(answer: unknown): RenewalReport | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { agoMs, steadyMs } = answer as Partial<Record<keyof RenewalReport, unknown>>;
  if (typeof agoMs !== 'number' || typeof steadyMs !== 'number') return null;
  return { agoMs, steadyMs };
}
