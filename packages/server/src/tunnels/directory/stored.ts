/** Rows of the directory in the form of the database, and keys as its texts. */
import { type BindTarget, type Slot, tcpPort } from '../../core/names/bind-target.ts';
import type {
  ClaimedTunnel,
  StoredKey,
  StoredPlace,
  StoredTunnel,
  UpdatedTunnel,
} from '../../store/postgres/directory.ts';
import type { StoredNode } from '../../store/postgres/node-rows.ts';
import type { Claimant } from './decide.ts';
import type { Entry } from './entry.ts';
import type { NodeTimes } from './fence.ts';
import type { DirectoryRow, Incarnation, KeyRows, NodeState } from './row.ts';

const PORT = 'tcp:';
const LABELLED = 'label:';
const SESSION = 'session:';

/** Names are their own text; ports have a prefix that no name has. */
export function keyOf(target: BindTarget | Slot): string {
  return typeof target === 'number' ? `${PORT}${target}` : target;
}

/** `tunnel`: the id of a labelled tunnel. */
export function labelledKey(tunnel: string): string {
  return `${LABELLED}${tunnel}`;
}

/** `session`: `ts_…`. */
export function sessionKey(session: string): string {
  return `${SESSION}${session}`;
}

export function isLabelledKey(key: string): boolean {
  return key.startsWith(LABELLED);
}

export function isSessionKey(key: string): boolean {
  return key.startsWith(SESSION);
}

/** Returns the name or port of a key; null: it is one of a labelled tunnel or a session. */
export function targetOf(key: string): BindTarget | null {
  if (isLabelledKey(key) || isSessionKey(key)) return null;
  return key.startsWith(PORT) ? tcpPort(Number(key.slice(PORT.length))) : (key as BindTarget);
}

/** `slot`: null for a labelled tunnel. `hold`: milliseconds for which a lost name is held. */
export function toStored(
  facts: Claimant,
  slot: BindTarget | Slot | null,
  hold: number,
  shown: object,
): ClaimedTunnel {
  const { account, credential, session, clientId: client, bindId: bind, isPooled: pooled } = facts;
  return {
    account,
    credential,
    session,
    client,
    bind,
    pooled,
    slot: slot === null ? '' : keyOf(slot),
    hold,
    facts: shown,
  };
}

/** Returns the part of a row that changes with its tunnel. */
export function toUpdated({ session, bindId, isPooled }: Claimant, shown: object): UpdatedTunnel {
  return { session, bind: bindId, pooled: isPooled, facts: shown };
}

/** Returns the place of a stored bind. */
export function placeOf({ account, client, bind, slot }: StoredPlace) {
  return { account, clientId: client, bindId: bind, slot: slot === '' ? null : slotOf(slot) };
}

/** The slot of a name is its own text, also of one for plain HTTP. */
function slotOf(slot: string): Slot {
  return slot.startsWith(PORT) ? tcpPort(Number(slot.slice(PORT.length))) : (slot as Slot);
}

export function rowsOf({ version, tunnels }: StoredKey): KeyRows {
  return { version, rows: tunnels.map(rowOf) };
}

/** Returns the facts that decide about claims. */
export function claimantOf(stored: Omit<ClaimedTunnel, 'facts' | 'hold'>): Claimant {
  const { account, credential, session, client: clientId, bind: bindId, pooled: isPooled } = stored;
  const endpoint = { slot: stored.slot as Slot };
  return { account, credential, session, clientId, bindId, isPooled, endpoint };
}

function rowOf({ number, incarnation, over: isOver, hold: holdMs, ...stored }: StoredTunnel): DirectoryRow {
  const facts = claimantOf(stored);
  const reason = stored.over_by === null ? {} : { overBy: stored.over_by };
  const row = { number, incarnation, isOver, ...reason, holdMs, facts, entry: entryOf(stored.facts) };
  return stored.held_until === null ? row : { ...row, heldUntil: stored.held_until };
}

/** Facts in rows are written by daemons of this version or a newer one, or they are empty. */
function entryOf(facts: object): Entry | null {
  return 'kind' in facts && (facts.kind === 'tunnel' || facts.kind === 'session') ? (facts as Entry) : null;
}

/** The fact of a daemon that states how long it may serve without a renewal, in milliseconds. */
const LIFE = 'life_ms';
/** The time of daemons whose rows do not state it. */
const UNSTATED_LIFE_MS = 620_000;

/** Returns the facts of a daemon with the time for which it may serve without a renewal. */
export function withLife(facts: object, { leaseMs, graceMs }: NodeTimes): object {
  return { ...facts, [LIFE]: leaseMs + graceMs };
}

/** Returns the milliseconds for which a daemon may serve without a renewal. */
export function lifeOf(facts: object): number {
  const stated = (facts as Partial<Record<typeof LIFE, unknown>>)[LIFE];
  return typeof stated === 'number' ? stated : UNSTATED_LIFE_MS;
}

/** `now`: milliseconds since 1970, of this machine. Only the round and the fact of a death decide. */
export function statesOf(nodes: readonly StoredNode[], now: number): ReadonlyMap<Incarnation, NodeState> {
  return new Map(
    nodes.map(({ incarnation, round, dead_for: deadFor, facts }) => [
      incarnation,
      { round, deadSince: deadFor === null ? null : now - deadFor, lifeMs: lifeOf(facts) },
    ]),
  );
}
