/**
 * Compares passwords with bcrypt hashes on its own thread.
 * Invariant: waiting comparisons take a few seconds at most, and sources with many attempts do not block the logins
 * of other networks.
 */

import { Worker } from 'node:worker_threads';
import { moduleBeside } from '../core/modules/module-beside.ts';
import { Turns } from './turns.ts';

/** Form of accepted hashes: a cost from 4 to 12, so that one comparison takes less than a second. */
const hashPattern = /^\$2[aby]\$(?:0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/;
/** Number of comparisons beside the running one. */
const mostWaiting = 31;

export interface Comparison {
  readonly password: string;
  readonly hash: string;
}

export function isBcryptHash(text: string): boolean {
  return hashPattern.test(text);
}

interface Waiting extends Comparison {
  readonly done: (outcome: boolean | null) => void;
}

/** Comparison that the thread is running. */
let running: Waiting | null = null;
let turns = new Turns<Waiting>();
let worker: Worker | null = null;

/** `source`: key of the client by `sourceKey`. Null: too many wait, or the thread ended. */
export function compareBcrypt(password: string, hash: string, source: string): Promise<boolean | null> {
  if (turns.size >= mostWaiting && !makesRoomFor(source)) return Promise.resolve(null);
  return new Promise((resolve) => {
    turns.add(source, { password, hash, done: resolve });
    worker ??= start();
    goOn(worker);
  });
}

function makesRoomFor(source: string): boolean {
  const displaced = turns.displace(source);
  displaced?.done(null);
  return displaced !== undefined;
}

function goOn(thread: Worker): void {
  if (running !== null) return;
  running = turns.take() ?? null;
  // It keeps no process alive that has nothing else to do.
  if (running === null) thread.unref();
  else {
    const { password, hash } = running;
    thread.ref();
    thread.postMessage({ password, hash } satisfies Comparison);
  }
}

function start(): Worker {
  const started = new Worker(moduleBeside(import.meta.url, 'bcrypt-thread'));
  started.on('message', (isSame: boolean) => {
    running?.done(isSame);
    running = null;
    goOn(started);
  });
  started.on('error', () => {});
  started.on('exit', () => {
    worker = null;
    running?.done(null);
    running = null;
    const lost = turns;
    turns = new Turns();
    for (let one = lost.take(); one !== undefined; one = lost.take()) one.done(null);
  });
  return started;
}
