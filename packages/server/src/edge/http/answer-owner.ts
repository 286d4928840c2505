/** The exchange that an answer is of, as it looks to what makes the answer's bytes. */
import type { MessageFault } from '@underpass/wire/http1';

const CRLF = Buffer.from('\r\n');
export const LAST_CHUNK = Buffer.from('0\r\n\r\n');

export interface AnswerOwner {
  /** Writes to the visitor. Returns false if the visitor is gone. */
  relay(bytes: Buffer, more: boolean): boolean;
  saved(bytes: number): void;
  pauseUpstream(isPaused: boolean): void;
  /** `fault`: for the owner, and never for the visitor. */
  answerInvalid(fault: MessageFault): void;
  /** `fault`: null if the upstream ended the connection. */
  answerCut(fault: MessageFault | null): void;
  /** Handling what a stage made went wrong here. */
  crashed(error: unknown): void;
  /** `protocol` as the upstream named it. */
  answerSwitched(protocol: string): void;
  upstreamDone(reusable: boolean, keepAliveMs: number | null): void;
  answerDone(): void;
}

/** A chunk of our own around some bytes. */
export function relayChunk(owner: Pick<AnswerOwner, 'relay'>, bytes: Buffer): void {
  owner.relay(Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1'), true);
  owner.relay(bytes, true);
  owner.relay(CRLF, true);
}
