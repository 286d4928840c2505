/** Compares passwords with bcrypt hashes on a thread of its own. Never that more wait for it than a few seconds' worth. */

import { Worker } from 'node:worker_threads';
import { moduleBeside } from '../core/module-beside.ts';

/** What a hash that is compared with looks like: its cost is from 4 to 12, so that one takes less than a second. */
const hashPattern = /^\$2[aby]\$(?:0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/;
const mostWaiting = 32;

export interface Comparison {
  readonly password: string;
  readonly hash: string;
}

export function isBcryptHash(text: string): boolean {
  return hashPattern.test(text);
}

type Done = (outcome: boolean | null) => void;

/** In the order in which they were asked for, which is that of the answers. */
let waiting: Done[] = [];
let worker: Worker | null = null;

/** Null: too many wait, or the thread ended. */
export function compareBcrypt(password: string, hash: string): Promise<boolean | null> {
  if (waiting.length >= mostWaiting) return Promise.resolve(null);
  return new Promise((resolve) => {
    waiting.push(resolve);
    worker ??= start();
    worker.ref();
    worker.postMessage({ password, hash } satisfies Comparison);
  });
}

function start(): Worker {
  const started = new Worker(moduleBeside(import.meta.url, 'bcrypt-thread'));
  started.on('message', (isSame: boolean) => {
    waiting.shift()?.(isSame);
    // It keeps no process alive that has nothing else to do.
    if (waiting.length === 0) started.unref();
  });
  started.on('error', () => {});
  started.on('exit', () => {
    worker = null;
    const lost = waiting;
    waiting = [];
    for (const done of lost) done(null);
  });
  return started;
}
