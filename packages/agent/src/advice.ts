/** Remedies for refusals, in words of the command. */
import { type CommandPlace, commandAt } from './command-line.ts';
import { REMEDIES, type Refused } from './refused.ts';
import { serversIn } from './served-hosts.ts';

const CHECK_TOKEN =
  'Check the authtoken: --authtoken, UNDERPASS_AUTHTOKEN, the config file or data/bootstrap.json.';

/** The one remedy for a refusal. `now`: milliseconds since 1970. `server`: the address that was dialled. */
export function adviceOf(refused: Refused, now: number, server: string): string {
  const { stage, code = '', message, remedy } = refused;
  if (stage === 'certificate') return certificateAdvice(code, now, serversIn(message, server));
  return remedy === REMEDIES.auth ? CHECK_TOKEN : remedy;
}

/** Returns true if the code is of a fingerprint that the server's authority does not have. */
export function isOfPin(code: string): boolean {
  return code.startsWith('ERR_CA_FINGERPRINT');
}

/** While a daemon is started anew some attempts fail, and nothing is wrong. */
const PASSING_FAILURES = 3;

/**
 * The remedy for attempts that go on failing. Null: none is needed yet, or the reason has the service's own. `failures` and `reason`: as
 * in `AgentState`.
 */
export function adviceOffline(
  { failures, reason }: { readonly failures: number; readonly reason: string },
  place: CommandPlace,
): string | null {
  if (failures < PASSING_FAILURES || isOfService(reason)) return null;
  return `${commandAt('diagnose', place)} shows which step of the connection fails, and what to do.`;
}

/** Returns true if the text ends in the code of a service's error. */
function isOfService(reason: string): boolean {
  return /\bERR_(?:[A-Za-z0-9]+_)*\d+\s*$/.test(reason);
}

/**
 * Returns the remedy for an untrusted certificate. `code`: the TLS stack's. `servers`: addresses for agents that are
 * names of the certificate.
 */
export function certificateAdvice(code: string, now: number, servers: readonly string[] = []): string {
  if (code.includes('ALTNAME')) {
    const [server] = servers;
    const given = server === undefined ? 'with --server: connect.DOMAIN' : `as --server ${server}`;
    return `The certificate is for other names. Give the host of the daemon for agents ${given}.`;
  }
  if (isOfPin(code))
    return (
      'Compare the fingerprint with the one that "underpassd ca fingerprint" prints on the server. If they are the same, ' +
      'a proxy in between opens TLS, or --server names another server.'
    );
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `Renew the certificate, or set this machine's clock, which is at ${new Date(now).toISOString()}.`;
  return (
    'Give the authority that signed it, by its fingerprint with --ca-fingerprint ("underpassd ca fingerprint" prints it), ' +
    'or with --ca FILE: the daemon keeps its own in its data directory, ca.pem. If you gave one, ' +
    'it belongs to another daemon, or a proxy in between opens TLS.'
  );
}
