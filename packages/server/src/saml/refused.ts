/** Reasons for a refused SAML message: a sentence for the log, and the check in a word or two. */
import { LoginFault } from '../login/login-fault.ts';

const mostQuoted = 200;

export function refused(check: string, reason: string): LoginFault {
  return new LoginFault('loginRefused', check, reason);
}

/** Returns a text that a stranger has sent, quoted and shortened for the log. */
export function quoted(text: string | null): string {
  return JSON.stringify((text ?? '').slice(0, mostQuoted));
}
