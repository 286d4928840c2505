/** Facts of another daemon that matter for links, as its row in the directory has them. */
import { parseVersions, type Versions } from './hello.ts';

/** The places where a daemon accepts links. */
export interface LinkFacts {
  /** Path of a Unix socket on its machine; null: it could not make one. */
  readonly socket: string | null;
  /** `HOST:PORT` for other machines; null: none. */
  readonly address: string | null;
  /** Its versions of links; null: its row does not have them, so only the hello does. */
  readonly versions: Versions | null;
}

export interface LinkNode {
  readonly incarnation: number;
  /** The name of the daemon in logs. */
  readonly name: string;
  readonly machine: string;
  readonly region: string;
  readonly link: LinkFacts;
}

/** Reads the facts of a row. A daemon of another version may have fewer. */
export function linkNode(incarnation: number, facts: object): LinkNode {
  const { name, machine, region, link } = facts as Record<string, unknown>;
  const { socket, address, versions } = (typeof link === 'object' && link !== null ? link : {}) as Record<
    string,
    unknown
  >;
  return {
    incarnation,
    name: textOf(name) ?? '',
    machine: textOf(machine) ?? '',
    region: textOf(region) ?? '',
    link: { socket: textOf(socket), address: textOf(address), versions: parseVersions(versions) },
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
