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

/** The ranges that begin with the same whole bytes. */
interface Node {
  /** By `rangeKey`: those that end within the next byte. */
  readonly ranges: Map<number, Counts>;
  /** How many ranges end after 0 to 7 bits of the next byte. */
  readonly lengths: Uint32Array;
  readonly children: Map<number, Node>;
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
      let child = node.children.get(byte);
      if (child === undefined) {
        child = newNode();
        node.children.set(byte, child);
      }
      node = child;
    }
    const key = keyOf(cidr);
    let counts = node.ranges.get(key);
    if (counts === undefined) {
      counts = { allow: 0, deny: 0 };
      node.ranges.set(key, counts);
      node.lengths[cidr.prefix & 7]! += 1;
    }
    counts[action] += 1;
    this.#size += 1;
  }

  /** Takes back a rule that was added. */
  remove({ action, cidr }: IpRule): void {
    const path = [this.#root(cidr.network)];
    for (let at = 0; at < cidr.prefix >> 3; at++) path.push(path[at]!.children.get(cidr.network[at]!)!);
    const node = path.at(-1)!;
    const key = keyOf(cidr);
    const counts = node.ranges.get(key)!;
    counts[action] -= 1;
    this.#size -= 1;
    if (counts.allow + counts.deny > 0) return;
    node.ranges.delete(key);
    node.lengths[cidr.prefix & 7]! -= 1;
    for (let at = path.length - 1; at > 0 && isEmpty(path[at]!); at--) {
      path[at - 1]!.children.delete(cidr.network[at - 1]!);
    }
  }

  match(address: IpAddress): Matches {
    let allow = false;
    let deny = false;
    let node: Node | undefined = this.#root(address);
    for (let at = 0; node !== undefined; at++) {
      const byte = address[at] ?? 0;
      for (let bits = 0; bits < 8; bits++) {
        if (node.lengths[bits] === 0) continue;
        const counts = node.ranges.get(rangeKey(byte, bits));
        if (counts === undefined) continue;
        allow ||= counts.allow > 0;
        deny ||= counts.deny > 0;
      }
      node = at < address.length ? node.children.get(byte) : undefined;
    }
    return { allow, deny };
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
  return { ranges: new Map(), lengths: new Uint32Array(8), children: new Map() };
}

function isEmpty({ ranges, children }: Node): boolean {
  return ranges.size === 0 && children.size === 0;
}

function keyOf({ network, prefix }: Cidr): number {
  return rangeKey(network[prefix >> 3] ?? 0, prefix & 7);
}

/** The first bits of a byte, and how many they are. */
function rangeKey(byte: number, bits: number): number {
  return (bits << 8) | (byte & (0xff00 >> bits) & 0xff);
}
