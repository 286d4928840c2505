/**
 * Refuses a start beside a daemon with which links are not possible. One on another machine may lack an address for
 * them, or the two have no common version of links.
 * Invariant: a daemon that has just been killed on this machine does not delay the next start.
 */
import { mismatch } from '../link/hello.ts';
import { type LinkNode, linkNode } from '../link/node-facts.ts';
import type { StoredNode } from '../store/postgres/node-rows.ts';
import { StartError } from './start-error.ts';

/** Returns the daemons that have renewed in the time of a lease, without this one. */
export function livingBeside(
  own: number | null,
  nodes: readonly StoredNode[],
  leaseMs: number,
): readonly LinkNode[] {
  return nodes
    .filter((node) => node.incarnation !== own && node.dead_for === null && node.silent_for < leaseMs)
    .map(({ incarnation, facts }) => linkNode(incarnation, facts));
}

/** Throws StartError if there is a daemon with which this one has no common version of links. */
export function requireCommonVersion(own: Pick<LinkNode, 'link'>, others: readonly LinkNode[]): void {
  for (const { name, link } of others) {
    if (own.link.versions === null || link.versions === null) continue;
    const reason = mismatch(own.link.versions, link.versions);
    if (reason !== null)
      throw new StartError(
        `another daemon${named(name)} uses this database, and visitors would not reach the tunnels of both: ${reason}, or stop it. If that daemon was killed, start again in 20 s`,
      );
  }
}

/**
 * Throws StartError if there is a daemon on another machine with which links in both directions are not possible.
 * `reaches`: true if a process of this user listens at the path of a Unix socket here.
 */
export async function requireReach(
  own: Pick<LinkNode, 'machine' | 'link'>,
  others: readonly LinkNode[],
  reaches: (socket: string) => Promise<boolean>,
): Promise<void> {
  for (const { name, machine, link } of others) {
    if (machine === own.machine) continue;
    if (own.link.address !== null && link.address !== null) continue;
    if (link.socket !== null && (await reaches(link.socket))) continue;
    throw new StartError(refusal(name, machine, own.link.address === null, link.address === null));
  }
}

function refusal(name: string, machine: string, isOwnMissing: boolean, isOtherMissing: boolean): string {
  const missing = isOwnMissing
    ? `this one has no --link-listen${isOtherMissing ? ', and that one has none either' : ''}`
    : 'that one has no --link-listen';
  const remedy = isOtherMissing
    ? 'start each of them with --link-listen HOST:PORT, that one first'
    : 'give --link-listen HOST:PORT, with an address of this machine that the other one can connect to';
  return `another daemon${named(name)} on the machine ${machine || 'of unknown name'} uses this database, and visitors here would not reach its tunnels: ${missing}; ${remedy}. If that daemon was killed, start again in 20 s`;
}

const named = (name: string): string => (name === '' ? '' : `, ${name},`);
