/** What to do about a refusal, in words of the command. */
import type { Refused } from './refused.ts';

/** `now`: milliseconds since 1970. */
export function adviceOf({ stage, code = '' }: Refused, now: number): string {
  switch (stage) {
    case 'auth':
      return 'Check the authtoken: --authtoken, UNDERPASS_AUTHTOKEN, the config file or data/bootstrap.json.';
    case 'bind':
      return 'The tunnel was not started. Check what is said of it, and what the credential may bind.';
    case 'certificate':
      return certificateAdvice(code, now);
    default:
      return stage satisfies never;
  }
}

/** While a daemon is started anew some attempts fail, and nothing is wrong. */
const PASSING_FAILURES = 3;

/** What to do about attempts that go on failing; null: nothing yet. `failures`: as in `AgentState`. */
export function adviceOffline(failures: number, server: string): string | null {
  return failures < PASSING_FAILURES
    ? null
    : `"underpass diagnose --server ${server}" says which step of the way there fails, and what to do.`;
}

/** Of a server whose certificate is not taken; `code` is the TLS stack's. */
export function certificateAdvice(code: string, now: number): string {
  if (code.includes('ALTNAME'))
    return 'The certificate is for other names. Give the host of the daemon for agents with --server: connect.DOMAIN.';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `Have the certificate renewed, or set this machine's clock, which says ${new Date(now).toISOString()}.`;
  return (
    'Give the authority that signed it with --ca FILE: the daemon keeps its own in its data directory, ca.pem. Where that is given, ' +
    'it is of another daemon, or a proxy in between opens TLS.'
  );
}
