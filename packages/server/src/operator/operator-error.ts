/** The error of commands for operators. */
import { ForOperator } from '../core/for-operator.ts';

/** The request cannot be done; the message is for the operator. */
export class OperatorError extends ForOperator {
  override readonly name = 'OperatorError';
}
