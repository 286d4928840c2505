/** Starts the links to the other daemons of the database, and feeds them from the directory. */
import { hostname } from 'node:os';
import { Links } from '../link/links.ts';
import { type LinkFacts, linkNode } from '../link/node-facts.ts';
import { loadLocalAuthority } from './certificates.ts';
import { type Doors, doorsOf } from './doors.ts';
import type { Foundation } from './foundation.ts';

/** The facts in the row of a daemon. */
export interface OwnFacts {
  readonly name: string | null;
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
      const links = new Links({ ...config.links, authority: () => loadLocalAuthority(foundation), log });
      await links.start();
      return links;
    },
    stop: (links) => links.stop(),
  });
}

export function ownFacts({ config, version }: Foundation, links: Links): OwnFacts {
  const { nodeName: name, region, listen } = config.settings;
  return { name, machine: hostname(), version, region, link: links.facts, doors: doorsOf(listen) };
}

/** Takes the other daemons that may live. */
export function followNodes(links: Links, others: ReadonlyMap<number, { readonly facts: object }>): void {
  links.follow([...others].map(([incarnation, { facts }]) => linkNode(incarnation, facts)));
}
