/** Finds the addresses for agents among the names of a certificate. */
import { parseFirstServer } from './address.ts';

/**
 * Takes names as Node lists them: `DNS:*.example.com, DNS:example.com`. `server`: the address that was dialled, whose port they get.
 * Throws InvalidInput if that is none.
 */
export function serversIn(names: string, server: string): readonly string[] {
  const { port } = parseFirstServer(server);
  const found = [...names.matchAll(/DNS:(?:\*|connect)\.([a-z0-9.-]+)/gi)];
  return [...new Set(found.map(([, domain = '']) => `connect.${domain.replace(/\.$/, '')}:${port}`))];
}
