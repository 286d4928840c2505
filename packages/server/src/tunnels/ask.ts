/**
 * Requests a restart, stop or update of an agent.
 * Invariant: the wait for the response is bounded.
 */

import { call, ErrorCode, field, type MuxSession, StreamType, WireError } from '@underpass/wire';
import { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { SessionRequest } from '../online/session.ts';
import { shown } from './options/fields.ts';

interface Asking {
  readonly type: StreamType;
  readonly body: object;
  /** Error if the agent cannot do it, by its Auth or because its Auth has no such field. */
  readonly cannot: ErrorNeeding<'reason'>;
  /** The agent answered with an error. */
  readonly failed: ErrorNeeding<'reason'>;
}

/** Agents come back in half a second, most of the time. */
const lookAgainSeconds = 1;

/** An update stays inside the major version (open points, part B 1.21). */
const newestOfMajor = { Version: '', PermitMajorVersion: false };

const askings: Readonly<Record<SessionRequest, Asking>> = {
  restart: {
    type: StreamType.restart,
    body: {},
    cannot: 'agentCannotRestart',
    failed: 'agentRestartFailed',
  },
  stop: { type: StreamType.stop, body: {}, cannot: 'agentCannotStop', failed: 'agentStopFailed' },
  update: {
    type: StreamType.update,
    body: newestOfMajor,
    cannot: 'agentCannotUpdate',
    failed: 'agentUpdateFailed',
  },
};

/**
 * Sends a request about itself to an agent (agent protocol, sections 3 to 5) and resolves after its consent.
 * `unsupported` is the field of its Auth: '' if it can, null if absent. Raises Problem.
 */
export async function ask(
  mux: MuxSession,
  what: SessionRequest,
  unsupported: string | null,
  timeoutMs: number,
): Promise<void> {
  const { type, body, cannot, failed } = askings[what];
  if (unsupported === null)
    throw new Problem(cannot, { reason: 'it is of a kind or an age that takes no such request' });
  if (unsupported !== '') throw new Problem(cannot, { reason: inOneLine(unsupported) });

  let error: unknown;
  try {
    error = field(await call(mux, type, body, timeoutMs), 'Error');
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause;
    if (mux.isClosed) throw new Problem('agentConnectionLost', {}, {}, lookAgainSeconds);
    if (cause.code === ErrorCode.streamCancelled)
      throw new Problem('agentAnswerMissing', { seconds: timeoutMs / 1000 }, {}, lookAgainSeconds);
    throw new Problem(failed, { reason: inOneLine(cause.message) });
  }
  if (typeof error === 'string' && error !== '') throw new Problem(failed, { reason: inOneLine(error) });
}

/** A text of the agent's, as part of a sentence. */
function inOneLine(text: string): string {
  return shown(text.trim().replace(/\s+/g, ' ').replace(/\.$/, ''));
}
