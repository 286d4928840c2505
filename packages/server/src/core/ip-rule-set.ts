/**
 * Rules on IP addresses by their ranges, so that a look-up costs the same whatever their number: a step for each byte of the
 * address. Never that the order matters in which rules came.
 */
import type { Cidr } from './cidr.ts';
import { type IpAddress, parseIpAddress } from './ip-address.ts';
import type { IpRule } from './ip-rules.ts';

/** How many rules say what about one range; several policies' rules may name the same. */
interface Counts {
  allow: number;
  deny: number;
}

/** The ranges that begin with the same whole bytes. Of the last bytes of an address there is nothing but `whole`: those are most, and small. */
interface Node {
  /** The range that ends with these bytes. */
  whole: Counts | null;
  /** By `rangeKey`: those that end within the next byte; null without any. */
  parts: Map<number, Counts> | null;
  /** Bit N is set when a range ends after N bits of the next byte. */
  lengths: number;
  children: Map<number, Node> | null;
}

/** What rules say of an address together. */
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

  /** Takes back a rule that was added. */
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

  #root({ length }: readonly number[]): Node {
    return length === 4 ? this.#v4 : this.#v6;
  }
}

/** As `admits`, for rules that are kept by policy. */
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

/** Of the range, which is made if it is not there. */
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

/** The first bits of a byte, and how many they are. */
function rangeKey(byte: number, bits: number): number {
  return (bits << 8) | (byte & (0xff00 >> bits) & 0xff);
}

function lengthOf(key: number): number {
  return key >> 8;
}
