/** Waits until the number is above zero and has not changed for many turns of the event loop. */
export async function standsStill(read: () => number): Promise<void> {
  let last = -1;
  for (let turns = 0; turns < 2000; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = read();
    if (now !== last || now === 0) turns = 0;
    last = now;
  }
}
