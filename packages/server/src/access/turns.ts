/**
 * A queue for work that runs one item at a time.
 * Invariant: a source with many items delays others by one turn of each network at most.
 */
import { networkKey } from '../core/ip/client-address.ts';

export class Turns<T> {
  /** Items by network, in the order of their turns. None is empty. */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** `source` is a key of `sourceKey`. */
  add(source: string, item: T): void {
    const network = networkKey(source);
    const items = this.#waiting.get(network);
    if (items === undefined) this.#waiting.set(network, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** The oldest of the network whose turn it is. */
  take(): T | undefined {
    for (const [network, items] of this.#waiting) {
      this.#waiting.delete(network);
      if (items.length > 1) this.#waiting.set(network, items);
      this.#size -= 1;
      return items.shift();
    }
    return undefined;
  }

  /** Takes out the newest of the network that has most, for one more of `source`: undefined when none has more than its own. */
  displace(source: string): T | undefined {
    let most = this.#waiting.get(networkKey(source))?.length ?? 0;
    let largest: string | null = null;
    for (const [network, { length }] of this.#waiting) {
      if (length <= most) continue;
      largest = network;
      most = length;
    }
    if (largest === null) return undefined;
    const newest = this.#waiting.get(largest)?.pop();
    if (most === 1) this.#waiting.delete(largest);
    this.#size -= 1;
    return newest;
  }
}
