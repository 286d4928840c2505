/** An obstacle that ends a setup, or repeats a question on a terminal. */
import { ForOperator } from '../core/for-operator.ts';

/** The message names what is wrong and the remedy. */
export class SetupError extends ForOperator {
  override readonly name = 'SetupError';
}
