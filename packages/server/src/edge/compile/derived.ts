/**
 * Values that are derived from other values, each with its recorded reads. A value is computed again only if a read
 * would return something else.
 * Invariant: a value never outlives its inputs, because all reads are recorded.
 */

/** The name of a value among those of its kind. */
export type Name = string | number;

/** The inputs of values: the same object until it changes. */
export interface Source<Values> {
  /** Returns undefined for kinds that have derived values only. */
  read(kind: keyof Values, of: Name): unknown;
}

/** Returns a value, and records the read. */
export type Read<Values> = <Kind extends keyof Values>(kind: Kind, of: Name) => Values[Kind];

/** `before` is the value that this one replaces, for what lives on in it. */
export type Make<Values, Value> = (read: Read<Values>, before: Value | undefined) => Value;

/** Called with a value that is no longer in use, because it was replaced or forgotten. */
export type Dispose<Value> = (value: Value) => void;

/** An input or a derived value, with the derived values that read it. */
interface Entry<Values> {
  readonly kind: keyof Values;
  readonly of: Name;
  /** Null before the first; most derived values have none. */
  readers: Set<Node<Values>> | null;
  /** Null for an input. */
  node: Node<Values> | null;
}

interface Node<Values> {
  readonly entry: Entry<Values>;
  readonly make: Make<Values, unknown>;
  /** Null for what is no part; a part goes when no other value is made from it. */
  readonly dispose: Dispose<unknown> | null;
  value: unknown;
  /** Reads with their results; null before the value exists. */
  reads: ReadonlyMap<Entry<Values>, unknown> | null;
  isStale: boolean;
}

/** `Values` names the kinds of values, each with its type. */
export class Derived<Values> {
  readonly #source: Source<Values>;
  readonly #entries = new Map<keyof Values, Map<Name, Entry<Values>>>();

  constructor(source: Source<Values>) {
    this.#source = source;
  }

  /** The number of inputs and values that are kept. */
  get size(): number {
    let size = 0;
    for (const ofKind of this.#entries.values()) size += ofKind.size;
    return size;
  }

  /** Returns the value, made by `make` unless it is known and still right. A value has one `make` for life. */
  value<Kind extends keyof Values>(kind: Kind, of: Name, make: Make<Values, Values[Kind]>): Values[Kind] {
    return this.#current(this.#node(kind, of, make as Make<Values, unknown>, null)) as Values[Kind];
  }

  /** Defines a value that only other values read. */
  part<Kind extends keyof Values>(
    kind: Kind,
    of: Name,
    make: Make<Values, Values[Kind]>,
    dispose: Dispose<Values[Kind]> = () => {},
  ): void {
    this.#node(kind, of, make as Make<Values, unknown>, dispose as Dispose<unknown>);
  }

  /** Reports that the source has another value. Returns true if a value was derived from it. */
  touch(kind: keyof Values, of: Name): boolean {
    const entry = this.#entries.get(kind)?.get(of);
    if (entry === undefined || !isRead(entry)) return false;
    markReaders(entry);
    return true;
  }

  /** Drops an unused value. The next read computes it again. */
  forget(kind: keyof Values, of: Name): void {
    const entry = this.#entries.get(kind)?.get(of);
    const node = entry?.node;
    if (entry === undefined || node == null) return;
    markReaders(entry);
    entry.node = null;
    if (node.reads !== null) this.#release(node, node.reads, null);
    this.#dropUnused(entry);
    if (node.reads !== null) node.dispose?.(node.value);
  }

  #entry(kind: keyof Values, of: Name): Entry<Values> {
    let ofKind = this.#entries.get(kind);
    if (ofKind === undefined) {
      ofKind = new Map();
      this.#entries.set(kind, ofKind);
    }
    let entry = ofKind.get(of);
    if (entry === undefined) {
      entry = { kind, of, readers: null, node: null };
      ofKind.set(of, entry);
    }
    return entry;
  }

  /** `dispose`: null for what is no part. */
  #node(
    kind: keyof Values,
    of: Name,
    make: Make<Values, unknown>,
    dispose: Dispose<unknown> | null,
  ): Node<Values> {
    const entry = this.#entry(kind, of);
    entry.node ??= { entry, make, dispose, value: undefined, reads: null, isStale: true };
    return entry.node;
  }

  #answer({ kind, of, node }: Entry<Values>): unknown {
    return node === null ? this.#source.read(kind, of) : this.#current(node);
  }

  #current(node: Node<Values>): unknown {
    if (!node.isStale) return node.value;
    if (!this.#isStillRight(node)) this.#makeAnew(node);
    node.isStale = false;
    return node.value;
  }

  #isStillRight({ reads }: Node<Values>): boolean {
    if (reads === null) return false;
    for (const [entry, answer] of reads) if (this.#answer(entry) !== answer) return false;
    return true;
  }

  #makeAnew(node: Node<Values>): void {
    const reads = new Map<Entry<Values>, unknown>();
    const value = this.#make(node, reads);
    const { reads: readsBefore, value: before } = node;
    if (readsBefore !== null) this.#release(node, readsBefore, reads);
    node.value = value;
    node.reads = reads;
    if (readsBefore !== null && before !== value) node.dispose?.(before);
  }

  /** Fills `reads`. A read counts at once, so that what was read stays until the value is made. */
  #make(node: Node<Values>, reads: Map<Entry<Values>, unknown>): unknown {
    const read = (kind: keyof Values, of: Name): unknown => {
      const entry = this.#entry(kind, of);
      entry.readers ??= new Set();
      entry.readers.add(node);
      reads.set(entry, undefined);
      const answer = this.#answer(entry);
      reads.set(entry, answer);
      return answer;
    };
    try {
      return node.make(read as Read<Values>, node.value);
    } catch (error) {
      this.#release(node, reads, node.reads);
      throw error;
    }
  }

  /** Forgets what the node read, but for what is kept. */
  #release(
    node: Node<Values>,
    reads: ReadonlyMap<Entry<Values>, unknown>,
    kept: ReadonlyMap<Entry<Values>, unknown> | null,
  ): void {
    for (const entry of reads.keys()) {
      if (kept?.has(entry) === true) continue;
      entry.readers?.delete(node);
      if (isRead(entry)) continue;
      if (entry.node?.dispose != null) this.forget(entry.kind, entry.of);
      else this.#dropUnused(entry);
    }
  }

  #dropUnused(entry: Entry<Values>): void {
    if (entry.node === null && !isRead(entry)) this.#entries.get(entry.kind)?.delete(entry.of);
  }
}

function isRead<Values>({ readers }: Entry<Values>): boolean {
  return readers !== null && readers.size > 0;
}

function markReaders<Values>({ readers }: Entry<Values>): void {
  for (const node of readers ?? []) {
    if (node.isStale) continue;
    node.isStale = true;
    markReaders(node.entry);
  }
}
