/**
 * Notifies agents of the number of connections that are useful: one for each daemon that takes agents.
 * Invariant: a change reaches all agents of the daemon, a bounded number of them a second, so that their new
 * connections are no storm.
 */
import { randomBytes } from 'node:crypto';
import type { Peers } from '../link/peers.ts';
import type { SharedDirectory } from './shared-directory.ts';

/** Milliseconds between two checks of the number. */
const checkMs = 1_000;
/** Notices of one check. */
const noticesAtOnce = 250;

/** The session of an agent that has several. */
export interface Notified {
  /** Notifies the agent of the number of connections that are useful now. */
  notifyConnections(count: number): void;
}

export class UsefulConnections {
  /** Names this daemon for agents, until it ends. */
  readonly daemon = randomBytes(8).toString('hex');
  readonly #count: () => number;
  /** The number that each agent was last sent. */
  readonly #sent = new Map<Notified, number>();
  #timer: NodeJS.Timeout | null = null;

  /** `count`: the number of daemons that take agents. */
  constructor(count: () => number) {
    this.#count = count;
  }

  get now(): number {
    return Math.max(1, this.#count());
  }

  /** Agents that are notified of changes. */
  get size(): number {
    return this.#sent.size;
  }

  /** Checks for changes from now on. Without a directory this is the only daemon. */
  static start(directory: SharedDirectory | null, peers: Peers | null): UsefulConnections {
    if (directory === null || peers === null) return new UsefulConnections(() => 1);
    const connections = new UsefulConnections(() => daemonsOf(directory, peers));
    connections.#timer = setInterval(() => connections.check(), checkMs).unref();
    return connections;
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Notifies an agent of each change. Returns the number of this moment. */
  add(agent: Notified): number {
    const { now } = this;
    this.#sent.set(agent, now);
    return now;
  }

  delete(agent: Notified): void {
    this.#sent.delete(agent);
  }

  /** Notifies agents that have another number, the longest known first. */
  check(): void {
    const { now } = this;
    let left = noticesAtOnce;
    for (const [agent, sent] of this.#sent) {
      if (sent === now) continue;
      this.#sent.set(agent, now);
      agent.notifyConnections(now);
      left -= 1;
      if (left === 0) return;
    }
  }
}

/** Returns the number of daemons that take agents, this one included. */
function daemonsOf(directory: SharedDirectory, peers: Peers): number {
  return othersTaking(directory, peers) + (directory.draining.is ? 0 : 1);
}

/** Returns the number of other daemons that take agents: they live, can be reached, and do not drain. */
export function othersTaking({ nodes }: Pick<SharedDirectory, 'nodes'>, peers: Pick<Peers, 'all'>): number {
  let count = 0;
  for (const { incarnation, isUp } of peers.all()) {
    const node = nodes.get(incarnation);
    if (isUp && node?.isDead === false && !node.isDraining) count += 1;
  }
  return count;
}
