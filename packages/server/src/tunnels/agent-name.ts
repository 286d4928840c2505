/**
 * Names of agents in texts for people.
 * Invariant: text from the agent is printable.
 */

import type { SessionFacts } from '../online/session.ts';
import { shown } from './options/fields.ts';

const partLimit = 64;

/** Returns `the agent on "host" (linux, version 1.2.3, session ts_…) from 203.0.113.7`, with the agent's own data. */
export function agentName(
  session: Pick<SessionFacts, 'id' | 'ip' | 'os' | 'agentVersion'>,
  hostname: string,
): string {
  const host = hostname === '' ? '' : ` on "${part(hostname)}"`;
  const version = session.agentVersion === '' ? '' : `version ${part(session.agentVersion)}`;
  const facts = [part(session.os), version, `session ${session.id}`].filter((fact) => fact !== '');
  return `the agent${host} (${facts.join(', ')}) from ${session.ip}`;
}

function part(text: string): string {
  return shown(text.slice(0, partLimit));
}
