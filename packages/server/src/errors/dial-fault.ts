/**
 * Names causes why a service behind the edge was not reached, for visitors and for owners.
 * Invariant: visitors get the cause alone. Addresses and texts of other programs are for the owner.
 */
import { printableLine } from './printable.ts';

const words = {
  refused: 'connection refused',
  name: 'name not found',
  nameServers: 'no response of the name servers',
  timeout: 'timeout',
  tls: 'TLS failed',
  route: 'no route to the address',
  socket: 'no such socket',
  failed: 'the connection failed',
  closed: 'the connection was closed without a response',
  lost: 'the session of the agent ended',
  unknown: 'the agent reports no cause',
} as const;

export type DialCause = keyof typeof words;

export interface DialFault {
  readonly cause: DialCause;
  /** The cause with its detail, for the owner. */
  readonly text: string;
}

/** Characters of a detail, which may come from another program. */
const LONGEST = 120;

/** `detail`: beside the cause, for the owner alone; '' for none. */
export function dialFault(cause: DialCause, detail = ''): DialFault {
  const cut = detail.length > LONGEST ? `${detail.slice(0, LONGEST)}…` : detail;
  return { cause, text: cut === '' ? words[cause] : `${words[cause]} (${printableLine(cut)})` };
}

/** Returns a sentence for visitors, to follow another one; '' if the cause is not known. */
export function causeSentence({ cause }: DialFault): string {
  return cause === 'unknown' ? '' : ` Cause: ${words[cause]}.`;
}
