/**
 * Caches function results for a few thousand texts that most requests need. A newly built text is copied and hashed at
 * each look-up, so a cached one is cheaper.
 * Invariant: at most `MOST` results are kept.
 */
const MOST = 4096;

/** Adds a cache to `make`, which must depend on its argument only. */
export function remembered<Key extends string, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new Map<Key, Made>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    // Clears everything: used entries return soon, and callers with ever new texts pay no cost for an order of use.
    if (known.size >= MOST) known.clear();
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
