/**
 * Tells an agent that a tunnel of its session is no more (agent protocol, section 5). Never before the agent can know the
 * tunnel, and never of one whose id was bound again meanwhile.
 */
import { call, type MuxSession, StreamType } from '@underpass/wire';
import { errorCode, type Problem } from '../errors/problem.ts';
import { errorText } from './answers.ts';
import type { IngressContext } from './context.ts';

/** Some agents never answer. */
const answerMs = 10_000;

export interface StoppedTunnel {
  readonly bindId: string;
  /** By the clock that never jumps. */
  readonly boundAt: number;
}

export function tellStopped(
  mux: MuxSession,
  { settings, limits, uptime }: Pick<IngressContext, 'settings' | 'limits' | 'uptime'>,
  { bindId, boundAt }: StoppedTunnel,
  reason: Problem,
  isBoundAgain: () => boolean,
): void {
  const message = {
    Id: bindId,
    Message: errorText(reason, settings.errorPrefix),
    ErrorCode: errorCode(settings.errorPrefix, reason.code),
  };
  const tell = (): void => {
    if (mux.isClosed || isBoundAgain()) return;
    // The agent may be gone or too old to know the message: it is offline either way.
    call(mux, StreamType.stopTunnel, message, answerMs).catch(() => {});
  };
  const knownInMs = boundAt + limits.registerMs - uptime();
  if (knownInMs <= 0) tell();
  else setTimeout(tell, knownInMs).unref();
}
