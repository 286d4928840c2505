/** The reason of a failed login, in two forms: the condition for the visitor, and the failed check for the operator. */
import type { ErrorNeeding } from '../errors/values.ts';

/** Conditions for visitors. Their messages contain the id of the request, by which the log has the details. */
export type LoginError = Extract<ErrorNeeding<'request'>, `login${string}`>;

export class LoginFault extends Error {
  override readonly name = 'LoginFault';
  readonly code: LoginError;
  /** Name of the check in the log, in a word or two, such as `audience`. */
  readonly check: string;

  /** `reason` is a sentence for the log. Nothing of it is shown to the visitor. */
  constructor(code: LoginError, check: string, reason: string) {
    super(reason);
    this.code = code;
    this.check = check;
  }
}
