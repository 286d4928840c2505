/**
 * Keeps the tunnels of other daemons as the directory has them: their facts, and handles for those that can be reached.
 * Invariant: a handle is in use only while its row is live and a link to its daemon is up.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ErrorCode, WireError } from '@underpass/wire';
import type { BindTarget } from '../../core/names/bind-target.ts';
import { catalogue } from '../../errors/catalogue.ts';
import { Problem } from '../../errors/problem.ts';
import { LinkStream, type Peer, type Peers } from '../../link/peers.ts';
import type { Refusal } from '../../online/refusal.ts';
import type { SessionFacts, SessionHandle } from '../../online/session.ts';
import type { TunnelFacts } from '../../online/tunnel-facts.ts';
import type { Visit, Visits } from '../../online/visits.ts';
import type { Entry, TunnelEntry } from '../directory/entry.ts';
import type { DirectoryRow, Incarnation, KnownNode } from '../directory/row.ts';
import { Elsewhere } from './elsewhere.ts';
import { type FetchedModules, RemoteTunnel } from './remote-tunnel.ts';
import { Reports } from './reports.ts';
import type { AskAnswer, Asked } from './served-peers.ts';

/** The copy of the directory, as far as it concerns other daemons. */
export interface DirectoryCopy {
  /** `listener` is called with each key whose rows have changed, in the same turn. */
  onRows(listener: (key: string) => void): void;
  /** Live rows of other daemons that are not known to be dead. */
  liveElsewhere(key: string): readonly DirectoryRow[];
  readonly nodes: ReadonlyMap<Incarnation, KnownNode>;
}

/** The table in which visitors find tunnels. */
export interface RemoteTable {
  enterRemote(tunnel: RemoteTunnel): void;
  leaveRemote(tunnel: RemoteTunnel, isLost: boolean): void;
}

export interface RemoteTunnelsParts {
  readonly directory: DirectoryCopy;
  readonly peers: Peers;
  readonly table: RemoteTable;
  readonly visits: Pick<Visits, 'watch'>;
  readonly region: string;
  /** Called for each name whose tunnel was lost with the link to its daemon. */
  readonly lost: (name: BindTarget) => void;
}

/** A live row of another daemon. */
interface Known {
  readonly number: number;
  readonly incarnation: Incarnation;
  entry: Entry;
  /** Null: its daemon cannot be reached, or its modules are not there. */
  tunnel: RemoteTunnel | null;
  unwatch: () => void;
}

/** Modules of so many tunnels are fetched with one call. */
const FETCHED_AT_ONCE = 200;
const FETCH_AGAIN_MS = 20;
const LONGEST_WAIT_MS = 1_000;
const LOOK_MS = 20;
/** Longer than agents may take to answer their own daemon. */
const ASK_MS = 60_000;
const ASK_AGAIN_S = 5;
const none: FetchedModules = { modules: {}, termination: null };

export class RemoteTunnels {
  readonly #facts = new Elsewhere();
  readonly #parts: RemoteTunnelsParts;
  readonly #byKey = new Map<string, Map<number, Known>>();
  readonly #byNode = new Map<Incarnation, Set<Known>>();
  readonly #reports: Reports<Refusal>;
  readonly #visits: Reports<Omit<Visit, 'servedBy'>>;
  /** Rows whose modules are to be fetched, by their daemons. */
  readonly #unfetched = new Map<Incarnation, Set<Known>>();

