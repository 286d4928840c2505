/** Why a login came to nothing, told to two: the visitor reads the condition, the operator which check failed. */
import type { ErrorNeeding } from '../errors/values.ts';

/** Conditions that a visitor meets on the way in; their messages name the request, by which the log says more. */
export type LoginError = Extract<ErrorNeeding<'request'>, `login${string}`>;

export class LoginFault extends Error {
  override readonly name = 'LoginFault';
  readonly code: LoginError;
  /** For the log: the check in a word or two, such as `audience`. */
  readonly check: string;

  /** `reason` is a sentence for the log. Nothing of it is shown to the visitor. */
  constructor(code: LoginError, check: string, reason: string) {
    super(reason);
    this.code = code;
    this.check = check;
  }
}
