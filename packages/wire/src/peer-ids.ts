/** Gaps that are remembered. A peer that leaves more loses the oldest. */
const MAX_GAPS = 64;

/**
 * Tracks the stream ids that a peer has used, in constant memory: the highest one, and the gaps below it. Agents take
 * an id when they open a stream, but send SYN with its first byte. So two streams that open together may begin in the
 * other order.
 */
export class PeerIds {
  readonly #parity: number;
  /** Ranges `[from, to]` of unused ids with the peer's parity, in order. */
  #gaps: [number, number][] = [];
  highest: number;

  /** `parity` is 1 if the peer's ids are odd, 0 if they are even. */
  constructor(parity: 0 | 1) {
    this.#parity = parity;
    this.highest = parity - 2;
  }

  mine(id: number): boolean {
    return (id & 1) === this.#parity;
  }

  /** Returns true once for each id: the SYN is in order. */
  use(id: number): boolean {
    if (!this.mine(id)) return false;
    if (id > this.highest) {
      const from = Math.max(this.highest + 2, this.#parity === 0 ? 2 : 1);
      if (id > from) {
        this.#gaps.push([from, id - 2]);
        if (this.#gaps.length > MAX_GAPS) this.#gaps.shift();
      }
      this.highest = id;
      return true;
    }
    const at = this.#gapOf(id);
    if (at < 0) return false;
    const [from, to] = this.#gaps[at]!;
    const rest: [number, number][] = [];
    if (from < id) rest.push([from, id - 2]);
    if (id < to) rest.push([id + 2, to]);
    this.#gaps.splice(at, 1, ...rest);
    if (this.#gaps.length > MAX_GAPS) this.#gaps.shift();
    return true;
  }

  /** Returns false for an id that no SYN has named, or whose gap was forgotten. */
  used(id: number): boolean {
    return id <= this.highest && this.#gapOf(id) < 0;
  }

  #gapOf(id: number): number {
    return this.#gaps.findIndex(([from, to]) => id >= from && id <= to);
  }
}
