/**
 * Preloaded into a daemon: its clock shows more than the machine's by what a file says, in milliseconds. What never jumps, as
 * `performance.now()` and timers, does not.
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
