/** The daemons of a database, as `underpassd nodes` shows them. */
import type { Database } from '../store/databases/database.ts';
import { readNodes } from '../store/databases/open.ts';
import type { ListedNode } from '../store/postgres/directory.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import { OperatorError } from './requests.ts';

/** Milliseconds after its last renewal for which a daemon counts as alive. */
const LEASE_MS = 20_000;

export interface ShownNode {
  readonly incarnation: number;
  readonly state: 'alive' | 'silent' | 'dead';
  readonly machine: string;
  readonly version: string;
  readonly region: string;
  readonly tunnels: number;
  /** Seconds since its start, and since its last renewal. */
  readonly started_s: number;
  readonly renewed_s: number;
}

/** Rejects with OperatorError or StoreOpenError. */
export async function listNodes(database: Database): Promise<JsonObject> {
  const nodes = await readNodes(database);
  if (nodes === null)
    throw new OperatorError(
      'SQLite has one daemon, and no list of them. Name the PostgreSQL database of the daemons with --database.',
    );
  return { nodes: nodes.map(shownNode) };
}

function shownNode(node: ListedNode): JsonObject & ShownNode {
  const { incarnation, facts, tunnels, age, silent_for: silentFor, dead_for: deadFor } = node;
  const { machine = '', version = '', region = '' } = facts as Partial<ShownNode>;
  const living = silentFor < LEASE_MS ? 'alive' : 'silent';
  const state = deadFor === null ? living : 'dead';
  const [startedS, renewedS] = [age, silentFor].map((ms) => Math.max(0, Math.round(ms / 1000)));
  return {
    incarnation,
    state,
    machine,
    version,
    region,
    tunnels,
    started_s: startedS!,
    renewed_s: renewedS!,
  };
}

/** A table for people. */
export function nodesTable(answer: JsonObject): string {
  const nodes = answer.nodes as readonly (JsonValue & ShownNode)[];
  if (nodes.length === 0) return 'no daemon uses this database';
  const rows = nodes.map(
    ({ state, machine, version, region, tunnels, started_s: started, renewed_s: renewed }) => [
      ...[state, machine, version, region, String(tunnels), `${started} s ago`, `${renewed} s ago`],
    ],
  );
  const table = [['STATE', 'MACHINE', 'VERSION', 'REGION', 'TUNNELS', 'STARTED', 'RENEWED'], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
