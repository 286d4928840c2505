/**
 * Writes down what each test file took, with `--durations`. Loaded into each process of tests before all else.
 * Files of a group are measured one by one, and what their process took besides is that of the group's own file.
 */
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { cpuSeconds } from './cpu.ts';
import { DURATIONS_FILE, type FileDuration } from './durations.ts';

const output = process.env[DURATIONS_FILE];
type Times = Omit<FileDuration, 'file'>;

/** Times of this process's group so far. */
const grouped = { own: 0, children: 0, wall: 0 };

/** Adds up what a file of a group takes while it is loaded and while it runs. */
export class Stopwatch {
  readonly #file: string;
  readonly #sum = { own: 0, children: 0, wall: 0 };
  #begin: Times = now();

  constructor(file: string) {
    this.#file = file;
  }

  start(): void {
    this.#begin = now();
  }

  stop(): void {
    const end = now();
    for (const name of ['own', 'children', 'wall'] as const) {
      const passed = end[name] - this.#begin[name];
      this.#sum[name] += passed;
      grouped[name] += passed;
    }
  }

  write(): void {
    append({ file: this.#file, ...this.#sum });
  }
}

function now(): Times {
  return { ...cpuSeconds(), wall: performance.now() / 1000 };
}

function append(duration: FileDuration): void {
  if (output !== undefined) appendFileSync(output, `${JSON.stringify(duration)}\n`);
}

// The runner itself loads this, too.
if (isMainThread && output !== undefined && process.env.NODE_TEST_CONTEXT !== undefined) {
  process.on('exit', () => {
    const { own, children, wall } = now();
    append({
      file: process.argv[1] ?? '',
      own: own - grouped.own,
      children: children - grouped.children,
      wall: wall - grouped.wall,
    });
  });
}
