/** One call at a time. A second one would wait behind the first for a slow database, and be answered late. */

/** Returns a function that calls `act` unless its last call is under way. `act` must not reject. */
export function alone(act: () => Promise<void>): () => void {
  let isUnderWay = false;
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    void act().finally(() => {
      isUnderWay = false;
    });
  };
}
