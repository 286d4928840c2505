/** The daemons of a database, as `underpassd nodes` shows them. */
import type { Database } from '../store/databases/database.ts';
import { readNodes } from '../store/databases/open.ts';
import { ISOLATED, type ListedNode, type StoredNode } from '../store/postgres/node-rows.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import { OperatorError } from './operator-error.ts';

/** Milliseconds after its last renewal for which a daemon counts as alive. */
export const LEASE_MS = 20_000;
export const ONE_DAEMON =
  'SQLite has one daemon, and no list of them. Name the PostgreSQL database of the daemons with --database.';

export const NO_DAEMON = 'no daemon is in the list of this database, in which one with --alone never is';

export interface ShownNode {
  readonly name: string;
  readonly incarnation: number;
  /** `isolated`: it alone is cut off from the database, and serves nothing. */
  readonly state: 'ready' | 'draining' | 'silent' | 'isolated' | 'dead';
  readonly machine: string;
  readonly region: string;
  readonly version: string;
  /** Sessions of agents, and tunnels with a name, port or labels. */
  readonly agents: number;
  readonly tunnels: number;
  /** Its address for links of other machines; '' for none. */
  readonly link: string;
  /** Seconds since its start, and since its last renewal. */
  readonly started_s: number;
  readonly renewed_s: number;
}

/** Rejects with OperatorError or StoreOpenError. */
export async function listNodes(database: Database): Promise<JsonObject> {
  const nodes = await readNodes(database);
  if (nodes === null) throw new OperatorError(ONE_DAEMON);
  return { nodes: nodes.map(shownNode) };
}

/** Returns the name of a daemon; one without a name is called by its incarnation. */
export function nameOfNode({ incarnation, facts }: Pick<StoredNode, 'incarnation' | 'facts'>): string {
  return textIn(facts, 'name') || String(incarnation);
}

/** Returns a daemon as people and programs see it. */
export function shownNode(node: ListedNode): JsonObject & ShownNode {
  const { incarnation, facts, sessions, tunnels } = node;
  const [startedS, renewedS] = [node.age, node.silent_for].map((ms) => Math.max(0, Math.round(ms / 1000)));
  const link = 'link' in facts && typeof facts.link === 'object' ? (facts.link ?? {}) : {};
  return {
    name: nameOfNode(node),
    incarnation,
    state: stateOf(node),
    machine: textIn(facts, 'machine'),
    region: textIn(facts, 'region'),
    version: textIn(facts, 'version'),
    agents: sessions,
    tunnels,
    link: textIn(link, 'address'),
    started_s: startedS!,
    renewed_s: renewedS!,
  };
}

function stateOf(node: StoredNode): ShownNode['state'] {
  const { dead_for: deadFor, silent_for: silentFor, draining, facts } = node;
  if (deadFor !== null) return ISOLATED in facts ? 'isolated' : 'dead';
  if (silentFor >= LEASE_MS) return 'silent';
  return draining ? 'draining' : 'ready';
}

/** Facts are of a daemon of any version. */
function textIn(facts: object, name: string): string {
  const value: unknown = (facts as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}

const HEAD = ['NAME', 'STATE', 'MACHINE', 'REGION', 'VERSION', 'AGENTS', 'TUNNELS', 'STARTED', 'LINK'];

/** A table for people. */
export function nodesTable(answer: JsonObject): string {
  const nodes = answer.nodes as readonly (JsonValue & ShownNode)[];
  if (nodes.length === 0) return `${NO_DAEMON}.`;
  const table = [HEAD, ...nodes.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function rowOf(node: ShownNode): readonly string[] {
  const { name, state, machine, region, version, agents, tunnels, started_s: started, link } = node;
  const shownState = state === 'silent' ? `silent for ${node.renewed_s} s` : state;
  return [
    ...[name, shownState, machine, region, version, String(agents), String(tunnels)],
    ...[`${started} s ago`, link],
  ];
}
