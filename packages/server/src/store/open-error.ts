/** The error of a store that cannot be opened. Invariant: it names the remedy. */
import { ForOperator } from '../core/for-operator.ts';

export type OpenFailure =
  | 'not-writable'
  | 'damaged'
  | 'lost'
  | 'newer-version'
  | 'older-daemons'
  | 'locked'
  | 'unreachable'
  | 'access-denied'
  | 'shared-sessions'
  | 'refused'
  | 'no-such-database'
  | 'server-too-old';

/**
 * The store cannot be opened. The message is for the operator: it names the database and the remedy, never a password.
 */
export class StoreOpenError extends ForOperator {
  override readonly name = 'StoreOpenError';
  readonly reason: OpenFailure;
  constructor(reason: OpenFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
