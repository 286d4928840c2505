/**
 * Values that are derived from other values, each with its recorded reads. A value is computed again only if a read
 * would return something else.
 * Invariant: a value never outlives its inputs, because all reads are recorded.
 */

/** The inputs of values: the same object until it changes. */
export interface Source {
  read(key: string): unknown;
}

/** Returns the value of `key`, and records the read. */
export type Read = (key: string) => unknown;

/** `before` is the value that this one replaces, for what lives on in it. */
export type Make<Value> = (read: Read, before: Value | undefined) => Value;

/** Called with a value that is no longer in use, because it was replaced or its key was forgotten. */
export type Dispose<Value> = (value: Value) => void;

interface Node {
  readonly key: string;
  readonly make: Make<unknown>;
  /** Null for what is no part; a part goes when no other value is made from it. */
  readonly dispose: Dispose<unknown> | null;
  value: unknown;
  /** Reads with their results; null before the value exists. */
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
    return this.#current(this.#node(key, make as Make<unknown>, null)) as Value;
  }

  /** Defines a value that only other values read, by its key. */
  part<Value>(key: string, make: Make<Value>, dispose: Dispose<Value> = () => {}): void {
    this.#node(key, make as Make<unknown>, dispose as Dispose<unknown>);
  }

  /** Reports that the source has another value for this key. Returns true if a value was derived from it. */
  touch(key: string): boolean {
    const readers = this.#readers.get(key);
    if (readers === undefined) return false;
    for (const node of readers) {
      if (node.isStale) continue;
      node.isStale = true;
      this.touch(node.key);
    }
    return true;
  }

  /** Drops an unused value. The next read computes it again. */
  forget(key: string): void {
    const node = this.#nodes.get(key);
    if (node === undefined) return;
    this.touch(key);
    this.#nodes.delete(key);
    this.#unlink(node);
    if (node.reads !== null) node.dispose?.(node.value);
  }

  /** `dispose`: null for what is no part. */
  #node(key: string, make: Make<unknown>, dispose: Dispose<unknown> | null): Node {
    let node = this.#nodes.get(key);
    if (node === undefined) {
      node = { key, make, dispose, value: undefined, reads: null, isStale: true };
      this.#nodes.set(key, node);
    }
    return node;
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
    for (const key of reads.keys()) {
      const readers = this.#readers.get(key);
      if (readers === undefined) this.#readers.set(key, new Set([node]));
      else readers.add(node);
    }
    this.#unlink(node, reads);
    const before = node.reads === null ? value : node.value;
    node.value = value;
    node.reads = reads;
    if (before !== value) node.dispose?.(before);
  }

  /** Forgets what the node read, but for what it reads now. */
  #unlink(node: Node, now: ReadonlyMap<string, unknown> | null = null): void {
    for (const key of node.reads?.keys() ?? []) {
      if (now?.has(key) === true) continue;
      const readers = this.#readers.get(key);
      readers?.delete(node);
      if (readers?.size !== 0) continue;
      this.#readers.delete(key);
      if (this.#nodes.get(key)?.dispose != null) this.forget(key);
    }
  }
}
