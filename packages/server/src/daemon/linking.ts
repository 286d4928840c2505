/** Starts the links to the other daemons of the database, and feeds them from the directory. */
import { hostname } from 'node:os';
import { Links } from '../link/links.ts';
import { type LinkFacts, linkNode } from '../link/node-facts.ts';
import { isReachable } from '../link/socket-folder.ts';
import type { DirectoryLink } from '../store/postgres/directory-link.ts';
import { loadLocalAuthority } from './certificates.ts';
import { type Doors, doorsOf } from './doors.ts';
import type { Foundation } from './foundation.ts';
import { livingBeside, requireCommonVersion, requireReach } from './reach.ts';

/** The facts in the row of a daemon. */
export interface OwnFacts {
  readonly name: string | null;
  /** Names the supervisor of the daemon; '' without one. */
  readonly group: string;
  readonly machine: string;
  readonly version: string;
  readonly region: string;
  readonly link: LinkFacts;
  readonly doors: Doors;
}

/** Begins to listen. The links stop after the directory, which other daemons reach this one by. */
export function startLinks(foundation: Foundation): Promise<Links> {
  const { config, log, parts } = foundation;
  return parts.start({
    start: async () => {
      const { links: listeners, ownDir: spare } = config;
      const links = new Links({ ...listeners, spare, authority: () => loadLocalAuthority(foundation), log });
      await links.start();
      return links;
    },
    stop: (links) => links.stop(),
  });
}

export function ownFacts({ config, version }: Foundation, links: Links): OwnFacts {
  const { nodeName: name, region, listen } = config.settings;
  const { group } = config;
  return { name, group, machine: hostname(), version, region, link: links.facts, doors: doorsOf(listen) };
}

/** Takes the other daemons that may live. */
export function followNodes(links: Links, others: ReadonlyMap<number, { readonly facts: object }>): void {
  links.follow([...others].map(([incarnation, { facts }]) => linkNode(incarnation, facts)));
}

/**
 * Checks that links to all daemons are possible, after this one has joined. So at least the later one
 * of two sees the other. Throws StartError.
 */
export async function checkReach(links: Links, directory: DirectoryLink, leaseMs: number): Promise<void> {
  const nodes = await directory.run((database) => database.nodes());
  const own = { machine: hostname(), link: links.facts };
  const others = livingBeside(links.incarnation, nodes, leaseMs);
  requireCommonVersion(own, others);
  await requireReach(own, others, isReachable);
}