  constructor(parts: RemoteTunnelsParts) {
    this.#parts = parts;
    const { directory, peers } = parts;
    this.#reports = new Reports(peers, LinkStream.refused);
    this.#visits = new Reports(peers, LinkStream.visits);
    directory.onRows((key) => this.#changed(key));
    peers.onChange((peer) => this.#linkChanged(peer));
  }

  /** Tunnels of other daemons that visitors can be led to. */
  get size(): number {
    let count = 0;
    for (const known of this.#byNode.values())
      for (const { tunnel } of known) if (tunnel !== null) count += 1;
    return count;
  }

  /** Resolves when links to all daemons are up and all modules are there, at the latest after `mostMs`. */
  async whole(mostMs: number): Promise<void> {
    const until = performance.now() + mostMs;
    while (!this.isWhole && performance.now() < until) await pause(LOOK_MS);
  }

  get isWhole(): boolean {
    return this.#unfetched.size === 0 && [...this.#parts.peers.all()].every(({ isUp }) => isUp);
  }

  sessions(account: string): Iterable<SessionFacts> {
    return this.#facts.sessions(account);
  }

  /** Returns a handle whose requests go to the agent through its daemon. */
  session(id: string, account: string): SessionHandle | undefined {
    const session = this.#facts.session(id, account);
    if (session === undefined) return undefined;
    const { facts, incarnation } = session;
    return {
      facts,
      ask: (request) => askThere(this.#parts.peers, incarnation, { session: id, account, request }),
    };
  }

  tunnels(account: string): Iterable<TunnelFacts> {
    return this.#facts.tunnels(account);
  }

  /** Ends the use of all tunnels, until the links to their daemons are made anew. */
  leaveAll(): void {
    for (const ofNode of this.#byNode.values()) for (const known of [...ofNode]) this.#leave(known, true);
    this.#unfetched.clear();
  }

  #changed(key: string): void {
    const known = this.#byKey.get(key);
    const rows = this.#parts.directory.liveElsewhere(key);
    if (known !== undefined) {
      const live = new Set(rows.map(({ number }) => number));
      for (const one of [...known.values()]) if (!live.has(one.number)) this.#forget(key, one);
    }
    for (const row of rows) this.#learn(key, row);
  }

  #learn(key: string, { number, incarnation, entry }: DirectoryRow): void {
    if (entry === null) return;
    const known = this.#byKey.get(key)?.get(number);
    if (known === undefined) {
      this.#add(key, { number, incarnation, entry, tunnel: null, unwatch: () => {} });
    } else if (known.entry !== entry) {
      known.entry = entry;
      this.#facts.set(number, incarnation, entry);
      if (known.tunnel !== null && entry.kind === 'tunnel') known.tunnel.facts = entry.facts;
    }
  }

  #add(key: string, known: Known): void {
    this.#byKey.set(key, (this.#byKey.get(key) ?? new Map()).set(known.number, known));
    const { incarnation } = known;
    this.#byNode.set(incarnation, (this.#byNode.get(incarnation) ?? new Set()).add(known));
    this.#facts.set(known.number, incarnation, known.entry);
    const peer = this.#parts.peers.get(incarnation);
    if (peer?.isUp === true) this.#reach(known, peer);
  }

  #forget(key: string, known: Known): void {
    const ofKey = this.#byKey.get(key);
    ofKey?.delete(known.number);
    if (ofKey?.size === 0) this.#byKey.delete(key);
    removeFrom(this.#byNode, known.incarnation, known);
    removeFrom(this.#unfetched, known.incarnation, known);
    this.#facts.delete(known.number, known.entry);
    this.#leave(known, false);
  }

  #linkChanged(peer: Peer): void {
    for (const known of [...(this.#byNode.get(peer.incarnation) ?? [])]) {
      if (peer.isUp) this.#reach(known, peer);
      else this.#leave(known, true);
    }
    if (!peer.isUp) this.#unfetched.delete(peer.incarnation);
  }

  #reach(known: Known, peer: Peer): void {
    const { entry, incarnation } = known;
    if (known.tunnel !== null || entry.kind !== 'tunnel') return;
    if (!entry.hasModules) {
      this.#enter(known, entry, peer, none);
      return;
    }
    const waiting = this.#unfetched.get(incarnation) ?? new Set();
    this.#unfetched.set(incarnation, waiting.add(known));
    // All rows of one read are fetched together.
    if (waiting.size === 1) setImmediate(() => void this.#fetch(peer));
  }

  #enter(known: Known, entry: TunnelEntry, peer: Peer, fetched: FetchedModules): void {
    const { region, table, visits, directory } = this.#parts;
    const { number, incarnation } = known;
    const isDraining = (): boolean => directory.nodes.get(incarnation)?.isDraining === true;
    const report = (_: RemoteTunnel, refusal: Refusal): void =>
      this.#reports.add(peer.incarnation, number, refusal);
    const tunnel = new RemoteTunnel({ number, entry, peer, region, fetched, report, isDraining });
    known.tunnel = tunnel;
    if (entry.wantsVisits) {
      known.unwatch = visits.watch(tunnel.id, entry.facts.account, (visit) =>
        this.#visits.add(peer.incarnation, number, reportOf(visit)),
      );
    }
    table.enterRemote(tunnel);
  }

  #leave(known: Known, isLost: boolean): void {
    const { tunnel } = known;
    if (tunnel === null) return;
    known.tunnel = null;
    known.unwatch();
    this.#parts.table.leaveRemote(tunnel, isLost);
    const { endpoint } = tunnel.facts;
    if (isLost && endpoint !== null) this.#parts.lost(endpoint.key);
  }

  /** Fetches modules until none are missing, or the link is down. */
  async #fetch(peer: Peer): Promise<void> {
    let wait = FETCH_AGAIN_MS;
    while (peer.isUp) {
      const waiting = this.#unfetched.get(peer.incarnation);
      if (waiting === undefined) return;
      const wanted = [...waiting].slice(0, FETCHED_AT_ONCE);
      const fetched = await fetchModules(peer, wanted).catch(() => new Map<number, FetchedModules>());
      for (const known of wanted) this.#fetched(known, peer, fetched.get(known.number));
      wait = fetched.size > 0 ? FETCH_AGAIN_MS : Math.min(2 * wait, LONGEST_WAIT_MS);
      if (fetched.size < wanted.length) await pause(wait, undefined, { ref: false });
    }
  }

  /** `modules`: undefined if the daemon does not have the tunnel. It may come online there in a moment, or leave the directory. */
  #fetched(known: Known, { incarnation }: Peer, modules: FetchedModules | undefined): void {
    const waiting = this.#unfetched.get(incarnation);
    if (waiting?.delete(known) !== true) return;
    // The others are fetched first.
    if (modules === undefined) waiting.add(known);
    else if (waiting.size === 0) this.#unfetched.delete(incarnation);
    const peer = this.#parts.peers.get(incarnation);
    if (modules !== undefined && known.entry.kind === 'tunnel' && peer?.isUp === true)
      this.#enter(known, known.entry, peer, modules);
  }
}

