/** Detects a silent peer: heartbeats from each end, and any other bytes, are signs of life. */
import { type MuxSession, startHeartbeat } from '@underpass/wire';

export interface LinkTimes {
  /** Milliseconds for the hello of a new connection, and for a connect. */
  readonly helloMs: number;
  /** Milliseconds without a sign of life after which a link is closed. */
  readonly silentMs: number;
  /** Milliseconds until the first new attempt. They double with each one. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
  /** Milliseconds without a link after which the log has the reason. A daemon that leaves is known to be dead earlier. */
  readonly reportMs: number;
}

export const linkTimes: LinkTimes = {
  helloMs: 5_000,
  silentMs: 10_000,
  retryMs: 100,
  longestRetryMs: 2_000,
  reportMs: 10_000,
};

/** Parts of `silentMs`: heartbeats, and looks for bytes. */
const BEATS = 4;
const LOOKS = 8;

/** Calls `silent` once, after `silentMs` without a byte from the peer. */
export function watchSilence(session: MuxSession, silentMs: number, silent: () => void): void {
  let received = session.received;
  let heardAt = performance.now();
  const looks = setInterval(() => {
    const now = performance.now();
    if (session.isClosed) clearInterval(looks);
    else if (session.received !== received) {
      received = session.received;
      heardAt = now;
    } else if (now - heardAt >= silentMs) {
      clearInterval(looks);
      silent();
    }
  }, silentMs / LOOKS).unref();
  // An echo may wait behind much data on a slow link. Then the data is the sign.
  const beat = (): void => {
    const intervalMs = silentMs / BEATS;
    const dead = (): void => {
      if (!session.isClosed) beat();
    };
    startHeartbeat(session, { intervalMs, toleranceMs: silentMs, dead });
  };
  beat();
}
