/**
 * Reports to other daemons about their tunnels, sent together after a moment.
 * Invariant: a daemon that does not read costs a bounded list, and reports beyond it are dropped.
 */
import type { LinkStream, Peers } from '../../link/peers.ts';
import type { Incarnation } from '../directory/row.ts';

export interface Report<About> {
  /** The number of the tunnel. */
  readonly number: number;
  readonly about: About;
}

const PAUSE_MS = 50;
/** Reports for one daemon that wait. */
const MOST = 256;

export class Reports<About> {
  readonly #peers: Pick<Peers, 'get'>;
  readonly #type: LinkStream;
  readonly #waiting = new Map<Incarnation, Report<About>[]>();

  constructor(peers: Pick<Peers, 'get'>, type: LinkStream) {
    this.#peers = peers;
    this.#type = type;
  }

  add(incarnation: Incarnation, number: number, about: About): void {
    const waiting = this.#waiting.get(incarnation);
    if (waiting === undefined) {
      this.#waiting.set(incarnation, [{ number, about }]);
      setTimeout(() => void this.#send(incarnation), PAUSE_MS).unref();
    } else if (waiting.length < MOST) waiting.push({ number, about });
  }

  async #send(incarnation: Incarnation): Promise<void> {
    const reports = this.#waiting.get(incarnation) ?? [];
    this.#waiting.delete(incarnation);
    // A lost report is not repeated.
    await this.#peers
      .get(incarnation)
      ?.call(this.#type, reports)
      .catch(() => {});
  }
}
