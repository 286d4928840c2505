/** The line by which a machine joins with a credential that was just created. */

import type { Client } from '@underpass/client';
import type { ResourceTable, VerbTable } from '@underpass/client/operations';
import { commandAt } from '../command-line.ts';
import { printableLine } from '../printable.ts';

const TIMEOUT_MS = 5_000;

/** Returns the text for a terminal; '' for other calls, and if the service does not state how machines join. */
export async function joinLine(client: Client, resource: ResourceTable, verb: VerbTable): Promise<string> {
  if (resource.name !== 'credentials' || verb.name !== 'create') return '';
  try {
    const { server, ca_fingerprint: pin } = await client.joining({ timeoutMs: TIMEOUT_MS });
    return `\nJoin a machine with this line, which prompts for the token:\n  ${lineFor(server, pin)}\n`;
  } catch {
    // The credential is there, and an older service has no such document.
    return '';
  }
}

function lineFor(server: string, pin: string | null): string {
  const place = { server, caFingerprint: pin ?? undefined };
  const command = commandAt('login', place).slice(1, -1);
  return printableLine(`${command} --authtoken -`);
}
