/** Names the cause why a client did not open a channel to its service, by the client's own words (RFC 4254, section 5.1). */
import { type DialCause, type DialFault, dialFault } from '../errors/dial-fault.ts';

/** Words of systems for failed connections and lookups, which clients pass on. */
const causes: readonly (readonly [words: RegExp, cause: DialCause])[] = [
  [/refused/i, 'refused'],
  [/not known|unknown host|no such host|no address|cannot resolve/i, 'name'],
  [/timed? ?out/i, 'timeout'],
  [/no route|unreachable/i, 'route'],
  [/no such file/i, 'socket'],
];

export function faultOfRefusal(description: string): DialFault {
  const known = causes.find(([words]) => words.test(description));
  const detail = description === '' ? '' : `SSH client: ${description}`;
  return dialFault(known === undefined ? 'failed' : known[1], detail);
}
