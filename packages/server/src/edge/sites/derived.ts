/**
 * Values made from other values, each with the reads that it was made from: one is made anew when a read would be answered
 * otherwise now, and only then. Never that a value outlives what it was made from: there is no way to read but the recorded one.
 */

/** What values are made from in the end: the same object as long as nothing about it changed. */
export interface Source {
  read(key: string): unknown;
}

/** Answers what `key` stands for, and remembers that it was asked. */
export type Read = (key: string) => unknown;

/** `before` is the value that this one replaces, for what lives on in it. */
export type Make<Value> = (read: Read, before: Value | undefined) => Value;

interface Node {
  readonly key: string;
  readonly make: Make<unknown>;
  value: unknown;
  /** What was read, with the answers; null before the value was made. */
  reads: ReadonlyMap<string, unknown> | null;
  isStale: boolean;
}

export class Derived {
  readonly #source: Source;
  readonly #nodes = new Map<string, Node>();
  readonly #readers = new Map<string, Set<Node>>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** The value of `key`, made by `make` unless it is known and still right. A key has one `make` for life. */
  value<Value>(key: string, make: Make<Value>): Value {
    let node = this.#nodes.get(key);
    if (node === undefined) {
      node = { key, make: make as Make<unknown>, value: undefined, reads: null, isStale: true };
      this.#nodes.set(key, node);
    }
    return this.#current(node) as Value;
  }

  /** To be called for each key of the source that is answered otherwise from now on. */
  touch(key: string): void {
    for (const node of this.#readers.get(key) ?? []) {
      if (node.isStale) continue;
      node.isStale = true;
      this.touch(node.key);
    }
  }

  /** Drops a value that nobody asks for any more; asked for again, it is made again. */
  forget(key: string): void {
    const node = this.#nodes.get(key);
    if (node === undefined) return;
    this.touch(key);
    this.#nodes.delete(key);
    this.#unlink(node);
  }

  #read(key: string): unknown {
    const node = this.#nodes.get(key);
    return node === undefined ? this.#source.read(key) : this.#current(node);
  }

  #current(node: Node): unknown {
    if (!node.isStale) return node.value;
    if (!this.#isStillRight(node)) this.#makeAnew(node);
    node.isStale = false;
    return node.value;
  }

  #isStillRight({ reads }: Node): boolean {
    if (reads === null) return false;
    for (const [key, answer] of reads) if (this.#read(key) !== answer) return false;
    return true;
  }

  #makeAnew(node: Node): void {
    const reads = new Map<string, unknown>();
    const value = node.make((key) => {
      const answer = this.#read(key);
      reads.set(key, answer);
      return answer;
    }, node.value);
    this.#unlink(node);
    node.value = value;
    node.reads = reads;
    for (const key of reads.keys()) {
      const readers = this.#readers.get(key);
      if (readers === undefined) this.#readers.set(key, new Set([node]));
      else readers.add(node);
    }
  }

  #unlink(node: Node): void {
    for (const key of node.reads?.keys() ?? []) {
      const readers = this.#readers.get(key);
      readers?.delete(node);
      if (readers?.size === 0) this.#readers.delete(key);
    }
  }
}