/** Raises Problem: as the agent's daemon did, or because it cannot be reached. */
async function askThere(peers: Pick<Peers, 'get'>, incarnation: Incarnation, asked: Asked): Promise<void> {
  const unreachable = new Problem('sessionNodeUnreachable', { seconds: ASK_AGAIN_S }, {}, ASK_AGAIN_S);
  const peer = peers.get(incarnation);
  if (peer?.isUp !== true) throw unreachable;
  const answer = await peer.call(LinkStream.ask, asked, ASK_MS).catch((error: unknown) => {
    const isUnknown = error instanceof WireError && error.code === ErrorCode.streamRefused;
    throw isUnknown ? new Problem('sessionNodeOlder') : unreachable;
  });
  const problem = answer as AskAnswer;
  if (problem === null) return;
  const { code, values, retryAfter } = problem;
  if (!Object.hasOwn(catalogue, code)) throw new Problem('sessionNodeNewer', { reason: String(code) });
  throw Problem.named(code, values, {}, retryAfter);
}

async function fetchModules(
  peer: Peer,
  wanted: readonly Known[],
): Promise<ReadonlyMap<number, FetchedModules>> {
  const numbers = wanted.map(({ number }) => number);
  const answer = (await peer.call(LinkStream.modules, { numbers })) as (FetchedModules | null)[];
  const fetched = new Map<number, FetchedModules>();
  for (const [index, number] of numbers.entries()) {
    const one = answer[index] ?? null;
    if (one !== null) fetched.set(number, one);
  }
  return fetched;
}

/** Returns the fields of a visit alone. The edge's record has more, such as header values, and objects that are no JSON. */
function reportOf({ method, path, status, durationMs, connection }: Visit): Omit<Visit, 'servedBy'> {
  return { method, path, status, durationMs, connection: { clientAddr: connection.clientAddr } };
}

function removeFrom<Key, One>(sets: Map<Key, Set<One>>, key: Key, one: One): void {
  const set = sets.get(key);
  set?.delete(one);
  if (set?.size === 0) sets.delete(key);
}
