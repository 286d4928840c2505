/**
 * Has a daemon of a database send its agents to the other ones, or ends that.
 * Invariant: no daemon is drained whose agents have nowhere to go, unless that is forced.
 */
import type { Database } from '../store/databases/database.ts';
import { drainNode } from '../store/databases/open.ts';
import type { StoredNode } from '../store/postgres/node-rows.ts';
import type { JsonObject } from '../store/store.ts';
import { LEASE_MS, NO_DAEMON, nameOfNode, ONE_DAEMON } from './nodes.ts';
import { OperatorError } from './operator-error.ts';
import type { DrainRequest } from './requests.ts';

/** Rejects with OperatorError or StoreOpenError. */
export async function drain(database: Database, request: DrainRequest): Promise<JsonObject> {
  let chosen: StoredNode | null = null;
  const done = await drainNode(database, request.drains, (living) => {
    chosen = chosenOf(living, request);
    return chosen.incarnation;
  });
  if (!done) throw new OperatorError(ONE_DAEMON);
  const { incarnation, facts } = chosen!;
  return { incarnation, name: nameOfNode({ incarnation, facts }), draining: request.drains };
}

/** Returns the daemon that the request means. Throws OperatorError. */
export function chosenOf(
  living: readonly StoredNode[],
  { node, drains, isForced }: Omit<DrainRequest, 'operation'>,
): StoredNode {
  const found = living.filter((one) => nameOfNode(one) === node || String(one.incarnation) === node);
  const [chosen] = found;
  if (chosen === undefined)
    throw new OperatorError(
      `no daemon of this database is called ${node}: ${living.length === 0 ? NO_DAEMON : `give one of ${living.map(nameOfNode).join(', ')}`}`,
    );
  if (found.length > 1)
    throw new OperatorError(
      `${found.length} daemons are called ${node}: give the incarnation of one, ${found.map(({ incarnation }) => incarnation).join(' or ')}`,
    );
  const takesAgents = (one: StoredNode): boolean =>
    one !== chosen && !one.draining && one.silent_for < LEASE_MS;
  if (drains && !chosen.draining && !isForced && !living.some(takesAgents))
    throw new OperatorError(
      `no other daemon takes the agents of ${node}: start another one, or give --force to send them away all the same`,
    );
  return chosen;
}

/** A sentence for people. */
export function drainText({ name, draining }: JsonObject): string {
  return draining === true
    ? `${name} drains: its agents go to other daemons, and its /readyz returns 503. "underpassd nodes" shows how many are left.`
    : `${name} no longer drains: agents may come to it.`;
}
