/** Deadlines of an idle connection, one for each stage. An exchange as a whole has none. */
import type { Linger } from '../../system/linger.ts';
import type { BodyRate } from './body-rate.ts';
import type { Shared } from './shared.ts';
import type { HalfClosed } from './visitor.ts';
import type { VisitorSocket } from './visitor-socket.ts';

/** Stages of a connection, in the order of a request. */
export const Stage = {
  /** Waiting for a request, or for the rest of its head. */
  head: 0,
  /** Waiting for the verdict of a guard. */
  verdict: 1,
  body: 2,
  /** The request is complete, its response is not. */
  answer: 3,
  /** Switched: bytes both ways. */
  tunnel: 4,
  /** The last response is written; what still comes in is thrown away. */
  closing: 5,
  closed: 6,
} as const;

/** Coarse times in milliseconds. */
export interface Stillness {
  readonly stage: number;
  /** Time of entering the stage. */
  readonly since: number;
  /** Time of the visitor's last byte. */
  readonly lastRead: number;
  /** Time of the upstream's last sign of life. */
  readonly lastHeard: number;
  /** A switched connection of which one side has ended. */
  readonly halfClosed: HalfClosed | null;
  readonly isPartialHead: boolean;
  /** Everything written is out, and it was noticed. */
  readonly isFlushed: boolean;
  readonly bodyRate: Pick<BodyRate, 'isTooLow'>;
  /** True if a guard that admitted the request now ends it. */
  readonly isOver: boolean;
  /** Null before the last response is written. */
  readonly linger: Pick<Linger, 'isOver'> | null;
  readonly socket: Pick<VisitorSocket, 'blocked' | 'lastWrite' | 'isBodyPaused' | 'isFlushed' | 'hasUnsent'>;
}

/**
 * Null for none. `expire`: the upstream is too slow. `refuse`: the visitor is too slow. `probe`: only the visitor's
 * kernel shows if it is there.
 */
export type Due = null | 'abort' | 'close' | 'destroy' | 'expire' | 'flushed' | 'probe' | 'refuse';

export function dueOf(still: Stillness, shared: Pick<Shared, 'clock' | 'limits'>): Due {
  const { clock, limits } = shared;
  const { stage, since, lastRead, lastHeard, socket } = still;
  const silentFor = clock - Math.max(lastRead, lastHeard);
  if (stage === Stage.closing) return whenClosing(still, shared);
  if (still.isOver && stage !== Stage.head) return 'abort';
  if (socket.blocked && clock - socket.lastWrite > limits.writeStallMs) return 'abort';
  switch (stage) {
    case Stage.head:
      if (still.isPartialHead) return clock - since > limits.headMs ? 'refuse' : null;
      return clock - since > limits.idleMs ? 'close' : null;
    case Stage.verdict:
      return clock - since > limits.answerMs ? 'abort' : null;
    case Stage.tunnel:
      return silentFor > limits.upgradeIdleMs ? 'abort' : whenHalfClosed(still, shared);
    case Stage.body:
      if (!socket.isBodyPaused) {
        const isTooSlow = silentFor > limits.bodyIdleMs || still.bodyRate.isTooLow(clock, lastHeard);
        return isTooSlow ? 'refuse' : null;
      }
  }
  return !socket.blocked && clock - lastHeard > limits.answerMs ? 'expire' : null;
}

/** One side of a switched connection may have ended, and the other one does not follow. */
function whenHalfClosed(
  { halfClosed, lastRead, lastHeard, socket }: Stillness,
  { clock, limits }: Pick<Shared, 'clock' | 'limits'>,
): Due {
  if (halfClosed === null) return null;
  const { by, since, isWebsocket } = halfClosed;
  const lastWritten = by === 'upstream' ? Math.max(since, socket.lastWrite) : since;
  // The visitor still gets the bytes that the upstream sent before its end.
  if (by === 'upstream' && socket.hasUnsent)
    return clock - lastWritten > limits.writeStallMs ? 'abort' : null;
  if (isWebsocket) return clock - lastWritten > limits.websocketEndMs ? 'abort' : null;
  if (clock - Math.max(lastWritten, lastRead, lastHeard) <= limits.halfClosedMs) return null;
  return by === 'visitor' ? 'probe' : 'abort';
}

function whenClosing(
  { since, socket, isFlushed, linger }: Stillness,
  { clock, limits }: Pick<Shared, 'clock' | 'limits'>,
): Due {
  if (!socket.isFlushed) return clock - since > limits.writeStallMs ? 'destroy' : null;
  if (!isFlushed) return 'flushed';
  return linger?.isOver(clock) === true ? 'destroy' : null;
}
