/**
 * IP rules in a tree of ranges: a look-up takes one step for each byte of the address, whatever the number of rules.
 * Invariant: the order of the rules has no effect.
 */
import { type Cidr, rangeOf } from './cidr.ts';
import { type IpAddress, parseIpAddress } from './ip-address.ts';
import type { IpRule } from './ip-rules.ts';

/** The number of rules for one range, by action. Rules of several policies may have the same range. */
interface Counts {
  allow: number;
  deny: number;
}

/**
 * Ranges that begin with the same whole bytes. Nodes of last bytes have only `whole`; most nodes are such, and small.
 */
interface Node {
  /** The rules of the range that ends with these bytes. */
  whole: Counts | null;
  /** Rules of ranges that end within the next byte, by `rangeKey`; null for none. */
  parts: Map<number, Counts> | null;
  /** Bit N is set if a range ends after N bits of the next byte. */
  lengths: number;
  children: Map<number, Node> | null;
}

/** The actions of all rules that match an address. */
export interface Matches {
  readonly allow: boolean;
  readonly deny: boolean;
}

export class IpRuleSet {
  readonly #v4 = newNode();
  readonly #v6 = newNode();
  #size = 0;

  constructor(rules: Iterable<IpRule> = []) {
    for (const rule of rules) this.add(rule);
  }

  get size(): number {
    return this.#size;
  }

  add({ action, cidr }: IpRule): void {
    let node = this.#root(cidr.network);
    for (let at = 0; at < cidr.prefix >> 3; at++) {
      const byte = cidr.network[at]!;
      node.children ??= new Map();
      let child = node.children.get(byte);
      if (child === undefined) {
        child = newNode();
        node.children.set(byte, child);
      }
      node = child;
    }
    countsAt(node, cidr)[action] += 1;
    this.#size += 1;
  }

  /** Removes a rule that was added. */
  remove({ action, cidr }: IpRule): void {
    const path = [this.#root(cidr.network)];
    for (let at = 0; at < cidr.prefix >> 3; at++) path.push(path[at]!.children!.get(cidr.network[at]!)!);
    const node = path.at(-1)!;
    const counts = countsAt(node, cidr);
    counts[action] -= 1;
    this.#size -= 1;
    if (counts.allow + counts.deny > 0) return;
    forgetAt(node, cidr);
    for (let at = path.length - 1; at > 0 && isEmpty(path[at]!); at--) {
      const above = path[at - 1]!;
      above.children!.delete(cidr.network[at - 1]!);
      if (above.children!.size === 0) above.children = null;
    }
  }

  match(address: IpAddress): Matches {
    const matches = { allow: false, deny: false };
    let node: Node | undefined = this.#root(address);
    for (let at = 0; node !== undefined; at++) {
      if (node.whole !== null) note(matches, node.whole);
      const byte = address[at] ?? 0;
      for (let bits = 1; node.lengths >> bits !== 0; bits++) {
        const counts = node.parts!.get(rangeKey(byte, bits));
        if (counts !== undefined) note(matches, counts);
      }
      node = at < address.length ? node.children?.get(byte) : undefined;
    }
    return matches;
  }

  /** Returns the ranges with rules that match, the widest first, for words. A range with both actions comes twice. */
  ranges(address: IpAddress): readonly IpRule[] {
    const found: IpRule[] = [];
    const add = (counts: Counts | null | undefined, prefix: number): void => {
      const cidr = rangeOf(address, prefix);
      for (const action of ['allow', 'deny'] as const) {
        if (counts != null && counts[action] > 0) found.push({ action, cidr });
      }
    };
    let node: Node | undefined = this.#root(address);
    for (let at = 0; node !== undefined; at++) {
      add(node.whole, at * 8);
      const byte = address[at] ?? 0;
      for (let bits = 1; bits < 8; bits++) add(node.parts?.get(rangeKey(byte, bits)), at * 8 + bits);
      node = at < address.length ? node.children?.get(byte) : undefined;
    }
    return found;
  }

  #root({ length }: readonly number[]): Node {
    return length === 4 ? this.#v4 : this.#v6;
  }
}

/** Decides like `admits`, for rules that are kept by policy. */
export function decideBySets(policies: readonly IpRuleSet[], ip: string): 'allow' | 'deny' {
  const address = parseIpAddress(ip.replace(/%.*$/, ''));
  if (address === null) return 'deny';
  let allowed = false;
  for (const rules of policies) {
    const { allow, deny } = rules.match(address);
    if (deny) return 'deny';
    allowed ||= allow;
  }
  return allowed ? 'allow' : 'deny';
}

function newNode(): Node {
  return { whole: null, parts: null, lengths: 0, children: null };
}

function isEmpty({ whole, parts, children }: Node): boolean {
  return whole === null && parts === null && children === null;
}

function note(matches: { allow: boolean; deny: boolean }, { allow, deny }: Counts): void {
  matches.allow ||= allow > 0;
  matches.deny ||= deny > 0;
}

/** Returns the counts of the range, which is created if necessary. */
function countsAt(node: Node, cidr: Cidr): Counts {
  const bits = cidr.prefix & 7;
  if (bits === 0) {
    node.whole ??= { allow: 0, deny: 0 };
    return node.whole;
  }
  node.parts ??= new Map();
  const key = keyOf(cidr);
  let counts = node.parts.get(key);
  if (counts === undefined) {
    counts = { allow: 0, deny: 0 };
    node.parts.set(key, counts);
    node.lengths |= 1 << bits;
  }
  return counts;
}

function forgetAt(node: Node, cidr: Cidr): void {
  const bits = cidr.prefix & 7;
  if (bits === 0) {
    node.whole = null;
    return;
  }
  node.parts!.delete(keyOf(cidr));
  if (![...node.parts!.keys()].some((key) => lengthOf(key) === bits)) node.lengths &= ~(1 << bits);
  if (node.parts!.size === 0) node.parts = null;
}

function keyOf({ network, prefix }: Cidr): number {
  return rangeKey(network[prefix >> 3] ?? 0, prefix & 7);
}

/** Returns a key of the first `bits` bits of a byte, and of their number. */
function rangeKey(byte: number, bits: number): number {
  return (bits << 8) | (byte & (0xff00 >> bits) & 0xff);
}

function lengthOf(key: number): number {
  return key >> 8;
}
