/** The peer did what the protocol does not allow; the connection ends with the text, for its user. */
import { Disconnect } from './numbers.ts';

export class SshError extends Error {
  override readonly name = 'SshError';
  readonly reason: Disconnect;

  constructor(message: string, reason: Disconnect = Disconnect.protocolError) {
    super(message);
    this.reason = reason;
  }
}
