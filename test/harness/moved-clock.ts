/**
 * Preloaded into a daemon: moves its wall clock by the milliseconds in a file. Monotonic clocks, such as
 * `performance.now()` and timers, do not move.
 */
import { readFileSync } from 'node:fs';

const RealDate = Date;
const path = process.env.CLOCK_FILE ?? '';
const now = (): number => RealDate.now() + Number(readFileSync(path, 'utf8'));

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
