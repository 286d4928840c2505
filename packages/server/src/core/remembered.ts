/**
 * What was made of a few thousand texts, for what is asked with each request: text that is put together anew is copied and hashed anew
 * wherever it is looked up. Never that more than `MOST` are kept.
 */
const MOST = 4096;

/** `make` with a memory. Only for what depends on nothing but its argument. */
export function remembered<Key extends string, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new Map<Key, Made>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    // All at once: what is in use is there again soon, and who asks for others each time keeps nothing up to date.
    if (known.size >= MOST) known.clear();
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
