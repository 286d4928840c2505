/** Why a store cannot be opened. Never without the remedy. */
import { ForOperator } from '../core/for-operator.ts';

export type OpenFailure =
  | 'not-writable'
  | 'damaged'
  | 'lost'
  | 'newer-version'
  | 'locked'
  | 'unreachable'
  | 'access-denied'
  | 'shared-sessions'
  | 'refused'
  | 'no-such-database'
  | 'server-too-old';

/** The store cannot be opened. The message names the database and the remedy, never a password: it is for the operator. */
export class StoreOpenError extends ForOperator {
  override readonly name = 'StoreOpenError';
  readonly reason: OpenFailure;
  constructor(reason: OpenFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
